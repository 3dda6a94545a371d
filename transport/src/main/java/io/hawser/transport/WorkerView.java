package io.hawser.transport;

/**
 * What can be seen of a worker from outside, without its help: whether it steps, whether its own code runs, in which dataflow, and where it stands.
 *
 * <p><em>Threading:</em> any thread. Only {@link #stack()} may take long.
 */
public interface WorkerView {
    /**
     * How far it has got.
     *
     * @return a number that grows with each of its calls into the library
     */
    long progress();

    /**
     * Whether its own code runs.
     *
     * @return a number that changes whenever it begins or ends to wait within the library: even while its own code runs, odd while it waits, has not begun, or has ended
     */
    long phase();

    /**
     * In which dataflow it runs a step. Who reads {@link #progress()} before and after, and finds it unchanged, knows the dataflow of that very step.
     *
     * @return the id of the innermost, 0 if none
     */
    long scopeId();

    /**
     * Where its code stands. That needs the worker's thread to come to a point where the machine can look at it, which may be never.
     *
     * @return the innermost call first, without those of the library around its code; empty if it does not run
     */
    StackTraceElement[] stack();
}
