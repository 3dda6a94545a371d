package io.hawser.fate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StandstillDetectorTest {
    private static final int WORKERS = 10;
    private static final long T = 1_000;

    private final StandstillDetector detector = new StandstillDetector(WORKERS, T);

    /** Waits as "waiter>first" or "waiter>first-last"; reports as "circle" or "slow", its root, and who waits. */
    @ParameterizedTest
    @CsvSource({
        "0>1, slow [1] waits [0]",
        "'0>1,1>0', circle [0 1] waits [0 1]",
        "'1>2,2>0,0>1', circle [0 1 2] waits [0 1 2]",
        "'9>4,4>7,7>9', circle [4 7 9] waits [4 7 9]",
        "3>3, circle [3] waits [3]",
        "'0>1,1>2', slow [2] waits [1 0]",
        "'3>2,2>1,1>0', slow [0] waits [1 2 3]",
        "'0>5,1>5,2>5', slow [5] waits [0 1 2]",
        "'0>1,1>0,7>0,8>7', circle [0 1] waits [0 1 7 8]",
        "0>4-6, slow [4 5 6] waits [0]",
        "'0>4-6,5>0', circle [0 5] waits [0 5]",
        "'0>4-6,5>7', slow [7] waits [5 0]",
        "'0>0-1', slow [1] waits [0]", // a broadcast that reaches its own worker
        "'0>0-1,1>0-1', circle [0 1] waits [0 1]",
        "'0>2-3,2>8,3>0', circle [0 3] waits [0 3]; slow [8] waits [2]", // the circle counts more
        "'0>1,1>0,5>6,6>5', circle [0 1] waits [0 1]; circle [5 6] waits [5 6]",
        "'5>6,6>4-5,4>7,7>4', circle [4 7] waits [4 7]; circle [5 6] waits [5 6]",
        "'0>1-3,1>2,2>3,3>0', circle [0 3] waits [0 3 2 1]", // the shortest of several
        "'0>4,1>5', slow [4] waits [0]; slow [5] waits [1]",
    })
    void shouldNameWhatWaitsLeadTo(String waits, String reports) {
        for (String wait : waits.split(",")) {
            String[] parts = wait.split("[>-]");
            int first = Integer.parseInt(parts[1]);
            int last = parts.length == 3 ? Integer.parseInt(parts[2]) : first;
            waiting(Integer.parseInt(parts[0]), first, last - first + 1, 0, 0);
        }

        assertThat(detector.tick(T - 1)).isNull();
        assertThat(String.join("; ", reports(T))).isEqualTo(reports);
    }

    @Test
    void shouldTellTheWaitAsItWasTold() {
        detector.onWaiting(2, 0, 7, 4, 3, 11, 500, 70_000, 100);

        assertThat(detector.tick(599)).isNull();
        Standstill standstill = detector.tick(600);

        assertThat(standstill.waits()).containsExactly(new Standstill.Wait(2, 0, 7, 4, 3, 11, 1_000, 70_000, -1));
        assertThat(standstill.isCycle()).isFalse();
        assertThat(standstill.cycle()).isEmpty();
        assertThat(standstill.consumers())
                .extracting(Standstill.Consumer::worker)
                .containsExactly(4, 5, 6);
        assertThat(standstill.toString()).isEqualTo(standstill.describe());
    }

    @Test
    void shouldReportTheSameOnceAndAgainAfterTenTimesTheTime() {
        waiting(0, 1, 1, 0, 0);

        assertThat(reports(T)).hasSize(1);
        assertThat(reports(T)).isEmpty();
        detector.onWaiting(0, 0, 1, 1, 1, 0, 5_000, 64, 5_000); // the same wait, told again
        assertThat(reports(11 * T - 1)).isEmpty();
        assertThat(reports(11 * T)).hasSize(1);
        assertThat(reports(21 * T - 1)).isEmpty();
        assertThat(reports(21 * T)).hasSize(1);
    }

    @Test
    void shouldReportAgainWhenAWaitBeganAnew() {
        waiting(0, 1, 1, 0, 0);
        assertThat(reports(T)).hasSize(1);
        detector.onOver(0, 0);
        assertThat(reports(2 * T)).isEmpty();
        waiting(0, 1, 1, 1, 2 * T);

        assertThat(reports(3 * T - 1)).isEmpty();
        assertThat(reports(3 * T)).hasSize(1);
    }

    @Test
    void shouldReportAgainWhenALaterWaitIsToldWithoutTheEndOfTheEarlier() {
        waiting(0, 1, 1, 0, 0);
        assertThat(reports(T)).hasSize(1);
        waiting(0, 1, 1, 1, T);

        assertThat(reports(2 * T - 1)).isEmpty();
        assertThat(reports(2 * T)).hasSize(1);
    }

    @Test
    void shouldReportAtOnceWhenAReportedWaitBecomesPartOfACircle() {
        waiting(0, 1, 1, 0, 0);
        assertThat(reports(T)).containsExactly("slow [1] waits [0]");
        waiting(1, 0, 1, 0, T + 1);

        assertThat(reports(T + 1)).containsExactly("circle [0 1] waits [0 1]");
        assertThat(reports(3 * T)).isEmpty();
    }

    @Test
    void shouldReportAgainWhenAnotherWaitJoinsAndIsOldEnough() {
        waiting(0, 5, 1, 0, 0);
        assertThat(reports(T)).containsExactly("slow [5] waits [0]");
        waiting(1, 5, 1, 0, T);

        assertThat(reports(2 * T - 1)).isEmpty();
        assertThat(reports(2 * T)).containsExactly("slow [5] waits [0 1]");
        detector.onOver(0, 0);
        assertThat(reports(3 * T)).as("less is no news").isEmpty();
    }

    /** Otherwise a worker in between that waits now and then would make a report each time. */
    @Test
    void shouldNotReportMoreOftenThanTheTimeWhenAWaitLeadsElsewhereBackAndForth() {
        waiting(0, 1, 1, 0, 0);
        int reports = 0;
        for (int i = 0; i < 100; i++) {
            waiting(1, 2, 1, i, T + 2L * i);
            reports += reports(T + 2L * i).size();
            detector.onOver(1, i);
            reports += reports(T + 2L * i + 1).size();
        }
        assertThat(reports).isEqualTo(1);
    }

    @Test
    void shouldIgnoreOldWord() {
        waiting(0, 1, 1, 5, 0);
        waiting(0, 2, 1, 4, 0);
        detector.onOver(0, 4);
        assertThat(reports(T)).containsExactly("slow [1] waits [0]");
        detector.onOver(0, 5);
        waiting(0, 2, 1, 5, T);
        waiting(0, 2, 1, 4, T);
        assertThat(reports(20 * T)).isEmpty();
        detector.onOver(0, 8);
        waiting(0, 2, 1, 7, 20 * T);
        assertThat(reports(40 * T)).as("its end came first").isEmpty();
    }

    @Test
    void shouldKeepTheEarliestBeginningWhenAWaitIsToldAgain() {
        detector.onWaiting(0, 0, 3, 1, 1, 0, 400, 64, 400);
        detector.onWaiting(0, 0, 3, 1, 1, 0, 0, 128, 900);

        Standstill standstill = detector.tick(T);

        assertThat(standstill.waits().get(0).waitedNs()).isEqualTo(T);
        assertThat(standstill.waits().get(0).bytesWanted()).isEqualTo(128);
    }

    @Test
    void shouldTellWhetherTheConsumerHasMovedSinceTheWaitBegan() {
        detector.onProgress(1, 10, 0);
        detector.onProgress(1, 11, 50); // before the wait
        waiting(0, 1, 1, 0, 100);
        detector.onProgress(1, 11, 500);
        assertThat(consumer(T + 100)).isEqualTo(new Standstill.Consumer(1, Standstill.Progress.NOT_MOVED, -1));
        detector.onProgress(1, 12, 2 * T);
        assertThat(consumer(12 * T)).isEqualTo(new Standstill.Consumer(1, Standstill.Progress.MOVED, 10 * T));
    }

    @Test
    void shouldNotTakeTheFirstStampForAMove() {
        waiting(0, 1, 1, 0, 0);
        assertThat(consumer(T)).isEqualTo(new Standstill.Consumer(1, Standstill.Progress.UNKNOWN, -1));
        detector.onProgress(1, 10, T);
        assertThat(consumer(11 * T)).isEqualTo(new Standstill.Consumer(1, Standstill.Progress.NOT_MOVED, -1));
    }

    @Test
    void shouldNameTheChainOfEachWait() {
        waiting(3, 2, 1, 0, 0);
        waiting(2, 1, 1, 0, 0);
        waiting(1, 0, 1, 0, 0);
        Standstill slow = detector.tick(T);
        assertThat(slow.waits()).extracting(slow::chain).containsExactly(List.of(), List.of(1), List.of(2, 1));

        waiting(0, 1, 1, 0, T);
        Standstill circle = detector.tick(T);
        assertThat(circle.waits())
                .extracting(circle::chain)
                .containsExactly(List.of(1), List.of(0), List.of(1), List.of(2, 1));
    }

    /** Case G4: the origin of nanoTime is arbitrary, so it may overflow during a run. */
    @Test
    void shouldCountAcrossTheOverflowWhenTheClockWraps() {
        long startNs = Long.MAX_VALUE - 100;
        detector.onProgress(1, 1, startNs);
        waiting(0, 1, 1, 0, startNs);
        detector.onProgress(1, 2, startNs + 200);

        assertThat(detector.tick(startNs + T - 1)).isNull();
        assertThat(consumer(startNs + T)).isEqualTo(new Standstill.Consumer(1, Standstill.Progress.MOVED, T - 200));
        assertThat(detector.tick(startNs + 11 * T - 1)).isNull();
        assertThat(detector.tick(startNs + 11 * T)).isNotNull();
    }

    @Test
    void shouldTakeAnyAgeThatAPeerTells() {
        detector.onWaiting(0, 0, 3, 1, 1, 0, Long.MAX_VALUE, Long.MAX_VALUE, 0);

        assertThat(detector.tick(0).waits().get(0).waitedNs()).isPositive();
        assertThat(new StandstillDetector(1, Long.MAX_VALUE).tick(0)).isNull();
    }

    @Test
    void shouldRefuseWhatIsNotOfTheCluster() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new StandstillDetector(0, T))
                .withMessageEndingWith("workerCount=0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new StandstillDetector(1, 0))
                .withMessageEndingWith("reportAfterNs=0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> detector.onOver(WORKERS, 0))
                .withMessageEndingWith("worker=10");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> detector.onProgress(-1, 0, 0))
                .withMessageEndingWith("worker=-1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> waiting(0, 9, 2, 0, 0))
                .withMessageEndingWith("firstTarget=9 targetCount=2");
        assertThatIllegalArgumentException().isThrownBy(() -> waiting(0, 1, 0, 0, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> waiting(0, Integer.MAX_VALUE, Integer.MAX_VALUE, 0, 0));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> detector.onWaiting(0, 0, 3, 1, 1, 0, -1, 0, 0))
                .withMessageEndingWith("waitNumber=0 waitedNs=-1 bytesWanted=0");
    }

    private void waiting(int waiter, int firstTarget, int targetCount, long waitNumber, long nowNs) {
        detector.onWaiting(waiter, 0, 3, firstTarget, targetCount, waitNumber, 0, 64, nowNs);
    }

    private Standstill.Consumer consumer(long nowNs) {
        Standstill standstill = detector.tick(nowNs);
        assertThat(standstill.consumers()).hasSize(1);
        return standstill.consumers().get(0);
    }

    private List<String> reports(long nowNs) {
        List<String> reports = new ArrayList<>();
        for (Standstill s = detector.tick(nowNs); s != null; s = detector.tick(nowNs)) {
            List<Integer> root = s.isCycle()
                    ? s.cycle()
                    : s.consumers().stream().map(Standstill.Consumer::worker).toList();
            List<Integer> waiters =
                    s.waits().stream().map(Standstill.Wait::worker).toList();
            reports.add(((s.isCycle() ? "circle " : "slow ") + root + " waits " + waiters).replace(",", ""));
        }
        return reports;
    }
}
