package io.hawser.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CandidatesTest {
    private static final long NOW_NS = Long.MAX_VALUE - 20;
    private static final long PAUSE_NS = 50;

    private final Candidates candidates = new Candidates(new int[] {7, 4, 9}, PAUSE_NS, NOW_NS);

    @Test
    void shouldAskInTheOrderOfPreferenceAndThenWhoWasAskedLeast() {
        assertThat(nextAt(0)).isEqualTo(7);
        assertThat(nextAt(0)).isEqualTo(4);
        assertThat(nextAt(0)).isEqualTo(9);
        assertThat(nextAt(0)).isEqualTo(7);
    }

    @Test
    void shouldWaitWhenAllOthersAreStruckOff() {
        candidates.pause(candidates.next(NOW_NS), 100, NOW_NS);
        candidates.leaveRound(candidates.next(NOW_NS), NOW_NS);
        candidates.leaveRound(candidates.next(NOW_NS), NOW_NS);
        assertThat(nextAt(99)).isEqualTo(Candidates.NONE);
        assertThat(nextAt(100)).isEqualTo(7);
    }

    @Test
    void shouldBeginAnotherRoundAfterAPauseWhenAllAreStruckOff() {
        for (int i = 0; i < 3; i++) {
            candidates.leaveRound(candidates.next(NOW_NS), NOW_NS);
        }
        assertThat(nextAt(PAUSE_NS - 1)).isEqualTo(Candidates.NONE);
        assertThat(nextAt(PAUSE_NS)).isEqualTo(7);
        assertThat(nextAt(PAUSE_NS)).isEqualTo(4);
    }

    @Test
    void shouldNeverAskWhoIsLost() {
        candidates.leaveRound(candidates.next(NOW_NS), NOW_NS);
        candidates.lose(worker -> worker != 7, NOW_NS);
        assertThat(nextAt(PAUSE_NS - 1)).isEqualTo(Candidates.NONE);
        assertThat(nextAt(PAUSE_NS)).isEqualTo(7);
        assertThat(candidates.areAllLost()).isFalse();
        candidates.lose(worker -> worker == 7, NOW_NS);
        assertThat(candidates.areAllLost()).isTrue();
        assertThat(nextAt(1_000)).isEqualTo(Candidates.NONE);
    }

    private int nextAt(final long afterNs) {
        final int candidate = candidates.next(NOW_NS + afterNs);
        return candidate == Candidates.NONE ? Candidates.NONE : candidates.worker(candidate);
    }
}
