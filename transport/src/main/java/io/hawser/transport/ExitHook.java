package io.hawser.transport;

import java.util.concurrent.TimeUnit;

/**
 * Tells the peers when this JVM is being ended, by System.exit or a signal, so that they need not take it for a crash. It loses
 * health and waits, bounded, for ABORT to leave; it joins no thread, so System.exit may be called from any.
 *
 * <p><em>Threading:</em> {@link #run} is the body of the hook's thread; the rest by the thread that forms, and by the last one of the mesh.
 */
final class ExitHook implements Runnable {
    private static final long SLACK_NS = TimeUnit.MILLISECONDS.toNanos(100);

    /** What leaves with the process. */
    interface Party {
        /** Loses health with this process's exit as the cause; returns whether there is anything to wait for. */
        boolean leave();

        /** Waits, bounded, without interest in who interrupts. */
        void awaitLinksEnded(long timeoutNs);
    }

    private final Party party;
    private final long waitNs;

    /** Made here and not by the thread factory: {@link Runtime} wants a thread of its own that nobody has started, and starts it itself. */
    private final Thread thread = new Thread(this, "hawser-exit-hook");

    ExitHook(Party party, long abortTimeoutNs) {
        this.party = party;
        this.waitNs = abortTimeoutNs + SLACK_NS;
    }

    void register() {
        try {
            Runtime.getRuntime().addShutdownHook(thread);
        } catch (IllegalStateException e) {
            // the JVM is ending already: the cause is known, and the mesh will not outlive it
            run();
        }
    }

    void unregister() {
        try {
            Runtime.getRuntime().removeShutdownHook(thread);
        } catch (IllegalStateException e) {
            Logs.HEALTH.trace("the exit hook runs already", e);
        }
    }

    @Override
    public void run() {
        if (party.leave()) {
            party.awaitLinksEnded(waitNs);
        }
    }
}
