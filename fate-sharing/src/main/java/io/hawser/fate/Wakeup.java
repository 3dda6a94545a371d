package io.hawser.fate;

/**
 * Something to be done at once when health is lost: unpark a thread, close a channel, set a flag. For code of the engine
 * and the transport; user code takes a {@link HealthListener}.
 *
 * <p><em>Threading:</em> run by the thread that loses health, before that thread does anything else.
 */
@FunctionalInterface
public interface Wakeup {
    /**
     * Wakes whatever waits. Must neither block nor throw, and must allocate nothing, because the heap may be full. What
     * it throws is swallowed and counted.
     */
    void wake();
}
