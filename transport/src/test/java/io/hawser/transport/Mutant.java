package io.hawser.transport;

import io.hawser.fate.Cause;
import io.hawser.framing.FrameEncoder;
import io.hawser.framing.HangupFlyweight;
import io.hawser.framing.ReadyFlyweight;
import io.hawser.framing.RefuseReason;

/** The product, and the product with one thing left out, which the checkers of the simulation have to notice. */
enum Mutant {
    /** The product as it is. */
    NONE,
    /** HANGUP's totals are believed. */
    TOTALS_UNCHECKED,
    /** Nobody looks at generations. */
    GENERATIONS_UNCHECKED,
    /** A better cause is not passed on. */
    CAUSES_UNSETTLED,
    /** Nobody tells what the dead have said about dataflows. */
    WORDS_UNTOLD;

    Session session(Session.Role role, Hello own, long nowNs) {
        return switch (this) {
            case TOTALS_UNCHECKED ->
                new Session(role, own, new FrameEncoder(), nowNs) {
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
                new Session(role, own, new FrameEncoder(), nowNs) {
                    @Override
                    boolean isForUs(ReadyFlyweight ready) {
                        return true;
                    }
                };
            default -> new Session(role, own, new FrameEncoder(), nowNs);
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

    void relay(Scopes scopes) {
        if (this != WORDS_UNTOLD) {
            scopes.relay();
        }
    }

    void settle(Session session, Cause root) {
        if (this == CAUSES_UNSETTLED) {
            session.shut();
        } else {
            session.settle(root);
        }
    }
}
