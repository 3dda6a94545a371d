package io.hawser.transport;

import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;

/**
 * A link that this process wants: where to, how long it is tried, and how far that has come.
 *
 * <p><em>Threading:</em> the greet thread only, but for what is final.
 */
final class LinkDial {
    /** Looking up, connecting and greeting, and hearing READY: each gets a hello time-out. */
    private static final int ATTEMPT_PARTS = 2;

    private final Endpoint address;
    private final LinkAcceptor acceptor;
    private final CompletableFuture<PeerLink> result = new CompletableFuture<>();
    private final long startedNs;
    private final long deadlineNs;
    private final long attemptNs;
    private final long backoffMaxNs;
    private final Queue<InetSocketAddress> others = new ArrayDeque<>();
    private boolean isWaiting = true;
    private long attemptedNs;
    private long dueNs;
    private long backoffNs;
    private int attempts;
    private String lastError = "";

    /** Greeted, and not started yet; null if there is none. */
    private LinkFormation formation;

    /**
     * A link that is wanted.
     *
     * @param withinNs how long attempts are begun, ns; the first one is begun in any case
     */
    LinkDial(Endpoint address, LinkAcceptor acceptor, ClusterConfig config, long withinNs, long nowNs) {
        this.address = address;
        this.acceptor = acceptor;
        this.startedNs = nowNs;
        this.deadlineNs = nowNs + withinNs;
        this.attemptNs = ATTEMPT_PARTS * config.helloTimeoutNs();
        this.dueNs = nowNs;
        this.backoffNs = config.dialBackoffMinNs();
        this.backoffMaxNs = config.dialBackoffMaxNs();
    }

    Endpoint address() {
        return address;
    }

    LinkAcceptor acceptor() {
        return acceptor;
    }

    CompletableFuture<PeerLink> result() {
        return result;
    }

    LinkFormation formation() {
        return formation;
    }

    void formation(LinkFormation greeted) {
        formation = greeted;
    }

    boolean isDue(long nowNs) {
        return isWaiting && nowNs - dueNs >= 0 && !isTooLate(nowNs);
    }

    boolean isTooLate(long nowNs) {
        return attempts > 0 && nowNs - endNs() >= 0;
    }

    /** No attempt begins after the deadline; one that has begun may end. */
    private long endNs() {
        long attemptEndNs = attemptedNs + attemptNs;
        return isWaiting || attemptEndNs - deadlineNs < 0 ? deadlineNs : attemptEndNs;
    }

    /** {@return when something is due, or the given time if that is earlier} */
    long nextNs(long latestNs) {
        long nextNs = endNs() - latestNs < 0 ? endNs() : latestNs;
        return isWaiting && dueNs - nextNs < 0 ? dueNs : nextNs;
    }

    /** An attempt begins: its name is being looked up. */
    void onAttempt(long nowNs) {
        isWaiting = false;
        attemptedNs = nowNs;
        attempts++;
    }

    void onFound(Collection<InetSocketAddress> addresses) {
        others.addAll(addresses);
    }

    /** {@return the next address of this attempt, null if all have been tried} */
    InetSocketAddress nextAddress() {
        return others.poll();
    }

    void onError(String error) {
        lastError = error;
    }

    /**
     * The attempt has failed: again after the back-off, between half of it and all of it.
     *
     * @param part random, 0…1
     */
    void onFailed(long nowNs, double part) {
        formation = null;
        others.clear();
        isWaiting = true;
        dueNs = nowNs + backoffNs / 2 + (long) (part * backoffNs / 2);
        backoffNs = Math.min(backoffNs * 2, backoffMaxNs);
    }

    /** {@return what to say when it is given up} */
    String report(String why, long nowNs) {
        return "no link to " + address + " after " + (nowNs - startedNs) / 1_000_000 + " ms and " + attempts
                + (attempts == 1 ? " attempt: " : " attempts: ") + why
                + (lastError.isEmpty() || why.equals(lastError) ? "" : "; last error: " + lastError);
    }
}
