package io.hawser.fate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;

class SilenceDetectorTest {
    private static final long TIMEOUT_NS = 1_000;
    private static final long HOUR_NS = 3_600_000_000_000L;

    @Example
    void shouldBeSilentWhenTheTimeoutIsReachedAndNotBefore() {
        SilenceDetector detector = new SilenceDetector(TIMEOUT_NS, 0);

        assertThat(detector.isSilent(TIMEOUT_NS - 1)).isFalse();
        assertThat(detector.isSilent(TIMEOUT_NS)).isTrue();
        detector.onHeard(TIMEOUT_NS);
        assertThat(detector.isSilent(2 * TIMEOUT_NS - 1)).isFalse();
        assertThat(detector.isSilent(2 * TIMEOUT_NS)).isTrue();
        assertThat(detector.timeoutNs()).isEqualTo(TIMEOUT_NS);
    }

    /** Case G4: the origin of nanoTime is arbitrary, so it may overflow during a run. */
    @Property
    void shouldCountTheSameWhereverTheClockStarts(
            @ForAll long startNs,
            @ForAll @LongRange(max = HOUR_NS) long heardAfterNs,
            @ForAll @LongRange(max = HOUR_NS) long judgedAfterNs) {
        SilenceDetector detector = new SilenceDetector(TIMEOUT_NS, startNs);
        detector.onHeard(startNs + heardAfterNs);

        long silenceNs = detector.silenceNs(startNs + heardAfterNs + judgedAfterNs);

        // both marks are in the past; the younger one counts
        assertThat(silenceNs).isEqualTo(judgedAfterNs);
        assertThat(detector.isSilent(startNs + heardAfterNs + judgedAfterNs)).isEqualTo(judgedAfterNs >= TIMEOUT_NS);
    }

    @Example
    void shouldCountAcrossTheOverflowWhenTheClockWraps() {
        SilenceDetector detector = new SilenceDetector(TIMEOUT_NS, Long.MAX_VALUE - 10);

        assertThat(detector.silenceNs(Long.MIN_VALUE + 9)).isEqualTo(20);
        assertThat(detector.isSilent(Long.MAX_VALUE - 10 + TIMEOUT_NS)).isTrue();
    }

    @Example
    void shouldSeeNoSilenceWhenHeardAfterTheJudgeReadItsClock() {
        SilenceDetector detector = new SilenceDetector(TIMEOUT_NS, 0);
        detector.onHeard(500);

        assertThat(detector.silenceNs(400)).isZero();
    }

    @Example
    void shouldGiveTheWholeTimeoutAgainWhenForgiven() {
        SilenceDetector detector = new SilenceDetector(TIMEOUT_NS, 0);
        detector.forgive(5_000);

        assertThat(detector.isSilent(5_999)).isFalse();
        assertThat(detector.isSilent(6_000)).isTrue();
    }

    @Example
    void shouldRefuseWhenTheTimeoutIsNotPositive() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new SilenceDetector(0, 0))
                .withMessageEndingWith("timeoutNs=0");
    }
}
