package io.hawser.allocator;

/**
 * What each worker of a cluster does.
 *
 * <p><em>Threading:</em> called once for each local worker, in the worker's own thread, so several calls run at once.
 *
 * @param <R> the type of what a worker ends with
 */
@FunctionalInterface
public interface WorkerFunction<R> {
    /**
     * Runs one worker. Returning is the worker's end: what it has pushed is flushed, what arrives for it later is dropped. Throwing
     * anything, an {@link InterruptedException} included, is a panic and ends the whole cluster; only to let the
     * {@link io.hawser.fate.HealthLostException} of a cluster that is already lost pass through is none.
     *
     * @param worker which worker it is, to be used by this thread and during this call only
     * @return the worker's result, may be null
     * @throws Exception whatever went wrong
     */
    R apply(Worker worker) throws Exception;
}
