package io.hawser.transport;

import java.nio.channels.ClosedChannelException;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;

/**
 * The connections that are not greeted yet, in the order in which they came. Those that were accepted are bounded in number, all of
 * them in time.
 *
 * <p><em>Threading:</em> the greet thread only.
 */
final class Callers {
    private final Selector selector;
    private final StrangerLog strangers;
    private final int unidentifiedLimit;
    private final List<Caller> callers = new ArrayList<>();

    Callers(Selector selector, StrangerLog strangers, int unidentifiedLimit) {
        this.selector = selector;
        this.strangers = strangers;
        this.unidentifiedLimit = unidentifiedLimit;
    }

    /** Attends to a connection from now on. */
    void add(Caller caller, int interestOps) throws ClosedChannelException {
        caller.channel().register(selector, interestOps, caller);
        callers.add(caller);
    }

    /** The oldest unidentified caller makes room for the newest: those that mean it speak at once. */
    void evictIfCrowded(long nowNs) {
        int accepted = 0;
        Caller oldest = null;
        for (Caller caller : callers) {
            if (!caller.isDialled()) {
                accepted++;
                oldest = oldest == null ? caller : oldest;
            }
        }
        if (accepted >= unidentifiedLimit) {
            strangers.onEvicted(oldest, nowNs);
            forget(oldest);
        }
    }

    /** It is greeted: its socket belongs to a link from now on. */
    void release(Caller caller) {
        callers.remove(caller);
        caller.channel().keyFor(selector).cancel();
    }

    void forget(Caller caller) {
        callers.remove(caller);
        Quietly.close(caller.channel());
    }

    /** What we dialled is of no use any more. */
    void forgetDialled() {
        for (Caller caller : List.copyOf(callers)) {
            if (caller.isDialled()) {
                forget(caller);
            }
        }
    }

    /** {@return those whose time is over} */
    List<Caller> expired(long nowNs) {
        List<Caller> expired = List.of();
        for (Caller caller : callers) {
            if (nowNs - caller.deadlineNs() >= 0) {
                expired = expired.isEmpty() ? new ArrayList<>() : expired;
                expired.add(caller);
            }
        }
        return expired;
    }

    /** {@return when the first of them expires, or the given time if that is earlier} */
    long nextNs(long latestNs) {
        long nextNs = latestNs;
        for (Caller caller : callers) {
            nextNs = caller.deadlineNs() - nextNs < 0 ? caller.deadlineNs() : nextNs;
        }
        return nextNs;
    }

    void forgetAll() {
        List.copyOf(callers).forEach(this::forget);
    }
}
