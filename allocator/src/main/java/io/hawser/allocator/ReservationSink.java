package io.hawser.allocator;

import io.hawser.framing.CancelAnswer;
import io.hawser.framing.RejectPolicy;

/**
 * What {@link Reservations} wants done: three answers to asking processes, and the start of a task. Calls must not come back into the reservations before they return, and must not throw.
 *
 * <p><em>Threading:</em> called by the thread that calls the reservations.
 */
interface ReservationSink {
    /** ACCEPT: the place is kept for so long from now on. */
    void accept(int askingProcess, long dataflowId, long attemptId, long holdNs);

    /** REJECT, of a START, or of a GO: then nothing has run, and nothing will. */
    void reject(
            int askingProcess, long dataflowId, long attemptId, RejectPolicy policy, int retryAfterMs, String reason);

    /** CANCELLED: what became of a release. */
    void cancelled(int askingProcess, long dataflowId, long attemptId, CancelAnswer answer);

    /** Runs the task. {@link Reservations#onTaskEnded} has to follow when it has ended, however it did, and also if its dataflow has ended before it could begin. */
    void start(GoAhead goAhead);
}
