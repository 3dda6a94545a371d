package io.hawser.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.fate.Cause;
import io.hawser.fate.CauseKind;
import io.hawser.framing.FrameType;
import io.hawser.framing.RefuseReason;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Who is let in, which generation it becomes, when READY is said and when the start is, as PROTOCOL.md says under "Greeting" and
 * "Forming" (L5; cases 1, 17, 21, 22, 23, 24, 26, 78, 79). It is process 1 of three: it dials process 0 and is dialled by process 2.
 */
class FormationTest {
    private static final int OWN = 1;
    private static final long GENERATION = Hellos.GENERATION;
    private static final long NOW_NS = Long.MAX_VALUE - 5;
    private static final Cause GONE = ScriptedPeer.cause(OWN, 1);

    private final Formation<Linked> formation = new Formation<>(config(3, OWN), Hellos.of(OWN));

    /** A greeted connection without a socket. */
    private record Linked(ScriptedPeer script) implements Formation.Greeted {
        @Override
        public int peer() {
            return session().peer().processIndex();
        }

        @Override
        public Session session() {
            return script.session();
        }
    }

    private static ClusterConfig config(int processes, int own) {
        return ClusterConfig.builder()
                .clusterId("ropes")
                .processIndex(own)
                .addresses(IntStream.range(0, processes)
                        .mapToObj(i -> new Endpoint("10.0.0." + i, 7_000))
                        .toList())
                .build();
    }

    private Linked greeted(int peer) {
        return greeted(peer, Hellos.nonce(peer));
    }

    private Linked greeted(int peer, long nonce) {
        return greeted(Hellos.of(peer, formation.generation(), nonce));
    }

    private Linked greeted(Hello theirs) {
        Session.Role role = theirs.processIndex() < OWN ? Session.Role.DIALLER : Session.Role.ACCEPTOR;
        return new Linked(new ScriptedPeer(role, formation.own(), theirs, NOW_NS).greeted());
    }

    private Linked join(int peer) {
        Linked link = greeted(peer);
        assertThat(formation.onGreeted(link)).isNull();
        return link;
    }

    private void start() {
        Linked zero = join(0);
        Linked two = join(2);
        assertThat(formation.onPeerReady(zero)).isFalse();
        assertThat(formation.onPeerReady(two)).isTrue();
        formation.start();
    }

    private Refusal judge(UnaryOperator<Hellos.Spoken> change) {
        Hello theirs = change.apply(Hellos.spoken(2, OWN)).hello();
        return formation.judge(theirs, Session.Role.ACCEPTOR, -1, NOW_NS);
    }

    private static RefuseReason reason(Refusal refusal) {
        return refusal == null ? null : refusal.reason();
    }

    // ---- admission

    /** In the order of PROTOCOL.md: whoever is wrong in several ways hears of the first. */
    private static final Map<RefuseReason, UnaryOperator<Hellos.Spoken>> FAULTS = new LinkedHashMap<>();

    static {
        FAULTS.put(RefuseReason.VERSION, hello -> hello.version(2));
        FAULTS.put(RefuseReason.CLUSTER, hello -> hello.cluster("cables"));
        FAULTS.put(RefuseReason.INDEX, hello -> hello.to(0));
        FAULTS.put(RefuseReason.STALE_GENERATION, hello -> hello.in(GENERATION - 1));
        FAULTS.put(RefuseReason.SHAPE, hello -> hello.shape(3, 1));
        FAULTS.put(RefuseReason.SETTINGS, hello -> hello.settings(1, 5));
    }

    @Test
    void shouldWelcomeAPeerThatAgrees() {
        assertThat(judge(hello -> hello)).isNull();
        assertThat(formation.judge(Hellos.spoken(0, OWN).hello(), Session.Role.DIALLER, 0, NOW_NS))
                .isNull();
    }

    @Test
    void shouldTellTheFirstFaultInTheOrderOfTheProtocol() {
        List<RefuseReason> reasons = List.copyOf(FAULTS.keySet());
        for (int first = 0; first < reasons.size(); first++) {
            for (int second = first; second < reasons.size(); second++) {
                UnaryOperator<Hellos.Spoken> one = FAULTS.get(reasons.get(first));
                UnaryOperator<Hellos.Spoken> other = FAULTS.get(reasons.get(second));
                Refusal refusal = judge(hello -> other.apply(one.apply(hello)));
                assertThat(reason(refusal)).isEqualTo(reasons.get(first));
                assertThat(refusal.generation()).isEqualTo(GENERATION);
            }
        }
    }

    @Test
    void shouldJudgeTheAnswerOfTheOneItDialledAsStrictly() {
        FAULTS.forEach((expected, fault) -> {
            Hello theirs = fault.apply(Hellos.spoken(0, OWN)).hello();
            if (expected == RefuseReason.INDEX) {
                theirs = Hellos.spoken(0, 2).hello();
            }
            assertThat(reason(formation.judge(theirs, Session.Role.DIALLER, 0, NOW_NS)))
                    .isEqualTo(expected);
        });
        Hello wrongOne = Hellos.spoken(2, OWN).hello();
        assertThat(reason(formation.judge(wrongOne, Session.Role.DIALLER, 0, NOW_NS)))
                .isEqualTo(RefuseReason.INDEX);
    }

    /** Case 24: it is told which generation is current. */
    @Test
    void shouldTellTheCurrentGenerationToAnOlderOne() {
        Refusal refusal = judge(hello -> hello.in(1));
        assertThat(refusal.reason()).isEqualTo(RefuseReason.STALE_GENERATION);
        assertThat(refusal.generation()).isEqualTo(GENERATION);
        assertThat(refusal.text()).contains("generation 1 is over").contains("generation 7 is being formed");
    }

    @Test
    void shouldWelcomeANewerGenerationOnceItIsTakenOver() {
        join(2);
        assertThat(judge(hello -> hello.in(GENERATION + 1).as(99))).isNull();
        Hello newer = Hellos.of(2, GENERATION + 1, 99);
        assertThat(formation.isNewer(newer)).isTrue();
        formation.raise(GENERATION + 1);
        assertThat(formation.isNewer(newer)).isFalse();
        assertThat(judge(hello -> hello.in(GENERATION + 1).as(99))).isNull();
    }

    @Test
    void shouldRefuseANewerGenerationOfAnotherShape() {
        assertThat(reason(judge(hello -> hello.in(GENERATION + 1).shape(3, 1)))).isEqualTo(RefuseReason.SHAPE);
        assertThat(reason(judge(hello -> hello.in(GENERATION + 1).settings(1, 5))))
                .isEqualTo(RefuseReason.SETTINGS);
    }

    @Test
    void shouldNotLetOneHelloEndTheNumbering() {
        assertThat(judge(hello -> hello.in(Formation.GENERATION_LIMIT))).isNull();
        assertThat(reason(judge(hello -> hello.in(Formation.GENERATION_LIMIT + 1))))
                .isEqualTo(RefuseReason.MALFORMED);
        assertThat(reason(judge(hello -> hello.in(Long.MAX_VALUE)))).isEqualTo(RefuseReason.MALFORMED);
    }

    // ---- an index that is held

    /** Case 21: told from one that is dead by an answer to a heartbeat that was sent after the newcomer's first HELLO. */
    @Test
    void shouldSayBusyAtFirstAndDuplicateAfterASignOfLife() {
        Linked holder = join(2);
        assertThat(reason(judge(hello -> hello.as(99)))).isEqualTo(RefuseReason.BUSY);
        assertThat(reason(judge(hello -> hello.as(99)))).isEqualTo(RefuseReason.BUSY);
        holder.script().sendHeartbeat();
        holder.script().sendHeartbeat(NOW_NS, NOW_NS, 1);
        assertThat(reason(judge(hello -> hello.as(99))))
                .as("bytes that may have lain here for long, an echo of what was sent before")
                .isEqualTo(RefuseReason.BUSY);
        holder.script().sendHeartbeat(NOW_NS, NOW_NS + 1, 1);
        Refusal refusal = judge(hello -> hello.as(99));
        assertThat(refusal.reason()).isEqualTo(RefuseReason.DUPLICATE);
        assertThat(refusal.text())
                .contains("processIndex=2 is already held by pid 4702 on host-2 at 10.0.0.2:7000 in generation 7")
                .contains("alive");
    }

    /** This process was suspended itself: that it forgives the silence does not make the holder live. */
    @Test
    void shouldNotTakeForgivenSilenceForASignOfLife() {
        Linked holder = join(2);
        judge(hello -> hello.as(99));
        holder.session().forgive(NOW_NS + 100);
        assertThat(reason(judge(hello -> hello.as(99)))).isEqualTo(RefuseReason.BUSY);
    }

    /** What was read late, behind which the end came: the newcomer is its successor and must not give up. */
    @Test
    void shouldNotTakeTheLastBytesOfADeadHolderForASignOfLife() {
        Linked holder = join(2);
        judge(hello -> hello.as(99));
        holder.script().sendHeartbeat(NOW_NS, NOW_NS + 1, 1);
        holder.session().onEndOfStream();
        assertThat(reason(judge(hello -> hello.as(99)))).isEqualTo(RefuseReason.BUSY);
    }

    /** It has finished and comes again, while this process still waits for others. */
    @Test
    void shouldNotTakeTheLastFrameOfAHolderForASignOfLife() {
        Linked holder = join(2);
        judge(hello -> hello.as(99));
        holder.script().sendHeartbeat(NOW_NS, NOW_NS + 1, 1);
        assertThat(holder.script().sendAbort()).isEqualTo(Session.Verdict.ABORTED);
        assertThat(reason(judge(hello -> hello.as(99)))).isEqualTo(RefuseReason.BUSY);
    }

    @Test
    void shouldAskForANewSignOfLifeForEachNewcomer() {
        Linked holder = join(2);
        assertThat(reason(judge(hello -> hello.as(98)))).isEqualTo(RefuseReason.BUSY);
        holder.script().sendHeartbeat(NOW_NS, NOW_NS + 1, 1);
        assertThat(reason(judge(hello -> hello.as(99)))).isEqualTo(RefuseReason.BUSY);
    }

    @Test
    void shouldReplaceTheConnectionWhenTheSameInstanceComesAgain() {
        Linked first = join(2);
        assertThat(judge(hello -> hello)).isNull();
        Linked second = greeted(2);
        assertThat(formation.onGreeted(second)).isSameAs(first);
        assertThat(formation.isCurrent(first)).isFalse();
        assertThat(formation.isCurrent(second)).isTrue();
    }

    @Test
    void shouldLetANewcomerInOnceTheHolderIsLost() {
        Linked holder = join(2);
        judge(hello -> hello.as(99));
        formation.onLost(holder, "gone", GONE);
        assertThat(judge(hello -> hello.as(99))).isNull();
    }

    /** Of two claimants that live only the one whom all can reach can become complete. */
    @Test
    void shouldTakeTheClaimantAtTheListedAddress() {
        Linked elsewhere = greeted(Hellos.spoken(2, OWN).at("10.0.0.9:7000").hello());
        formation.onGreeted(elsewhere);
        assertThat(reason(judge(hello -> hello.as(98).at("10.0.0.8:7000")))).isEqualTo(RefuseReason.BUSY);
        assertThat(judge(hello -> hello.as(99))).isNull();
        Linked listed = greeted(2, 99);
        assertThat(formation.onGreeted(listed)).isSameAs(elsewhere);
        assertThat(reason(judge(hello -> hello.at("10.0.0.9:7000")))).isEqualTo(RefuseReason.BUSY);
    }

    /** L5: it may have started, and this generation with it. The one at the listed address has to come again, and then comes first. */
    @Test
    void shouldRaiseTheGenerationWhenTheOtherClaimantWasToldReady() {
        Linked elsewhere = greeted(Hellos.spoken(2, OWN).at("10.0.0.9:7000").hello());
        formation.onGreeted(elsewhere);
        Hello listed = Hellos.spoken(2, OWN).as(99).hello();
        assertThat(formation.isTooLateFor(listed)).isFalse();
        elsewhere.session().readyUp();
        assertThat(judge(hello -> hello.as(99))).isNull();
        assertThat(formation.isTooLateFor(listed)).isTrue();
        assertThat(formation.isTooLateFor(elsewhere.session().peer())).isFalse();

        formation.raise(GENERATION + 1);
        assertThat(reason(judge(hello -> hello.as(99)))).isEqualTo(RefuseReason.STALE_GENERATION);
        assertThat(reason(judge(hello -> hello.in(GENERATION + 1).at("10.0.0.9:7000"))))
                .isEqualTo(RefuseReason.BUSY);
        assertThat(judge(hello -> hello.in(GENERATION + 1).as(99))).isNull();
        assertThat(judge(hello -> hello.in(GENERATION + 1).as(100))).isNull();
    }

    /** A process that runs has no place for anybody; it answers so that they try again. */
    @Test
    void shouldBeBusyForEverybodyWhileItRuns() {
        start();
        assertThat(formation.isStarted()).isTrue();
        assertThat(reason(judge(hello -> hello))).isEqualTo(RefuseReason.BUSY);
        assertThat(reason(judge(hello -> hello.in(GENERATION - 1)))).isEqualTo(RefuseReason.BUSY);
        assertThat(reason(judge(hello -> hello.in(GENERATION + 1)))).isEqualTo(RefuseReason.BUSY);
        assertThat(judge(hello -> hello.in(GENERATION + 1)).text()).contains("generation 7 still runs here");
        assertThat(reason(judge(hello -> hello.cluster("cables")))).isEqualTo(RefuseReason.CLUSTER);
    }

    /** Case 21 (a). */
    @Test
    void shouldTellADuplicateFromAReplacementWhileItRuns() {
        start();
        assertThat(reason(judge(hello -> hello.as(99)))).isEqualTo(RefuseReason.BUSY);
        formation.slot(2).link().script().sendHeartbeat(NOW_NS, NOW_NS + 1, 1);
        assertThat(reason(judge(hello -> hello.as(99)))).isEqualTo(RefuseReason.DUPLICATE);
    }

    // ---- generations

    @Test
    void shouldRetireEveryLinkWhenItRaises() {
        Linked zero = join(0);
        Linked two = join(2);
        formation.onPeerReady(zero);
        assertThat(formation.raise(GENERATION + 5)).containsExactlyInAnyOrder(zero, two);
        assertThat(formation.generation()).isEqualTo(GENERATION + 5);
        assertThat(formation.own().nonce()).isEqualTo(Hellos.nonce(OWN));
        assertThat(formation.areAllGreeted()).isFalse();
        assertThat(formation.isCurrent(zero)).isFalse();
        assertThat(formation.onPeerReady(two))
                .as("READY of the older generation")
                .isFalse();
        assertThat(formation.raise(GENERATION + 6)).isEmpty();
    }

    // ---- READY

    @Test
    void shouldBeCompleteOnceEverybodyIsGreetedAndReady() {
        Linked zero = join(0);
        assertThat(formation.areAllGreeted()).isFalse();
        assertThat(formation.onPeerReady(zero)).isFalse();
        Linked two = join(2);
        assertThat(formation.areAllGreeted()).isTrue();
        assertThat(formation.isComplete()).isFalse();
        assertThat(formation.onPeerReady(two)).isTrue();
        formation.start();
        assertThat(formation.isComplete()).as("only once").isFalse();
    }

    @Test
    void shouldForgetReadyWhenTheLinkIsReplacedOrLost() {
        Linked zero = join(0);
        Linked two = join(2);
        formation.onPeerReady(zero);
        Linked again = greeted(0);
        formation.onGreeted(again);
        assertThat(formation.onPeerReady(two)).isFalse();
        assertThat(formation.onPeerReady(zero))
                .as("of a link that was replaced")
                .isFalse();
        assertThat(formation.onPeerReady(again)).isTrue();
        formation.onLost(again, "gone", GONE);
        assertThat(formation.isComplete()).isFalse();
    }

    @Test
    void shouldHaveNothingToWaitForWhenAlone() {
        Formation<Linked> alone = new Formation<>(config(1, 0), Hellos.of(0));
        assertThat(alone.areAllGreeted()).isTrue();
        assertThat(alone.isComplete()).isTrue();
    }

    // ---- losses before the start

    @Test
    void shouldDialAgainWhenALinkIsLostBeforeReadyWasSent() {
        Linked zero = join(0);
        assertThat(formation.onLost(zero, "gone", GONE)).isFalse();
        assertThat(formation.slot(0).link()).isNull();
        assertThat(formation.slot(0).lastError()).isEqualTo("gone");
        assertThat(formation.generation()).isEqualTo(GENERATION);
    }

    /** Its peer may have started, and a generation starts at most once. */
    @Test
    void shouldHaveToRaiseWhenALinkIsLostAfterReadyWasSent() {
        Linked zero = join(0);
        zero.session().readyUp();
        assertThat(zero.script().poll()).isEqualTo(FrameType.READY);
        assertThat(formation.onLost(zero, "gone", GONE)).isTrue();
    }

    @Test
    void shouldHaveToRaiseWhenALinkIsLostAfterAbortWasSent() {
        Linked zero = join(0);
        zero.session().readyUp();
        zero.script().poll();
        zero.session().abort(ScriptedPeer.cause(OWN, 1));
        assertThat(zero.script().poll()).isEqualTo(FrameType.ABORT);
        assertThat(formation.onLost(zero, "gone", GONE)).isTrue();
    }

    @Test
    void shouldLetNoReadyLeaveOnALinkThatIsLost() {
        Linked zero = join(0);
        zero.session().readyUp();
        assertThat(formation.onLost(zero, "gone", GONE)).isFalse();
        assertThat(zero.script().poll()).as("its peer learns the cause").isEqualTo(FrameType.ABORT);
        assertThat(zero.script().polledAbort().sameEvent(GONE)).isTrue();
        assertThat(zero.session().state()).isEqualTo(Session.State.FAILED);
        assertThat(zero.script().poll()).isNull();
    }

    /** ABORT alone is no sign that it may have started. */
    @Test
    void shouldNotHaveToRaiseWhenALinkIsLostOnWhichAbortWasAllThatWasSaid() {
        Linked zero = join(0);
        zero.session().abort(GONE);
        assertThat(zero.script().poll()).isEqualTo(FrameType.ABORT);
        assertThat(formation.onLost(zero, "gone", GONE)).isFalse();
    }

    @Test
    void shouldNotMindTheLossOfALinkThatWasReplaced() {
        Linked first = join(0);
        first.session().readyUp();
        first.script().poll();
        Linked second = greeted(0);
        formation.onGreeted(second);
        assertThat(formation.onLost(first, "gone", GONE)).isFalse();
        assertThat(formation.slot(0).link()).isSameAs(second);
        assertThat(formation.slot(0).lastError()).isEmpty();
    }

    // ---- the report

    /** Case 1: every peer, with its state, its address and its last error. */
    @Test
    void shouldReportEveryPeer() {
        Formation<Linked> forming = new Formation<>(config(5, 2), Hellos.of(2));
        forming.slot(0).onDial();
        forming.slot(0).onDial();
        forming.slot(0).onError("Connection refused");
        forming.slot(1).onDial();
        Linked ready =
                new Linked(new ScriptedPeer(Session.Role.ACCEPTOR, Hellos.of(2), Hellos.of(3), NOW_NS).greeted());
        forming.onGreeted(ready);
        forming.onPeerReady(ready);
        FormationReport report = forming.report("time is up", 3_000_000_000L);
        assertThat(report.peers()).extracting(FormationReport.Peer::process).containsExactly(0, 1, 3, 4);
        assertThat(report.toString().lines())
                .containsExactly(
                        "process 2 could not form generation 7; given up after 3000 ms: time is up",
                        "  process 0 at 10.0.0.0:7000: not connected, we dial it, 2 dials, last error: Connection refused",
                        "  process 1 at 10.0.0.1:7000: not connected, we dial it, 1 dial",
                        "  process 3 at 10.0.0.3:7000: connected and ready",
                        "  process 4 at 10.0.0.4:7000: not connected, it has to dial us");
    }

    @Test
    void shouldReportAPeerWhoseReadyIsMissing() {
        join(2);
        assertThat(formation.report("", 0).toString())
                .contains("process 2 at 10.0.0.2:7000: connected, waiting for its READY");
    }

    @Test
    void shouldForgetTheErrorsOfAPeerThatCame() {
        formation.slot(2).onError("Connection refused");
        join(2);
        assertThat(formation.slot(2).lastError()).isEmpty();
    }

    /** Whoever gave up says why; that nobody listens there any more is only what follows from it. */
    @Test
    void shouldKeepWhatAPeerSaidWhenItLeftThroughTheErrorsOfLaterDials() {
        Linked zero = join(0);
        formation.onLost(
                zero,
                "it gave up: time is up",
                Cause.builder(CauseKind.FORMATION_ABANDONED)
                        .subjectProcess(0)
                        .observerProcess(0)
                        .generation(GENERATION)
                        .observedAtEpochMs(1)
                        .seen("time is up")
                        .build());
        assertThat(formation.slot(0).lastError()).isEqualTo("it gave up: time is up");
        formation.slot(0).onError("Connection refused");
        assertThat(formation.slot(0).lastError()).isEqualTo("it gave up: time is up; since then: Connection refused");
        join(0);
        assertThat(formation.slot(0).lastError()).isEmpty();
    }

    @Test
    void shouldHaveNoSlotForItself() {
        assertThat(formation.slot(OWN)).isNull();
        assertThat(formation.slot(0).process()).isZero();
    }
}
