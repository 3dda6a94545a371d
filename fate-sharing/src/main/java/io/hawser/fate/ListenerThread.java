package io.hawser.fate;

import java.util.Objects;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One user listener and its thread, which waits for the loss, the end, or the close of the registration. */
final class ListenerThread implements Registration, Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(ListenerThread.class);

    private final Health health;
    private final String name;
    private final HealthListener listener;

    // both set before the thread starts
    private Thread thread;
    private WakeupRegistration wakeup;

    private volatile boolean isClosed;

    private ListenerThread(Health health, String name, HealthListener listener) {
        this.health = health;
        this.name = ScopeName.check(name, "listenerName");
        this.listener = Objects.requireNonNull(listener, "listener");
    }

    static ListenerThread start(Health health, ThreadFactory factory, String name, HealthListener listener) {
        ListenerThread registration = new ListenerThread(health, name, listener);
        Thread thread = Objects.requireNonNull(factory.newThread(registration), "the thread factory made no thread");
        thread.setName("hawser-" + health.name() + "-listener-" + name);
        thread.setDaemon(true);
        registration.thread = thread;
        registration.wakeup = health.register(() -> LockSupport.unpark(thread), true);
        boolean isStarted = false;
        try {
            thread.start();
            isStarted = true;
        } finally {
            if (!isStarted) {
                registration.close();
            }
        }
        return registration;
    }

    @Override
    public void run() {
        while (!isClosed && health.state() == HealthState.HEALTHY) {
            LockSupport.park(this);
            // an interrupt is nobody's way to end this thread, and would make park return for ever
            Thread.interrupted();
        }
        wakeup.close();
        if (!isClosed && health.isLost()) {
            call();
        }
    }

    @Override
    public void close() {
        isClosed = true;
        wakeup.close();
        LockSupport.unpark(thread);
    }

    private void call() {
        try {
            listener.onHealthLost(health.rootCause());
        } catch (Throwable isolated) {
            LOG.warn("listener {} of scope {} threw; nobody else is affected", name, health.name(), isolated);
        }
    }
}
