package io.hawser.transport;

import io.hawser.fate.CauseKind;
import java.util.concurrent.TimeUnit;

/**
 * Tells the peers when this JVM is being ended, by System.exit or a signal, so that they need not take it for a crash. It loses
 * health and waits, bounded, for ABORT to leave; it joins no thread, so System.exit may be called from any.
 *
 * <p><em>Threading:</em> {@link #run} is the body of the hook's thread; the rest by the thread that forms, and by the last one of the mesh.
 */
final class ExitHook implements Runnable {
    private static final long SLACK_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private final MeshCore mesh;
    private final long waitNs;
    /** Made here and not by the thread factory: {@link Runtime} wants a thread of its own that nobody has started, and starts it itself. */
    private final Thread thread = new Thread(this, "hawser-exit-hook");

    ExitHook(MeshCore mesh, long abortTimeoutNs) {
        this.mesh = mesh;
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
        mesh.health()
                .lose(mesh.causeHere(CauseKind.PROCESS_EXITING)
                        .seen("the JVM is being shut down, by System.exit, a signal or the end of its last thread")
                        .build());
        if (mesh.health().isLost()) { // by this exit or just before it: either way ABORT is on its way
            mesh.awaitLinksEnded(waitNs);
        }
    }
}
