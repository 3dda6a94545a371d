package io.hawser.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.fate.Cause;
import io.hawser.fate.CauseKind;
import io.hawser.fate.Escalation;
import io.hawser.fate.HealthLostException;
import io.hawser.fate.HealthState;
import io.hawser.fate.ScopeCancelledException;
import io.hawser.fate.ScopeOutcome;
import io.hawser.framing.CancelAnswer;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What becomes of what somebody says about a scope (L3, L10, L12; cases 95, 96). */
@Timeout(30)
class ScopesTest {
    private static final long ID = 7;

    private final ScopeCluster cluster = new ScopeCluster(3);
    private final ScopeCluster.Node a = cluster.node(0);
    private final ScopeCluster.Node b = cluster.node(1);
    private final ScopeCluster.Node c = cluster.node(2);

    private static CancelAnswer answer(final CompletionStage<CancelAnswer> stage) {
        return stage.toCompletableFuture().orTimeout(20, TimeUnit.SECONDS).join();
    }

    private static boolean isAnswered(final CompletionStage<CancelAnswer> stage) {
        return stage.toCompletableFuture().isDone();
    }

    private static ScopeOutcome.Cancelled cancelledBy(final int process, final int worker, final String why) {
        return new ScopeOutcome.Cancelled(process, worker, why);
    }

    private void assertAllHealthy() {
        cluster.nodes.forEach(node -> assertThat(node.health.isLost()).isFalse());
    }

    private void assertNoFault() {
        cluster.nodes.forEach(node -> node.ways.forEach(way ->
                assertThat(way.fault).as("%d to %d", node.process, way.peer).isNull()));
    }

    // ---- the plain life

    @Test
    void shouldBeCompletedEverywhereOnceEveryWorkerHasFinished() {
        final Scope[] scopes = {a.openWhole(ID), b.openWhole(ID), c.openWhole(ID)};
        a.complete(scopes[0]);
        b.complete(scopes[1]);
        scopes[2].complete(c.worker(0), new SendRing[0]);
        cluster.carryAll();
        for (final Scope scope : scopes) {
            assertThat(scope.outcome()).isEmpty();
            assertThat(scope.isStopped()).isFalse();
        }
        scopes[2].complete(c.worker(1), new SendRing[0]);
        cluster.carryAll();
        for (final Scope scope : scopes) {
            assertThat(scope.outcome()).contains(new ScopeOutcome.Completed());
            assertThat(scope.isStopped()).isFalse();
            assertThat(scope.health().state()).isEqualTo(HealthState.ENDED);
            assertThat(scope.whenOver().toCompletableFuture().join().isCompleted())
                    .isTrue();
        }
        cluster.nodes.forEach(node -> {
            assertThat(node.scopes.openCount()).isZero();
            assertThat(node.scopes.leavingCount()).isZero();
            assertThat(node.changed).containsExactly(ID);
        });
        assertAllHealthy();
    }

    @Test
    void shouldAskOnlyMembersForTheirWord() {
        final ScopeMembers some = ScopeMembers.of(0, 2, 3);
        final Scope here = a.open(ID, some, 0);
        final Scope there = b.open(ID, some, 0);
        assertThat(b.open(ID, some, 1)).isSameAs(there);
        here.complete(a.worker(0), new SendRing[0]);
        b.complete(there);
        assertThat(a.to(2).frames.hasAny()).isFalse();
        cluster.carryAll();
        assertThat(here.outcome()).contains(new ScopeOutcome.Completed());
        assertThat(there.outcome()).contains(new ScopeOutcome.Completed());
        assertThat(c.scopes.openCount()).isZero();
    }

    @Test
    void shouldSayAWordOnce() {
        final Scope scope = a.openWhole(ID);
        a.complete(scope);
        a.complete(scope);
        a.scopes.cancel(ID, 0, "late");
        assertThat(scope.fail(a.boom())).isFalse();
        assertThat(scope.isStopped()).isFalse();
        assertThat(a.to(1).carryAll()).as("FATE and CANCEL").isEqualTo(2);
    }

    @Test
    void shouldSayWhatItHearsForWorkersThatHaveNotOpenedIt() {
        final Scope scope = a.openWhole(ID);
        scope.fail(a.boom());
        cluster.carryAll();
        assertThat(b.scopes.openCount()).isZero();
        final Scope late = b.open(ID);
        assertThat(late.isStopped()).isTrue();
        assertThatThrownBy(late::check).isInstanceOf(HealthLostException.class);
        assertThat(((ScopeOutcome.Failed) late.outcome().orElseThrow()).cause().sameEvent(a.boom()))
                .isTrue();
        assertThat(((ScopeOutcome.Failed) scope.outcome().orElseThrow()).cause().sameEvent(a.boom()))
                .isTrue();
        assertAllHealthy();
    }

    // ---- cancel

    @Test
    void shouldCancelEverywhereWithoutTouchingAnybodysHealth() {
        final Scope[] scopes = {a.openWhole(ID), b.openWhole(ID), c.openWhole(ID)};
        final Scope neighbour = b.openWhole(ID + 1);
        assertThat(answer(b.scopes.cancel(ID, 3, "enough"))).isEqualTo(CancelAnswer.CANCELLED);
        cluster.carryAll();
        for (final Scope scope : scopes) {
            assertThat(scope.outcome()).contains(cancelledBy(1, 3, "enough"));
            assertThat(scope.health().state()).isEqualTo(HealthState.ENDED);
            assertThatThrownBy(scope::check)
                    .isInstanceOf(ScopeCancelledException.class)
                    .hasMessageContaining("enough");
        }
        assertThat(neighbour.isStopped()).isFalse();
        assertThat(b.scopes.stopped().contains(ID)).isTrue();
        assertThat(b.scopes.stopped().contains(ID + 1)).isFalse();
        assertAllHealthy();
        assertNoFault();
    }

    @Test
    void shouldAnswerTheSecondCancelAsTheFirst() {
        a.open(ID);
        b.open(ID);
        assertThat(answer(a.scopes.cancel(ID, 0, "one"))).isEqualTo(CancelAnswer.CANCELLED);
        assertThat(answer(a.scopes.cancel(ID, 1, "two"))).isEqualTo(CancelAnswer.CANCELLED);
        cluster.carryAll();
        assertThat(answer(a.scopes.cancel(ID, 1, "three"))).isEqualTo(CancelAnswer.CANCELLED);
        assertThat(answer(c.scopes.cancel(ID, 4, "four"))).isEqualTo(CancelAnswer.CANCELLED);
        assertThat(a.open(ID).outcome()).contains(cancelledBy(0, 0, "one"));
    }

    @Test
    void shouldAgreeOnOneCancelWhenTwoCross() {
        final Scope[] scopes = {a.open(ID), b.open(ID), c.open(ID)};
        assertThat(answer(c.scopes.cancel(ID, 4, "by c"))).isEqualTo(CancelAnswer.CANCELLED);
        assertThat(answer(b.scopes.cancel(ID, 2, "by b"))).isEqualTo(CancelAnswer.CANCELLED);
        cluster.carryAll();
        for (final Scope scope : scopes) {
            assertThat(scope.outcome()).contains(cancelledBy(1, 2, "by b"));
        }
    }

    @Test
    void shouldAnswerThatItIsDoneAfterTheEnd() {
        a.complete(a.openWhole(ID));
        b.complete(b.openWhole(ID));
        c.complete(c.openWhole(ID));
        cluster.carryAll();
        assertThat(answer(b.scopes.cancel(ID, -1, "late"))).isEqualTo(CancelAnswer.ALREADY_DONE);
        assertThat(b.open(ID).outcome()).contains(new ScopeOutcome.Completed());
    }

    @Test
    void shouldCancelTheOthersWhenTheOwnPartIsDone() {
        final Scope scope = a.openWhole(ID);
        final Scope there = b.openWhole(ID);
        c.complete(c.openWhole(ID));
        a.complete(scope);
        final CompletionStage<CancelAnswer> asked = a.scopes.cancel(ID, 1, "no more");
        assertThat(isAnswered(asked)).isFalse();
        cluster.carryAll();
        assertThat(answer(asked)).isEqualTo(CancelAnswer.CANCELLED);
        assertThat(there.outcome()).contains(cancelledBy(0, 1, "no more"));
        assertThat(scope.outcome()).contains(cancelledBy(0, 1, "no more"));
        assertAllHealthy();
    }

    @Test
    void shouldCancelWhatIsOpenedOnlyAfterIt() {
        final CompletionStage<CancelAnswer> asked = a.scopes.cancel(ID, 1, "not wanted");
        cluster.carryAll();
        assertThat(answer(asked)).isEqualTo(CancelAnswer.UNKNOWN);
        final Scope there = c.open(ID);
        assertThat(there.isStopped()).isTrue();
        assertThatThrownBy(there::check).isInstanceOf(ScopeCancelledException.class);
        cluster.carryAll();
        assertThat(there.outcome()).contains(cancelledBy(0, 1, "not wanted"));
        assertThat(a.open(ID).outcome()).contains(cancelledBy(0, 1, "not wanted"));
        assertAllHealthy();
    }

    /** The one that opens it has forgotten the cancel, or never got it; a process that hears of it still knows. */
    @Test
    void shouldCancelWhatItHearsOfAfterACancelOfTheUnknown() {
        final CompletionStage<CancelAnswer> asked = a.scopes.cancel(ID, -1, "not wanted");
        assertThat(a.to(2).carryAll()).isOne();
        final Scope early = b.openWhole(ID);
        b.complete(early);
        b.to(2).carryAll();
        cluster.carryAll();
        assertThat(answer(asked)).isEqualTo(CancelAnswer.ALREADY_DONE);
        assertThat(early.outcome()).contains(cancelledBy(0, -1, "not wanted"));
    }

    /** Cancelling is for whoever likes, member or not. */
    @Test
    void shouldCancelAScopeOfOthers() {
        final ScopeMembers others = ScopeMembers.of(2, 3, 4);
        final Scope there = b.open(ID, others, 0);
        final CompletionStage<CancelAnswer> asked = a.scopes.cancel(ID, 0, "from outside");
        cluster.carryAll();
        assertThat(answer(asked)).isEqualTo(CancelAnswer.CANCELLED);
        assertThat(there.outcome()).contains(cancelledBy(0, 0, "from outside"));
        assertThat(c.open(ID, others, 0).outcome()).contains(cancelledBy(0, 0, "from outside"));
        assertThat(a.scopes.openCount()).isZero();
        assertNoFault();
    }

    @Test
    void shouldCutAReasonWithinNoCodePoint() {
        final Scope scope = a.open(ID);
        a.scopes.cancel(ID, 0, "x".repeat(510) + "\u20AC");
        cluster.carryAll();
        assertThat(((ScopeOutcome.Cancelled) scope.outcome().orElseThrow()).reason())
                .isEqualTo("x".repeat(510));
        assertThat(b.open(ID).outcome()).isEqualTo(scope.outcome());
    }

    // ---- failures

    @Test
    void shouldFailEverywhereWithTheFirstCauseAndLeaveNeighboursAlone() {
        final Scope[] scopes = {a.open(ID), b.open(ID), c.open(ID)};
        final Scope neighbour = b.open(ID + 1);
        cluster.nowNs = 5;
        assertThat(scopes[1].fail(b.boom())).isTrue();
        cluster.nowNs = 6;
        assertThat(scopes[0].fail(a.boom())).isTrue();
        cluster.carryAll();
        for (final Scope scope : scopes) {
            final Cause cause = ((ScopeOutcome.Failed) scope.outcome().orElseThrow()).cause();
            assertThat(cause.subjectProcess()).isOne();
            assertThat(scope.health().rootCause().sameEvent(cause)).isTrue();
        }
        assertThat(neighbour.isStopped()).isFalse();
        assertAllHealthy();
        assertNoFault();
    }

    @Test
    void shouldPutTheFailureBeforeTheCancelThatCrossesIt() {
        final Scope[] scopes = {a.open(ID), b.open(ID), c.open(ID)};
        a.scopes.cancel(ID, 0, "enough");
        scopes[1].fail(b.boom());
        cluster.carryAll();
        for (final Scope scope : scopes) {
            assertThat(scope.outcome().orElseThrow().isFailed()).isTrue();
        }
        assertAllHealthy();
    }

    /** A failure that follows from the cancel changes nothing. */
    @Test
    void shouldStayCancelledWhenItsWorkersFailBecauseOfThat() {
        final Scope[] scopes = {a.open(ID), b.open(ID), c.open(ID)};
        a.scopes.cancel(ID, 0, "enough");
        cluster.carryAll();
        assertThat(scopes[1].fail(b.boom())).isFalse();
        cluster.carryAll();
        for (final Scope scope : scopes) {
            assertThat(scope.outcome()).contains(cancelledBy(0, 0, "enough"));
            assertThat(scope.health().isLost()).isFalse();
        }
    }

    @Test
    void shouldSayThatItFailedWhenItsHealthIsLostDirectly() {
        final Scope scope = a.open(ID);
        scope.health().lose(a.boom());
        cluster.carryAll();
        assertThat(scope.outcome().orElseThrow().isFailed()).isTrue();
        assertThat(b.open(ID).outcome().orElseThrow().isFailed()).isTrue();
        assertAllHealthy();
    }

    @Test
    void shouldLoseTheClusterWhenAFailureEscalates() {
        final Scope scope = a.scopes.open(ID, ScopeMembers.all(), Escalation.TO_PARENT, 0);
        final Scope there = b.scopes.open(ID, ScopeMembers.all(), Escalation.TO_PARENT, 2);
        scope.fail(a.boom());
        assertThat(a.health.isLost()).isTrue();
        cluster.carryAll();
        assertThat(b.health.isLost()).isTrue();
        assertThat(b.health.rootCause().sameEvent(a.boom())).isTrue();
        a.scopes.settle();
        b.scopes.settle();
        assertThat(scope.outcome().orElseThrow().isFailed()).isTrue();
        assertThat(((ScopeOutcome.Failed) there.outcome().orElseThrow()).cause().sameEvent(a.boom()))
                .isTrue();
    }

    /** A cancel does not escalate. */
    @Test
    void shouldKeepTheClusterWhenAnEscalatingScopeIsCancelled() {
        final Scope scope = a.scopes.open(ID, ScopeMembers.all(), Escalation.TO_PARENT, 0);
        a.scopes.cancel(ID, 0, "enough");
        cluster.carryAll();
        assertThat(scope.outcome()).contains(cancelledBy(0, 0, "enough"));
        assertAllHealthy();
    }

    @Test
    void shouldRefuseWorkersThatDoNotAgreeHowItEscalates() {
        a.open(ID);
        assertThatThrownBy(() -> a.scopes.open(ID, ScopeMembers.all(), Escalation.TO_PARENT, 1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("dataflowId=" + ID);
    }

    // ---- members that disagree

    @Test
    void shouldRefuseWorkersThatDoNotAgreeWhoTakesPart() {
        a.open(ID);
        assertThatThrownBy(() -> a.open(ID, ScopeMembers.of(0, 1), 1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("dataflowId=" + ID, "workers {0, 1}");
    }

    @Test
    void shouldFailWhenProcessesDoNotAgreeWhoTakesPart() {
        final Scope here = a.openWhole(ID);
        final Scope there = b.open(ID, ScopeMembers.of(0, 1, 2), 0);
        final Scope third = c.openWhole(ID);
        a.complete(here);
        cluster.carryAll();
        for (final Scope scope : new Scope[] {here, there, third}) {
            assertThat(scope.outcome()).as("%s", scope).isPresent();
            assertThat(scope.outcome().orElseThrow().isFailed()).isTrue();
            assertThat(scope.isStopped()).isTrue();
        }
        assertThat(((ScopeOutcome.Failed) there.outcome().orElseThrow()).cause().seen())
                .contains("do not agree who takes part in dataflow " + ID, "all workers", "workers {0, 1, 2}");
        assertAllHealthy();
        assertNoFault();
    }

    /** Whoever says something about a scope to one that others do not count among its members gets an answer. */
    @Test
    void shouldAnswerWhoeverTakesItselfForAMember() {
        final ScopeMembers two = ScopeMembers.of(0, 2);
        final Scope here = a.open(ID, two, 0);
        final Scope there = b.open(ID, two, 0);
        here.complete(a.worker(0), new SendRing[0]);
        there.complete(b.worker(0), new SendRing[0]);
        cluster.carryAll();
        assertThat(here.outcome()).contains(new ScopeOutcome.Completed());
        final Scope stray = c.openWhole(ID);
        c.complete(stray);
        cluster.carryAll();
        assertThat(stray.outcome()).as("its word was out").contains(new ScopeOutcome.Completed());
        assertThat(stray.health().firstCause().seen()).contains("do not agree");
        assertThat(here.outcome()).contains(new ScopeOutcome.Completed());
        assertNoFault();
    }

    @Test
    void shouldTakeAWordAboutNobodyForAFault() {
        assertThat(a.scopes.onFate(1, ID, ScopeMembers.of(0), ScopeWord.completed(1)))
                .contains("scope=" + ID, "process=1", "none of that process");
        assertThat(a.scopes.onFate(1, ID, ScopeMembers.of(0, 2, 6), ScopeWord.completed(1)))
                .contains("no such workers");
        assertThat(a.scopes.onFate(1, ID, ScopeMembers.ofLongs(new long[] {0}), ScopeWord.completed(1)))
                .isNotNull();
        assertThat(a.scopes.openCount()).isZero();
    }

    /** Nobody keeps anything for scopes that it has no part in: there would be no limit (L7, L11). */
    @Test
    void shouldTakeAWordAboutAScopeOfOthersForAFault() {
        assertThat(a.scopes.onFate(1, ID, ScopeMembers.of(2, 4), ScopeWord.completed(1)))
                .contains("scope=" + ID, "no member");
        assertThat(a.scopes.openCount()).isZero();
    }

    // ---- limits

    @Test
    void shouldOpenNoMoreThanItMay() {
        final ScopeCluster small = new ScopeCluster(2, new Scopes.Limits(3, 4, 2));
        for (long id = 1; id <= 3; id++) {
            small.node(0).open(id);
        }
        assertThatThrownBy(() -> small.node(0).open(4))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("openDataflows=3");
        assertThat(small.node(0).open(3, ScopeMembers.all(), 1).id())
                .as("another worker")
                .isEqualTo(3);
    }

    @Test
    void shouldTakeMoreWordsThanMayWaitForAFault() {
        final ScopeCluster small = new ScopeCluster(2, new Scopes.Limits(3, 4, 2));
        final Scopes scopes = small.node(0).scopes;
        for (long id = 1; id <= 3; id++) {
            assertThat(scopes.onFate(1, id, ScopeMembers.all(), ScopeWord.completed(1)))
                    .isNull();
        }
        small.node(0).complete(small.node(0).openWhole(2));
        assertThat(scopes.onFate(1, 4, ScopeMembers.all(), ScopeWord.completed(1)))
                .as("one has been answered")
                .isNull();
        assertThat(scopes.onFate(1, 5, ScopeMembers.all(), ScopeWord.completed(1)))
                .contains("scope=5", "more than 3");
    }

    /** What is answered at once does not wait. */
    @Test
    void shouldTakeAnyNumberOfCancelledScopes() {
        final ScopeCluster small = new ScopeCluster(2, new Scopes.Limits(3, 4, 2));
        for (long id = 1; id <= 50; id++) {
            small.node(1).open(id);
            small.node(1).scopes.cancel(id, 2, "");
            small.carryAll();
        }
        assertThat(small.node(1).to(0).fault).isNull();
        assertThat(small.node(0).scopes.openCount()).isZero();
    }

    @Test
    void shouldAskForNoMoreCancelsThanMayBeUnanswered() {
        final ScopeCluster small = new ScopeCluster(2, new Scopes.Limits(3, 4, 2));
        final Scopes scopes = small.node(0).scopes;
        scopes.cancel(1, -1, "");
        final CompletionStage<CancelAnswer> second = scopes.cancel(2, -1, "");
        assertThatThrownBy(() -> scopes.cancel(3, -1, ""))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("unanswered=2");
        small.carryAll();
        assertThat(answer(second)).isEqualTo(CancelAnswer.UNKNOWN);
        scopes.cancel(3, -1, "");
    }

    @Test
    void shouldTakeAnAnswerThatNobodyWaitsForForAFault() {
        assertThat(a.scopes.onCancelled(1, ID, CancelAnswer.CANCELLED)).contains("scope=" + ID, "not asked for");
        a.scopes.cancel(ID, -1, "");
        assertThat(a.scopes.onCancelled(1, ID + 1, CancelAnswer.CANCELLED)).contains("scope=" + (ID + 1));
        assertThat(a.scopes.onCancelled(1, ID, CancelAnswer.UNKNOWN)).isNull();
        assertThat(a.scopes.onCancelled(1, ID, CancelAnswer.UNKNOWN)).isNotNull();
    }

    @Test
    void shouldForgetTheEldestCancelOfTheUnknown() {
        final ScopeCluster small = new ScopeCluster(1, new Scopes.Limits(9, 4, 2));
        final ScopeCluster.Node alone = small.node(0);
        for (long id = 1; id <= 5; id++) {
            assertThat(answer(alone.scopes.cancel(id, -1, ""))).isEqualTo(CancelAnswer.UNKNOWN);
        }
        assertThat(alone.open(1).isStopped()).isFalse();
        assertThat(alone.open(2).outcome()).contains(cancelledBy(0, -1, ""));
    }

    // ---- hanging up

    @Test
    void shouldCompleteWhatItHasNotSpokenOfWhenItHangsUp() {
        final Scope scope = a.open(ID);
        final Scope there = b.open(ID);
        a.scopes.hangUp();
        final CompletionStage<CancelAnswer> asked = b.scopes.cancel(ID, 2, "late");
        assertThat(answer(asked)).isEqualTo(CancelAnswer.CANCELLED);
        final CompletionStage<CancelAnswer> other = c.scopes.cancel(ID, 4, "later");
        assertThat(c.to(0).carryAll()).isOne();
        assertThat(a.to(2).carryAll()).as("its word and its answer").isEqualTo(2);
        c.to(1).carryAll();
        b.to(2).carryAll();
        assertThat(answer(other)).as("2 of a, 1 of b").isEqualTo(CancelAnswer.CANCELLED);
        cluster.carryAll();
        assertThat(scope.outcome()).contains(cancelledBy(1, 2, "late"));
        assertThat(there.outcome()).contains(cancelledBy(1, 2, "late"));
        assertAllHealthy();
    }

    @Test
    void shouldAnswerThatItIsDoneAfterItHasHungUp() {
        a.open(ID);
        a.scopes.hangUp();
        final CompletionStage<CancelAnswer> asked = b.scopes.cancel(ID, -1, "late");
        b.to(0).carryAll();
        b.to(2).carryAll();
        a.to(1).carryAll();
        c.to(1).carryAll();
        assertThat(answer(asked)).isEqualTo(CancelAnswer.ALREADY_DONE);
    }

    @Test
    void shouldTakeAHangUpForCompletionOfWhatWasNotSpokenOf() {
        final Scope there = b.openWhole(ID);
        b.scopes.onHungUp(0);
        b.complete(there);
        assertThat(there.outcome()).isEmpty();
        b.scopes.onHungUp(2);
        assertThat(there.outcome()).contains(new ScopeOutcome.Completed());
    }

    @Test
    void shouldCountHangUpsForWhatIsOpenedAfterThem() {
        b.scopes.onHungUp(0);
        b.scopes.onHungUp(2);
        final Scope there = b.openWhole(ID);
        assertThat(there.outcome()).isEmpty();
        b.complete(there);
        assertThat(there.outcome()).contains(new ScopeOutcome.Completed());
    }

    @Test
    void shouldBeOverAtOnceWhenItIsOpenedAfterAllHaveHungUp() {
        b.scopes.onHungUp(0);
        b.scopes.onHungUp(2);
        b.scopes.hangUp();
        assertThat(b.open(ID).outcome()).contains(new ScopeOutcome.Completed());
        assertThat(b.scopes.openCount()).isZero();
    }

    @Test
    void shouldSettleAnEscalatingScopeWhenTheClusterHasEndedCleanly() {
        final Scope scope = b.scopes.open(ID, ScopeMembers.all(), Escalation.TO_PARENT, 2);
        b.scopes.settle();
        assertThat(scope.outcome()).contains(new ScopeOutcome.Completed());
    }

    /** That all have hung up is no reason to take what nobody has heard for completion: it may have been a failure. */
    @Test
    void shouldFailWithTheClusterWhenAWordIsMissingAtTheEnd() {
        final Scope there = b.openWhole(ID);
        b.complete(there);
        b.scopes.hangUp();
        b.scopes.onHungUp(0);
        b.health.lose(lostPeer(b, c));
        b.scopes.settle();
        assertThat(((ScopeOutcome.Failed) there.outcome().orElseThrow()).cause().kind())
                .isEqualTo(CauseKind.PEER_LOST);
    }

    /** Who has hung up has said so of everything, but if the cluster is lost its hang-up may not have gone out. */
    @Test
    void shouldTellItsWordAboutWhatItHearsOfAfterItsHangUp() {
        a.scopes.hangUp();
        final Scope there = b.openWhole(ID);
        b.complete(there);
        cluster.carryAll();
        c.complete(c.openWhole(ID));
        cluster.carryAll();
        assertThat(there.outcome()).contains(new ScopeOutcome.Completed());
    }

    // ---- the end

    private static Cause lostPeer(final ScopeCluster.Node by, final ScopeCluster.Node whom) {
        return by.causeHere(CauseKind.PEER_LOST).subjectProcess(whom.process).build();
    }

    @Test
    void shouldSayNothingOnceTheClusterIsLost() {
        final Scope scope = a.openWhole(ID);
        a.health.lose(lostPeer(a, c));
        assertThat(scope.isStopped()).isTrue();
        assertThat(scope.fail(a.boom())).isFalse();
        a.complete(scope);
        assertThatThrownBy(() -> a.scopes.cancel(ID, 0, "")).isInstanceOf(HealthLostException.class);
        assertThatThrownBy(() -> a.open(ID + 1)).isInstanceOf(HealthLostException.class);
        assertThat(a.scopes.onFate(1, ID, ScopeMembers.all(), ScopeWord.cancelled(1, cancelledBy(1, -1, ""))))
                .isNull();
        assertThat(a.to(1).carryAll() + a.to(2).carryAll()).isZero();
        a.scopes.settle();
        assertThat(((ScopeOutcome.Failed) scope.outcome().orElseThrow()).cause().kind())
                .isEqualTo(CauseKind.PEER_LOST);
    }

    @Test
    void shouldTellTheOthersWhatTheDeadHasSaid() {
        final Scope here = a.openWhole(ID);
        final Scope there = b.openWhole(ID);
        final Scope dead = c.openWhole(ID);
        a.complete(here);
        b.complete(there);
        cluster.carryAll();
        c.complete(dead);
        c.to(0).carryAll(); // then it dies, and b has not heard it
        assertThat(here.outcome()).contains(new ScopeOutcome.Completed());
        assertThat(there.outcome()).isEmpty();
        a.health.lose(lostPeer(a, c));
        b.health.lose(lostPeer(b, c));
        a.to(1).hasSpoken = true;
        b.to(0).hasSpoken = true;
        a.scopes.relay();
        b.scopes.relay();
        a.to(1).carryAll();
        b.to(0).carryAll();
        a.scopes.settle();
        b.scopes.settle();
        assertThat(there.outcome()).contains(new ScopeOutcome.Completed());
        assertThat(a.to(1).fault).isNull();
    }

    @Test
    void shouldTellNothingOfWhatWasOverLongAgo() {
        final Scope here = a.openWhole(ID);
        a.complete(here);
        b.complete(b.openWhole(ID));
        c.complete(c.openWhole(ID));
        cluster.carryAll();
        cluster.nowNs = 2 * ScopeCluster.SILENCE_NS + 1;
        a.health.lose(lostPeer(a, c));
        a.scopes.relay();
        assertThat(a.to(1).carryAll()).isZero();
    }

    /** The link between two is cut, a third one has links to both: it knows what one has said and the other has not heard. */
    @Test
    void shouldTellWhatOneHasSaidToWhomACauseNamesAsCutOffFromIt() {
        final Scope here = a.openWhole(ID);
        final Scope cutOff = b.openWhole(ID);
        final Scope other = c.openWhole(ID);
        a.complete(here);
        b.complete(cutOff);
        cluster.carryAll();
        c.complete(other);
        c.to(0).carryAll(); // the link from c to b is cut
        a.to(1).hasSpoken = true;
        a.to(2).hasSpoken = true;
        a.health.consider(lostPeer(b, c));
        a.scopes.relay();
        a.to(1).carryAll();
        b.health.lose(lostPeer(b, c));
        b.scopes.settle();
        assertThat(here.outcome()).contains(new ScopeOutcome.Completed());
        assertThat(cutOff.outcome()).contains(new ScopeOutcome.Completed());
    }

    @Test
    void shouldFailByWhatOthersHaveSaidRatherThanByTheLossOfTheCluster() {
        final Scope here = a.open(ID);
        final Scope there = b.open(ID);
        there.fail(b.boom());
        b.to(0).carryAll();
        a.health.lose(lostPeer(a, c));
        a.scopes.settle();
        assertThat(((ScopeOutcome.Failed) here.outcome().orElseThrow()).cause().sameEvent(b.boom()))
                .isTrue();
    }

    @Test
    void shouldAnswerCancelsAtTheEndThatNobodyElseHasAnswered() {
        final CompletionStage<CancelAnswer> asked = a.scopes.cancel(ID, -1, "");
        b.open(ID);
        a.to(1).carryAll();
        b.to(0).carryAll();
        assertThat(isAnswered(asked)).isFalse();
        a.health.lose(lostPeer(a, c));
        a.scopes.settle();
        assertThat(answer(asked)).isEqualTo(CancelAnswer.CANCELLED);
        assertThat(a.scopes.openCount()).isZero();
    }

    // ---- letting go

    @Test
    void shouldKeepAStoppedScopeStoppedUntilItsWorkersHaveLetGo() {
        final Scope scope = a.openWhole(ID);
        a.scopes.cancel(ID, 0, "enough");
        cluster.carryAll();
        assertThat(scope.outcome()).isPresent();
        assertThat(a.scopes.stopped().contains(ID)).isTrue();
        assertThat(a.scopes.leavingCount()).isOne();
        scope.letGo(a.worker(0), new SendRing[0]);
        assertThat(a.scopes.stopped().contains(ID)).isTrue();
        scope.letGo(a.worker(1), new SendRing[0]);
        assertThat(a.scopes.stopped().contains(ID)).isFalse();
        assertThat(a.scopes.leavingCount()).isZero();
        assertThat(b.scopes.stopped().contains(ID)).as("nobody had opened it").isFalse();
    }

    @Test
    void shouldKeepAStoppedScopeStoppedUntilItsRingsArePastIt() {
        final MemoryAccount account = new MemoryAccount();
        final SendRoute route = new SendRoute(0, 2, 2);
        final SendRing ring = new SendRing(
                4_096, 1_024, true, route, Hellos.unbounded(route), a.health, account, (drain, isUrgent) -> {});
        final Scope scope = a.open(ID);
        final SendLane lane = ring.openLane(ID, 1, 2, 1);
        ring.tryClaim(lane, 8);
        ring.commit();
        ring.flush();
        a.scopes.cancel(ID, 0, "enough");
        cluster.carryAll();
        ring.drop(lane);
        scope.letGo(0, new SendRing[] {null, ring, null});
        a.scopes.tick();
        assertThat(a.scopes.stopped().contains(ID)).isTrue();
        ring.close();
        ring.drain().release();
        a.scopes.tick();
        assertThat(a.scopes.stopped().contains(ID)).isFalse();
        assertThat(account.liveBytes()).isZero();
    }

    @Test
    void shouldSayThatItIsCompletedOnlyAfterItsData() {
        final MemoryAccount account = new MemoryAccount();
        final SendRoute route = new SendRoute(0, 2, 2);
        final SendRing ring = new SendRing(
                4_096, 1_024, true, route, Hellos.unbounded(route), a.health, account, (drain, isUrgent) -> {});
        final RingConsumer consumer = new RingConsumer(ring.drain(), 1_024, true, (header, buffer, at, length) -> {});
        final Scope scope = a.open(ID, ScopeMembers.of(0, 2, 4), 0);
        ring.tryClaim(ring.openLane(ID, 1, 2, 1), 8);
        ring.commit();
        ring.flush();
        scope.complete(0, new SendRing[] {null, ring, null});
        assertThat(a.to(1).carry()).isFalse();
        assertThat(a.to(1).frames.hasAny()).isTrue();
        assertThat(a.to(2).carry()).as("no data for that one").isTrue();
        scope.fail(a.boom());
        a.scopes.cancel(ID + 1, 0, "");
        assertThat(a.to(1).carry()).as("a cancel overtakes it").isTrue();
        assertThat(a.to(1).carry()).isFalse();
        consumer.pollAll();
        assertThat(a.to(1).carry()).isTrue();
        assertThat(a.to(1).frames.hasAny()).isFalse();
        ring.close();
        ring.drain().release();
    }

    @Test
    void shouldCallNobodyWithItsMonitorHeld() {
        final Scope scope = a.open(ID);
        final boolean[] isHeld = new boolean[1];
        scope.health().addWakeup(() -> isHeld[0] |= Thread.holdsLock(a.scopes));
        scope.fail(a.boom());
        assertThat(scope.health().isLost()).isTrue();
        assertThat(isHeld[0]).isFalse();
    }
}
