package io.hawser.fate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.hawser.fate.StallDetector.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Law L3, case 70, in virtual time: a worker that no longer steps is found, and nobody else. */
class StallDetectorTest {
    private static final long S = 1_000_000_000;
    private static final long TICK_NS = S / 4;
    private static final long TIMEOUT_NS = 10 * S;
    private static final long LIMIT_NS = 20 * S;
    private static final long USER = 2;
    private static final long WAITING = 3;

    private final StallDetector detector = new StallDetector(TICK_NS, TIMEOUT_NS, LIMIT_NS);
    private long nowNs = Long.MAX_VALUE - 3 * S; // and on through the overflow

    private Verdict look(long phase, long stamp) {
        return look(phase, stamp, TICK_NS, true);
    }

    private Verdict look(long phase, long stamp, long gapNs, boolean isStackThere) {
        nowNs += gapNs;
        return detector.onLook(phase, stamp, isStackThere, nowNs);
    }

    /** Looks until something comes up, and returns what; the time is in {@link StallDetector#ageNs()}. */
    private Verdict next(boolean isStackThere) {
        Verdict verdict = Verdict.NONE;
        for (int i = 0; verdict == Verdict.NONE && i < 1_000; i++) {
            verdict = look(USER, 7, TICK_NS, isStackThere);
        }
        return verdict;
    }

    @Example
    void shouldGoThroughAllStagesWhenAWorkerNeverMovesAgain() {
        assertThat(next(true)).isEqualTo(Verdict.BEGUN);
        assertThat(detector.ageNs()).isEqualTo(TIMEOUT_NS);
        assertThat(next(true)).isEqualTo(Verdict.TOLD);
        assertThat(detector.ageNs()).isEqualTo(TIMEOUT_NS + TICK_NS);
        assertThat(next(true)).isEqualTo(Verdict.FAILED);
        assertThat(detector.ageNs()).isEqualTo(LIMIT_NS);
        assertThat(next(true)).isEqualTo(Verdict.LOST);
        assertThat(detector.ageNs()).isEqualTo(2 * LIMIT_NS);
        assertThat(next(true)).as("nothing more to say").isEqualTo(Verdict.NONE);
        assertThat(look(USER, 8)).isEqualTo(Verdict.OVER);
        assertThat(look(USER, 8)).isEqualTo(Verdict.NONE);
    }

    @Example
    void shouldWaitForTheStackForASecondAndNoLonger() {
        assertThat(next(false)).isEqualTo(Verdict.BEGUN);
        assertThat(next(false)).isEqualTo(Verdict.TOLD);
        assertThat(detector.ageNs()).isEqualTo(TIMEOUT_NS + StallDetector.STACK_WAIT_NS);
    }

    @Example
    void shouldSayNothingOfAWorkerThatMovesInTime() {
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < TIMEOUT_NS / TICK_NS; i++) {
                assertThat(look(USER, round)).isEqualTo(Verdict.NONE);
            }
        }
    }

    /** One that has not begun, or has ended, is in no even phase either. */
    @Example
    void shouldSayNothingOfAWorkerThatWaitsHasNotBegunOrHasEnded() {
        for (long phase : new long[] {WAITING, 1, -1, Long.MAX_VALUE}) {
            for (int i = 0; i < 1_000; i++) {
                assertThat(look(phase, 7)).isEqualTo(Verdict.NONE);
            }
        }
    }

    /** It was woken for nothing, and waits again: each look may meet it awake, with one stamp, but it has been in the library in between. */
    @Example
    void shouldSayNothingOfAWorkerThatIsWokenAgainAndAgain() {
        for (int i = 0; i < 1_000; i++) {
            assertThat(look(2L * i, 7)).isEqualTo(Verdict.NONE);
        }
    }

    @Example
    void shouldEndAStallWhenTheWorkerWaitsOrEnds() {
        for (long phase : new long[] {WAITING, -1}) {
            assertThat(next(true)).isEqualTo(Verdict.BEGUN);
            assertThat(next(true)).isEqualTo(Verdict.TOLD);
            assertThat(look(phase, 7)).isEqualTo(Verdict.OVER);
        }
    }

    /** What nobody has heard of needs no end. */
    @Example
    void shouldSayNothingOfAnEndWhenTheStallWasNotTold() {
        assertThat(next(false)).isEqualTo(Verdict.BEGUN);
        assertThat(look(USER, 8)).isEqualTo(Verdict.NONE);
    }

    @Example
    void shouldCountStallsUpwards() {
        assertThat(detector.number()).isEqualTo(-1);
        for (int number = 0; number < 3; number++) {
            assertThat(next(true)).isEqualTo(Verdict.BEGUN);
            assertThat(detector.number()).isEqualTo(number);
            assertThat(next(true)).isEqualTo(Verdict.TOLD);
            assertThat(look(WAITING, 7)).isEqualTo(Verdict.OVER);
            assertThat(detector.number()).as("the end is that of the same").isEqualTo(number);
        }
    }

    /** Stopped for an hour, a collection of ten minutes, a lid that was closed: the worker could not have moved. */
    @Example
    void shouldCountNoPauseOfTheProcessItself() {
        look(USER, 7);
        assertThat(look(USER, 7, 3_600 * S, true)).isEqualTo(Verdict.NONE);
        assertThat(detector.ageNs()).isEqualTo(2 * TICK_NS);
        assertThat(look(USER, 7, -S, true)).as("a clock that is behind").isEqualTo(Verdict.NONE);
        assertThat(detector.ageNs()).isEqualTo(2 * TICK_NS);
    }

    @Example
    void shouldHaveNoLimitWhenNoneIsSet() {
        StallDetector endless = new StallDetector(TICK_NS, 1, StallDetector.NO_LIMIT);
        List<Verdict> seen = new ArrayList<>();
        for (int i = 0; i < 100_000; i++) {
            Verdict verdict = endless.onLook(USER, 7, true, i * TICK_NS);
            if (verdict != Verdict.NONE) {
                seen.add(verdict);
            }
        }
        assertThat(seen).containsExactly(Verdict.BEGUN, Verdict.TOLD);
    }

    @Example
    void shouldRefuseTimesThatMakeNoSense() {
        assertThatIllegalArgumentException().isThrownBy(() -> new StallDetector(0, 1, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> new StallDetector(1, 0, 1));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new StallDetector(1, 2, 1))
                .withMessageContaining("limitNs=1");
    }

    /** Whatever is seen: told at most once, over once for each told, and nothing before the time-out was really stood still. */
    @Property
    void shouldTellAndEndInTurnsWhateverIsSeen(@ForAll long seed) {
        Random random = new Random(seed);
        StallDetector fresh = new StallDetector(TICK_NS, TIMEOUT_NS, LIMIT_NS);
        long stamp = 0;
        long phase = USER;
        long stoodNs = 0;
        boolean isTold = false;
        for (int i = 0; i < 2_000; i++) {
            long gapNs = random.nextInt(4) == 0 ? random.nextInt((int) S) : TICK_NS;
            boolean isMoved = random.nextInt(80) == 0;
            if (isMoved) {
                phase += random.nextInt(2);
                stamp += random.nextInt(2);
            }
            long agedNs = fresh.ageNs();
            nowNs += gapNs;
            Verdict verdict = fresh.onLook(phase, stamp, random.nextBoolean(), nowNs);
            stoodNs = fresh.ageNs() == 0 ? 0 : stoodNs + gapNs;
            assertThat(fresh.ageNs()).isLessThanOrEqualTo(stoodNs).isLessThanOrEqualTo(agedNs + 2 * TICK_NS);
            if (verdict == Verdict.TOLD) {
                assertThat(isTold).isFalse();
                assertThat(stoodNs).isGreaterThanOrEqualTo(TIMEOUT_NS);
                isTold = true;
            } else if (verdict == Verdict.OVER) {
                assertThat(isTold).isTrue();
                isTold = false;
            }
        }
    }
}
