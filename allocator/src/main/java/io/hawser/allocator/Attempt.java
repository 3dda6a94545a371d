package io.hawser.allocator;

/**
 * One question to one worker, as its coordinator sees it.
 *
 * <pre>
 *   OFFERED --ACCEPT--> ACCEPTED --GO sent--> WENT --REJECT--> OVER
 *      |  \--REJECT--> OVER       \--released--> OVER
 *      +--released--> GIVEN_UP --ACCEPT, released again, or REJECT--> OVER
 * </pre>
 *
 * <p>Every other answer is against the protocol.
 *
 * <p><em>Threading:</em> one thread.
 */
final class Attempt {
    enum State {
        OFFERED,
        ACCEPTED,
        WENT,
        GIVEN_UP,
        OVER
    }

    final long id;
    final TaskAttempts task;
    final int candidate;
    final int worker;
    final int process;
    final long sentNs;

    State state = State.OFFERED;

    /** How long the reservation holds; counted from when the question left, since it was made later. */
    long holdNs;

    Attempt(
            final long id,
            final TaskAttempts task,
            final int candidate,
            final int worker,
            final int process,
            final long sentNs) {
        this.id = id;
        this.task = task;
        this.candidate = candidate;
        this.worker = worker;
        this.process = process;
        this.sentNs = sentNs;
    }

    boolean hasLapsed(final long nowNs) {
        return nowNs - sentNs >= holdNs;
    }
}
