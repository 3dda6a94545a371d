package io.hawser.allocator;

import static io.hawser.framing.RejectPolicy.ELSEWHERE;
import static io.hawser.framing.RejectPolicy.LATER_HERE;
import static io.hawser.framing.RejectPolicy.NEVER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.transport.MessageTooLargeException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** L9, from the asking side: what is tried again, where, and what never is. Cases 32, 33. */
class PlacementsTest {
    private static final long HOLD_NS = 5_000;
    private static final int FRAME_LIMIT = 4_096;

    private final PlacementLog log = new PlacementLog();

    /** Two workers in each of four processes. */
    private final Placements placements = new Placements(log, 8, worker -> worker / 2, FRAME_LIMIT);

    @Test
    void shouldSendAllStartsAtOnceAndAllGosAtOnceWithTheWholePlacement() {
        placements.begin(placement(3).build(), 0);
        assertThat(log.take()).containsExactly("START 1 to worker 0", "START 2 to worker 2", "START 3 to worker 4");
        assertThat(placements.onAccept(0, 5, 1, HOLD_NS, 10)).isTrue();
        assertThat(placements.onAccept(2, 5, 3, HOLD_NS, 11)).isTrue();
        assertThat(log.take()).isEmpty();
        assertThat(placements.onAccept(1, 5, 2, HOLD_NS, 12)).isTrue();
        assertThat(log.take()).containsExactly("GO 1 to worker 0", "GO 2 to worker 2", "GO 3 to worker 4");
        assertVerdict(0, PlacementVerdict.Kind.PLACED, true, "");
        assertThat(log.verdicts.get(0).tasks())
                .containsExactly(
                        new PlacementVerdict.Task(0, 1, true),
                        new PlacementVerdict.Task(2, 1, true),
                        new PlacementVerdict.Task(4, 1, true));
        for (int task = 0; task < 3; task++) {
            final StartRequest asked = new StartRequest(5, 0, 0, 2 * task, 1, 0, log.plans.get(task), 0, 0);
            final GoAhead goAhead = PlanDescriptor.decode(
                    asked, log.plans.get(task), 0, log.plans.get(task).capacity(), 8);
            assertThat(goAhead.task()).isEqualTo(task);
            assertThat(goAhead.workerOf(0)).isZero();
            assertThat(goAhead.workerOf(1)).isEqualTo(2);
            assertThat(goAhead.workerOf(2)).isEqualTo(4);
            assertThat(goAhead.plan().getByte(0)).isEqualTo((byte) task);
        }
        assertThat(placements.openCount()).isOne();
        placements.onDataflowEnded(5);
        placements.onDataflowEnded(5);
        assertThat(placements.openCount()).isZero();
        assertThat(log.verdicts).hasSize(1);
    }

    /** Case 32: refused by one, taken by the next. */
    @Test
    void shouldTryTheOthersFirstWhenRejectedElsewhereCase32() {
        placements.begin(placement(1).build(), 0);
        assertThat(placements.onReject(0, 5, 1, ELSEWHERE, 0, "I drain", 10)).isTrue();
        assertThat(placements.onReject(1, 5, 2, LATER_HERE, 0, "full", 20)).isTrue();
        placements.onReject(2, 5, 3, ELSEWHERE, 0, "full", 30);
        placements.onReject(1, 5, 4, LATER_HERE, 1, "full", 40);
        assertThat(log.take())
                .containsExactly(
                        "START 1 to worker 0", "START 2 to worker 2", "START 3 to worker 4", "START 4 to worker 2");
        placements.tick(1_000_039);
        assertThat(log.take()).isEmpty();
        placements.tick(1_000_040);
        assertThat(log.take()).containsExactly("START 5 to worker 2");
        assertThat(log.steps.get(1))
                .isEqualTo(new PlacementStep(5, 0, 0, 1, PlacementStep.Kind.REJECTED, false, "I drain"));
    }

    @Test
    void shouldAskAllAgainAfterAPauseWhenAllSayElsewhere() {
        placements.begin(placement(1).candidates(0, 2).build(), 0);
        placements.onReject(0, 5, 1, ELSEWHERE, 0, "", 10);
        placements.onReject(1, 5, 2, ELSEWHERE, 0, "", 20);
        log.take();
        placements.tick(119);
        assertThat(log.take()).isEmpty();
        placements.tick(120);
        assertThat(log.take()).containsExactly("START 3 to worker 0");
    }

    @Test
    void shouldFailAndReleaseAllWhenOneTaskIsRejectedForGood() {
        placements.begin(placement(3).build(), 0);
        placements.onAccept(0, 5, 1, HOLD_NS, 10);
        log.take();
        placements.onReject(1, 5, 2, NEVER, 0, "no such query", 10);
        assertThat(log.take()).containsExactly("RELEASE 1 to process 0", "RELEASE 3 to process 2");
        assertVerdict(
                0,
                PlacementVerdict.Kind.FAILED,
                false,
                "task 1 was rejected for good: attempts=1; last: no such query");
        assertThat(placements.openCount()).isZero();
        assertThat(placements.onAccept(2, 5, 3, HOLD_NS, 12)).isTrue();
        assertThat(log.take()).containsExactly("RELEASE 3 to process 2");
    }

    /** Case 33: accepted there, failed here. */
    @Test
    void shouldReleaseTheLateAcceptWhenAnAttemptTimesOutCase33() {
        placements.begin(placement(1).build(), 0);
        placements.tick(999);
        assertThat(log.take()).containsExactly("START 1 to worker 0");
        placements.tick(1_000);
        assertThat(log.take()).containsExactly("RELEASE 1 to process 0", "START 2 to worker 2");
        assertThat(placements.onAccept(0, 5, 1, HOLD_NS, 1_100)).isTrue();
        assertThat(log.take()).containsExactly("RELEASE 1 to process 0");
        placements.onAccept(1, 5, 2, HOLD_NS, 1_200);
        assertThat(log.take()).containsExactly("GO 2 to worker 2");
        assertThat(log.kinds())
                .containsExactly(
                        PlacementStep.Kind.OFFERED,
                        PlacementStep.Kind.TIMED_OUT,
                        PlacementStep.Kind.OFFERED,
                        PlacementStep.Kind.ACCEPTED_LATE,
                        PlacementStep.Kind.ACCEPTED,
                        PlacementStep.Kind.WENT);
    }

    @Test
    void shouldIgnoreTheLateRejectWhenAnAttemptHasTimedOut() {
        placements.begin(placement(1).build(), 0);
        placements.tick(1_000);
        log.take();
        assertThat(placements.onReject(0, 5, 1, NEVER, 0, "", 1_100)).isTrue();
        assertThat(log.take()).isEmpty();
        assertThat(log.verdicts).isEmpty();
    }

    @Test
    void shouldTryElsewhereWhenAProcessIsLostBeforeGo() {
        placements.begin(placement(2).candidates(0, 1, 2).build(), 0);
        placements.onAccept(0, 5, 1, HOLD_NS, 10);
        log.take();
        placements.onProcessLost(0, 20);
        assertThat(log.take()).containsExactly("START 3 to worker 2", "START 4 to worker 2");
        assertThat(placements.onAccept(0, 5, 2, HOLD_NS, 25))
                .as("read after the loss was told")
                .isTrue();
        assertThat(placements.onReject(0, 5, 1, NEVER, 0, "", 25)).isTrue();
        assertThat(log.take()).isEmpty();
        placements.onProcessLost(1, 30);
        assertThat(log.take()).containsExactly("RELEASE 4 to process 1");
        assertVerdict(
                0,
                PlacementVerdict.Kind.FAILED,
                false,
                "task 0 has no candidate left: attempts=2; last: process 1 is lost");
        placements.begin(placement(1).candidates(0, 3).build(), 40);
        assertVerdict(1, PlacementVerdict.Kind.FAILED, false, "task 0 has no candidate left: attempts=0");
        assertThat(log.take()).isEmpty();
    }

    @Test
    void shouldAskAgainWhenAReservationRunsOutBeforeTheOthersAreAccepted() {
        placements.begin(placement(2).build(), 0);
        placements.onAccept(0, 5, 1, 500, 10);
        log.take();
        placements.onAccept(1, 5, 2, 501, 500);
        assertThat(log.take()).containsExactly("RELEASE 1 to process 0", "START 3 to worker 2");
        placements.onAccept(1, 5, 3, 500, 500);
        assertThat(log.take()).containsExactly("GO 3 to worker 2", "GO 2 to worker 2");
    }

    @Test
    void shouldFailWhenATaskWasAskedForAsOftenAsMayBe() {
        placements.begin(placement(1).attemptLimit(2).build(), 0);
        placements.onReject(0, 5, 1, LATER_HERE, 0, "full", 1);
        placements.onReject(1, 5, 2, LATER_HERE, 0, "full too", 2);
        assertVerdict(
                0,
                PlacementVerdict.Kind.FAILED,
                false,
                "task 0 was asked for as often as may be: attempts=2; last: worker 2: full too");
    }

    @Test
    void shouldFailAndReleaseWhenTheDeadlinePasses() {
        placements.begin(
                placement(2)
                        .deadline(Duration.ofNanos(3_000))
                        .attemptTimeout(Duration.ofNanos(3_000))
                        .build(),
                0);
        placements.onAccept(0, 5, 1, HOLD_NS, 10);
        log.take();
        placements.tick(3_000);
        assertThat(log.take()).containsExactly("RELEASE 1 to process 0", "RELEASE 2 to process 1");
        assertVerdict(
                0,
                PlacementVerdict.Kind.FAILED,
                false,
                "not placed in time: deadlineNs=3000; task 1 is not accepted: attempts=1");
    }

    @Test
    void shouldReleaseAllWhenCancelledBeforeGo() {
        placements.begin(placement(2).build(), 0);
        placements.onAccept(0, 5, 1, HOLD_NS, 10);
        log.take();
        assertThat(placements.cancel(5, "changed my mind")).isTrue();
        assertThat(log.take()).containsExactly("RELEASE 1 to process 0", "RELEASE 2 to process 1");
        assertVerdict(0, PlacementVerdict.Kind.CANCELLED, false, "changed my mind");
        assertThat(placements.cancel(5, "again")).isFalse();
        assertThat(placements.openCount()).isZero();
    }

    @Test
    void shouldReleaseAllWhenTheDataflowEndsBeforeGo() {
        placements.begin(placement(1).build(), 0);
        log.take();
        placements.onDataflowEnded(5);
        assertThat(log.take()).containsExactly("RELEASE 1 to process 0");
        assertVerdict(0, PlacementVerdict.Kind.CANCELLED, false, "the dataflow has ended");
    }

    @Test
    void shouldLeaveItToTheDataflowWhenCancelledAfterGo() {
        placeOne();
        assertThat(placements.cancel(5, "changed my mind")).isFalse();
        assertThat(log.take()).isEmpty();
        assertThat(log.verdicts).hasSize(1);
    }

    @Test
    void shouldFailForGoodWhenAProcessIsLostAfterGo() {
        placeOne();
        placements.onProcessLost(3, 20);
        assertThat(log.verdicts).hasSize(1);
        placements.onProcessLost(0, 20);
        placements.tick(1_000_000);
        assertThat(log.take()).isEmpty();
        assertVerdict(1, PlacementVerdict.Kind.FAILED, true, "task 0: process 0 is lost");
        assertThat(log.steps.get(log.steps.size() - 1))
                .isEqualTo(new PlacementStep(5, 0, 0, 1, PlacementStep.Kind.LOST, true, "process 0 is lost"));
        assertThat(placements.openCount()).isZero();
    }

    /** The worker that refuses has run nothing; the others may have. */
    @Test
    void shouldFailForGoodWhenAGoIsRefused() {
        placements.begin(placement(2).build(), 0);
        placements.onAccept(0, 5, 1, HOLD_NS, 10);
        placements.onAccept(1, 5, 2, HOLD_NS, 10);
        log.take();
        assertThat(placements.onReject(1, 5, 2, NEVER, 0, "expired", 20)).isTrue();
        placements.tick(1_000_000);
        assertThat(log.take()).isEmpty();
        assertVerdict(1, PlacementVerdict.Kind.FAILED, true, "task 1: its go-ahead was refused: expired");
        assertThat(log.verdicts.get(1).tasks())
                .containsExactly(new PlacementVerdict.Task(0, 1, true), new PlacementVerdict.Task(2, 1, false));
    }

    @Test
    void shouldSayThatNothingHasRunWhenTheOnlyGoIsRefused() {
        placeOne();
        placements.onReject(0, 5, 1, NEVER, 0, "expired", 20);
        assertVerdict(1, PlacementVerdict.Kind.FAILED, false, "task 0: its go-ahead was refused: expired");
    }

    /** L3. */
    @Test
    void shouldGiveAVerdictToAllThatAreOpenWhenTheClusterEnds() {
        placeOne();
        placements.begin(
                Placement.of(6)
                        .task(PlacementTask.of(new byte[0]))
                        .candidates(2)
                        .build(),
                20);
        placements.close("the cluster is lost");
        placements.close("again");
        assertThat(log.verdicts)
                .hasSize(3)
                .allMatch(verdict -> verdict.dataflowId() == 6
                        ? verdict.kind() == PlacementVerdict.Kind.FAILED && !verdict.canHaveRun()
                        : verdict.canHaveRun());
        assertThat(placements.openCount()).isZero();
        assertThatThrownBy(() -> placements.begin(placement(1).build(), 30)).hasMessageEndingWith("dataflowId=5");
    }

    /** Case 32: orders that cannot be, while the placement is open; afterwards its attempts are forgotten. */
    @Test
    void shouldTellAnswersThatNothingWasAskedForCase32() {
        placements.begin(placement(2).build(), 0);
        assertThat(placements.onAccept(0, 5, 3, HOLD_NS, 10))
                .as("ACCEPT of what was never offered")
                .isFalse();
        assertThat(placements.onReject(0, 5, 3, NEVER, 0, "", 10))
                .as("REJECT of what was never offered")
                .isFalse();
        assertThat(placements.onAccept(0, 5, 0, HOLD_NS, 10))
                .as("ACCEPT of the whole dataflow")
                .isFalse();
        assertThat(placements.onAccept(1, 5, 1, HOLD_NS, 10))
                .as("ACCEPT by another process")
                .isFalse();
        assertThat(placements.onAccept(0, 5, 1, HOLD_NS, 10)).isTrue();
        assertThat(placements.onAccept(0, 5, 1, HOLD_NS, 10))
                .as("second ACCEPT")
                .isFalse();
        assertThat(placements.onReject(0, 5, 1, NEVER, 0, "", 10))
                .as("REJECT after ACCEPT")
                .isFalse();
        assertThat(placements.onReject(1, 5, 2, ELSEWHERE, 0, "", 10)).isTrue();
        assertThat(placements.onReject(1, 5, 2, ELSEWHERE, 0, "", 10))
                .as("second REJECT")
                .isFalse();
        assertThat(placements.onAccept(1, 5, 2, HOLD_NS, 10))
                .as("ACCEPT after REJECT")
                .isFalse();
        assertThat(log.verdicts).isEmpty();
        placements.cancel(5, "enough");
        assertThat(placements.onReject(0, 5, 1, NEVER, 0, "", 10))
                .as("forgotten")
                .isTrue();
    }

    @Test
    void shouldRefuseWhatCannotBePlacedBeforeAnythingIsSent() {
        final byte[] longPlan = new byte[FRAME_LIMIT - 60];
        assertThatThrownBy(() -> placements.begin(
                        Placement.of(5)
                                .task(PlacementTask.of(longPlan))
                                .candidates(0)
                                .build(),
                        0))
                .isInstanceOf(MessageTooLargeException.class);
        assertThatThrownBy(() -> placements.begin(placement(1).candidates(8).build(), 0))
                .isInstanceOf(IndexOutOfBoundsException.class);
        placements.begin(placement(1).build(), 0);
        assertThatThrownBy(() -> placements.begin(placement(1).build(), 0)).hasMessageEndingWith("dataflowId=5");
        assertThat(log.take()).containsExactly("START 1 to worker 0");
    }

    private void placeOne() {
        placements.begin(placement(1).build(), 0);
        placements.onAccept(0, 5, 1, HOLD_NS, 10);
        assertThat(log.take()).containsExactly("START 1 to worker 0", "GO 1 to worker 0");
    }

    /** Dataflow 5; candidates are workers 0, 2 and 4, each in another process. */
    private static PlacementBuilder placement(final int taskCount) {
        final PlacementBuilder builder = Placement.of(5)
                .candidates(0, 2, 4)
                .attemptTimeout(Duration.ofNanos(1_000))
                .retryPause(Duration.ofNanos(100));
        for (int task = 0; task < taskCount; task++) {
            builder.task(PlacementTask.of(new byte[] {(byte) task}));
        }
        return builder;
    }

    private void assertVerdict(
            final int index, final PlacementVerdict.Kind kind, final boolean canHaveRun, final String reason) {
        assertThat(log.verdicts).hasSize(index + 1);
        final PlacementVerdict verdict = log.verdicts.get(index);
        assertThat(verdict.kind()).isEqualTo(kind);
        assertThat(verdict.canHaveRun()).isEqualTo(canHaveRun);
        assertThat(verdict.reason()).isEqualTo(reason);
    }
}
