package io.hawser.transport;

import io.hawser.fate.Cause;
import io.hawser.framing.FrameEncoder;
import io.hawser.framing.HangupFlyweight;
import io.hawser.framing.ReadyFlyweight;
import io.hawser.framing.RefuseReason;
import java.util.List;

/** The product, and the product with one thing left out, which the checkers of the simulation have to notice. */
enum Mutant {
    /** The product as it is. */
    NONE,
    /** HANGUP's totals are believed. */
    TOTALS_UNCHECKED,
    /** The end of a stream is taken for its clean end, whatever came before it. */
    END_IS_CLEAN,
    /** Nobody looks at generations. */
    GENERATIONS_UNCHECKED,
    /** After a loss that a peer may have seen as the end of a started cluster the same generation is formed again. */
    GENERATION_KEPT,
    /** Who has greeted everybody starts without their READY. */
    BARRIER_OPEN,
    /** What happens to the links of an attempt that was given up counts. */
    RETIRED_HEARD,
    /** A better cause is not passed on. */
    CAUSES_UNSETTLED,
    /** A peer that has said why counts as heard out before its cause is considered, so that the watch may settle without that. */
    HEARD_OUT_EARLY,
    /** Who has stood still itself blames others for the silence. */
    PAUSE_UNFORGIVEN,
    /** Send threads are not woken at the loss. */
    SENDER_UNWOKEN,
    /** Receive threads that hold data back are not woken at the start. */
    RECEIVER_UNWOKEN,
    /** A sending half that fails when the receiving one has ended cleanly is nobody's business. */
    LATE_FAILURE_UNJUDGED,
    /** Nobody tells what the dead have said about dataflows. */
    WORDS_UNTOLD;

    Session session(Session.Role role, Hello own, FrameEncoder encoder, long nowNs) {
        return switch (this) {
            case TOTALS_UNCHECKED ->
                new Session(role, own, encoder, nowNs) {
                    @Override
                    boolean hasAllArrived(HangupFlyweight hangUp) {
                        return true;
                    }

                    @Override
                    boolean hasAllBeenReceived(HangupFlyweight hangUp) {
                        return true;
                    }
                };
            case GENERATIONS_UNCHECKED ->
                new Session(role, own, encoder, nowNs) {
                    @Override
                    boolean isForUs(ReadyFlyweight ready) {
                        return true;
                    }
                };
            case END_IS_CLEAN ->
                new Session(role, own, encoder, nowNs) {
                    private boolean isOver;

                    @Override
                    Verdict onEndOfStream() {
                        isOver = true;
                        super.onEndOfStream();
                        return Verdict.ENDED;
                    }

                    @Override
                    Stage received() {
                        return isOver ? Stage.CONFIRMED : super.received();
                    }

                    @Override
                    State state() {
                        return isOver ? State.CLOSED : super.state();
                    }
                };
            default -> new Session(role, own, encoder, nowNs);
        };
    }

    Refusal judge(Formation<?> formation, Hello theirs, Session.Role role, int target, long nowNs) {
        Refusal refusal = formation.judge(theirs, role, target, nowNs);
        boolean isIgnored =
                this == GENERATIONS_UNCHECKED && refusal != null && refusal.reason() == RefuseReason.STALE_GENERATION;
        return isIgnored ? null : refusal;
    }

    boolean isNewer(Formation<?> formation, Hello theirs) {
        return this != GENERATIONS_UNCHECKED && formation.isNewer(theirs);
    }

    boolean isComplete(Formation<?> formation) {
        return this == BARRIER_OPEN ? formation.areAllGreeted() && !formation.isStarted() : formation.isComplete();
    }

    boolean isRaising() {
        return this != GENERATION_KEPT;
    }

    boolean isDeafTo(SimulatedMesh.Link link) {
        return link.isRetired() && this != RETIRED_HEARD;
    }

    List<Runnable> whenAborted(Runnable considered, Runnable heardOut) {
        return this == HEARD_OUT_EARLY ? List.of(heardOut, considered) : List.of(considered, heardOut);
    }

    void forgive(Session session, long nowNs) {
        if (this != PAUSE_UNFORGIVEN) {
            session.forgive(nowNs);
        }
    }

    void wakeAtLoss(SimulatedMesh.Link link) {
        link.wakeReceiver();
        if (this != SENDER_UNWOKEN) {
            link.wakeSender();
        }
    }

    void wakeAtStart(SimulatedMesh.Link link) {
        if (this != RECEIVER_UNWOKEN) {
            link.wakeReceiver();
        }
    }

    boolean isJudgingLate() {
        return this != LATE_FAILURE_UNJUDGED;
    }

    void relay(Scopes scopes) {
        if (this != WORDS_UNTOLD) {
            scopes.relay();
        }
    }

    void settle(Session session, Cause earliest, Cause root) {
        if (this == CAUSES_UNSETTLED) {
            session.shut();
        } else {
            session.settle(earliest, root);
        }
    }
}
