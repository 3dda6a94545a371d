package io.hawser.fate;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A wake-up that waits for health to be lost. It runs at most once, however registration, loss and closing interleave.
 *
 * <p><em>Threading:</em> any thread.
 */
public final class WakeupRegistration implements Registration {
    private final CopyOnWriteArray<WakeupRegistration> home;
    private final Wakeup wakeup;
    private final boolean isForEndToo;

    /** Claimed by whoever runs the wake-up, or by close. */
    private final AtomicBoolean isClaimed = new AtomicBoolean();

    WakeupRegistration(CopyOnWriteArray<WakeupRegistration> home, Wakeup wakeup, boolean isForEndToo) {
        this.home = home;
        this.wakeup = wakeup;
        this.isForEndToo = isForEndToo;
    }

    /** Takes the wake-up back. Idempotent; if it has begun to run in another thread, it is not waited for. */
    @Override
    public void close() {
        isClaimed.set(true);
        home.remove(this);
    }

    boolean isForEndToo() {
        return isForEndToo;
    }

    /** Runs the wake-up unless it has run or was closed; false if it threw. */
    boolean fire() {
        if (!isClaimed.compareAndSet(false, true)) {
            return true;
        }
        try {
            wakeup.wake();
            return true;
        } catch (Throwable isolated) {
            return false;
        }
    }
}
