package io.hawser.tests.harness;

import io.hawser.testkit.Deadline;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * The length of a fault, or of a time in which nothing must happen. Never a wait for something: for that there is
 * {@link Deadline#await}.
 *
 * <p><em>Threading:</em> any thread.
 */
public final class Pause {
    private Pause() {}

    /** Returns after this time, not earlier. */
    public static void of(final Duration time) {
        final long startNs = System.nanoTime();
        long leftNs = time.toNanos();
        while (leftNs > 0) {
            LockSupport.parkNanos(leftNs);
            leftNs = time.toNanos() - (System.nanoTime() - startNs);
        }
    }
}
