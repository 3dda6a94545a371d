package io.hawser.fate;

/**
 * Something registered, until it is closed.
 *
 * <p><em>Threading:</em> any thread.
 */
public interface Registration extends AutoCloseable {
    /** Ends the registration. Idempotent; waits for nothing, so a call that has begun may still be running afterwards. */
    @Override
    void close();
}
