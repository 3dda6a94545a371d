package io.hawser.jmh.peers;

import java.util.concurrent.CountDownLatch;

/**
 * The end of a load, reached on one thread and waited for on another.
 *
 * <p><em>Threading:</em> safe.
 */
final class Ending {
    private final CountDownLatch latch = new CountDownLatch(1);
    private volatile boolean isReached;

    /** Says that it is reached; what this thread wrote before is seen by whoever learns of it. */
    void reach() {
        isReached = true;
        latch.countDown();
    }

    boolean isReached() {
        return isReached;
    }

    /** Waits without limit: the process itself has a deadline. */
    void await() throws InterruptedException {
        latch.await();
    }
}
