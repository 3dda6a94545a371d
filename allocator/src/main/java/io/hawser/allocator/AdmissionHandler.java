package io.hawser.allocator;

/**
 * Decides which work a process takes, before any side effect. Who keeps books is told when a place that it has given is used, and when it is free again.
 *
 * <p><em>Threading:</em> called by one thread at a time, an I/O-side thread, never a worker's. Must not block: everything else that this thread has to do waits meanwhile.
 */
@FunctionalInterface
public interface AdmissionHandler {
    /**
     * Somebody asks. Not called while the process drains, or has as many reservations open as it may have: that is answered for it.
     *
     * <p>What this throws is a rejection with the throwable's text, policy elsewhere, and a line in the log.
     *
     * @param request what is asked; may be kept
     * @return the answer, not null
     */
    Admission onStart(StartRequest request);

    /**
     * The go-ahead for work that {@link #onStart} has accepted has come; its task begins. Not called for work whose reservation ends without. What this throws is logged.
     *
     * @param request the very object that was accepted
     */
    default void onGo(final StartRequest request) {}

    /**
     * Work that {@link #onStart} has accepted takes its place no longer: its task has ended, or its reservation was released, has expired, or is freed because the asking process is lost or the
     * dataflow cancelled. Called exactly once for each that was accepted. What this throws is logged.
     *
     * @param request  the very object that was accepted
     * @param hasBegun whether its go-ahead had come: its task may have had side effects
     */
    default void onEnd(final StartRequest request, final boolean hasBegun) {}
}
