package io.hawser.fate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;

class PauseDetectorTest {
    private static final long TICK_NS = 100;
    private static final long TOLERANCE_NS = 50;

    @Example
    void shouldReportHowLateATickWasWhenItIsBeyondTheTolerance() {
        PauseDetector detector = new PauseDetector(TICK_NS, TOLERANCE_NS, 0);

        assertThat(detector.onTick(100)).isZero();
        assertThat(detector.onTick(250)).isZero();
        assertThat(detector.onTick(401)).isEqualTo(51);
        assertThat(detector.onTick(402)).isZero();
        assertThat(detector.longestPauseNs()).isEqualTo(51);
    }

    @Example
    void shouldKeepTheLongestWhenSeveralPausesCome() {
        PauseDetector detector = new PauseDetector(TICK_NS, TOLERANCE_NS, 0);

        assertThat(detector.onTick(1_100)).isEqualTo(1_000);
        assertThat(detector.onTick(1_500)).isEqualTo(300);
        assertThat(detector.longestPauseNs()).isEqualTo(1_000);
    }

    /** Case G4, and against a model: the longest of all that were late beyond the tolerance. */
    @Property
    void shouldFindTheLongestPauseWhereverTheClockStarts(
            @ForAll long startNs, @ForAll @Size(min = 1, max = 20) long @LongRange(max = 1_000) [] gapsNs) {
        PauseDetector detector = new PauseDetector(TICK_NS, TOLERANCE_NS, startNs);
        long nowNs = startNs;
        long longestNs = 0;

        for (long gapNs : gapsNs) {
            nowNs += gapNs;
            long expectedNs = gapNs - TICK_NS > TOLERANCE_NS ? gapNs - TICK_NS : 0;
            assertThat(detector.onTick(nowNs)).isEqualTo(expectedNs);
            longestNs = Math.max(longestNs, expectedNs);
        }

        assertThat(detector.longestPauseNs()).isEqualTo(longestNs);
    }

    /** A process that was stopped must not blame the peers whom it could not hear. */
    @Example
    void shouldNotBlameThePeerWhenTheJudgeItselfWasSuspended() {
        PauseDetector pauses = new PauseDetector(TICK_NS, TOLERANCE_NS, 0);
        SilenceDetector silence = new SilenceDetector(1_000, 0);
        long resumedNs = 60_000;

        if (pauses.onTick(resumedNs) > 0) {
            silence.forgive(resumedNs);
        }

        assertThat(silence.isSilent(resumedNs)).isFalse();
        assertThat(silence.isSilent(resumedNs + 1_000)).isTrue();
    }

    @Example
    void shouldRefuseWhenASettingIsOutOfRange() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new PauseDetector(0, 0, 0))
                .withMessageEndingWith("tickNs=0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new PauseDetector(1, -1, 0))
                .withMessageEndingWith("toleranceNs=-1");
    }
}
