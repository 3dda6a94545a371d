package io.hawser.transport;

import io.hawser.framing.CancelAnswer;
import io.hawser.framing.RejectPolicy;
import org.agrona.DirectBuffer;

/**
 * What processes say to each other about work that is offered: the same shape for what is said to a peer ({@link Mesh#admission()}) and for what a peer says ({@link MeshReceiver#admission()}). Each call is one frame, which waits
 * for no data and no credit; those to one process arrive in order.
 *
 * <p>Who decides what, and what follows what, is the matter of whoever builds on it; the transport carries it and knows no more than PROTOCOL.md, "Admission", says of single frames.
 *
 * <p><em>Threading:</em> any thread, and nothing blocks, when something is said; the receive thread of the peer when something is heard, which must not be kept waiting.
 */
public interface AdmissionWire {

    /** Hears nothing, and so never answers. */
    AdmissionWire DEAF = new AdmissionWire() {
        @Override
        public void start(
                final int peer,
                final long scopeId,
                final long attemptId,
                final int targetWorker,
                final int weight,
                final int priority,
                final DirectBuffer payload,
                final int offset,
                final int length) {
            // nobody answers
        }

        @Override
        public void accept(final int peer, final long scopeId, final long attemptId, final long holdNs) {
            // nobody asked
        }

        @Override
        public void reject(
                final int peer,
                final long scopeId,
                final long attemptId,
                final RejectPolicy policy,
                final int retryAfterMs,
                final String reason) {
            // nobody asked
        }

        @Override
        public void go(
                final int peer,
                final long scopeId,
                final long attemptId,
                final DirectBuffer plan,
                final int offset,
                final int length) {
            // nothing was accepted
        }

        @Override
        public void release(final int peer, final long scopeId, final long attemptId) {
            // nothing was accepted
        }

        @Override
        public void released(final int peer, final long scopeId, final long attemptId, final CancelAnswer answer) {
            // nothing was accepted
        }
    };

    /**
     * START: will a worker take this work?
     *
     * @param peer         index of the other process
     * @param scopeId      the dataflow
     * @param attemptId    the asking process's number of this attempt, not 0
     * @param targetWorker global index of the worker, one of the asked process
     * @param weight       how much work it is
     * @param priority     how urgent it is
     * @param payload      that holds what else is told; copied
     * @param offset       of it
     * @param length       of it in bytes
     */
    void start(
            int peer,
            long scopeId,
            long attemptId,
            int targetWorker,
            int weight,
            int priority,
            DirectBuffer payload,
            int offset,
            int length);

    /**
     * ACCEPT: yes, reserved.
     *
     * @param peer      index of the other process
     * @param scopeId   the dataflow
     * @param attemptId the attempt
     * @param holdNs    how long the reservation holds, ns
     */
    void accept(int peer, long scopeId, long attemptId, long holdNs);

    /**
     * REJECT: no; of a START, or of a GO, which has started nothing then.
     *
     * @param peer         index of the other process
     * @param scopeId      the dataflow
     * @param attemptId    the attempt
     * @param policy       where to try again
     * @param retryAfterMs when to try again here, ms
     * @param reason       why; what is beyond 512 bytes of UTF-8 is cut off
     */
    void reject(int peer, long scopeId, long attemptId, RejectPolicy policy, int retryAfterMs, String reason);

    /**
     * GO: begin.
     *
     * @param peer      index of the other process
     * @param scopeId   the dataflow
     * @param attemptId the attempt
     * @param plan      that holds the plan; copied
     * @param offset    of it
     * @param length    of it in bytes
     */
    void go(int peer, long scopeId, long attemptId, DirectBuffer plan, int offset, int length);

    /**
     * CANCEL of one attempt: its reservation is not needed any more.
     *
     * @param peer      index of the other process
     * @param scopeId   the dataflow
     * @param attemptId the attempt
     */
    void release(int peer, long scopeId, long attemptId);

    /**
     * CANCELLED of one attempt: the answer to {@link #release}; and, unasked, ALREADY_DONE when its task has ended.
     *
     * @param peer      index of the other process
     * @param scopeId   the dataflow
     * @param attemptId the attempt
     * @param answer    what became of it
     */
    void released(int peer, long scopeId, long attemptId, CancelAnswer answer);
}
