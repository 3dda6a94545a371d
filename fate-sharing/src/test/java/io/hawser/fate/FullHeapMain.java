package io.hawser.fate;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** Run in a JVM of its own: fills the heap to the last byte, loses health for the first time in its life, and tells. */
final class FullHeapMain {
    private static final int WORKER_COUNT = 4;
    private static final Object[] HOARD = new Object[10_000_000];

    private FullHeapMain() {}

    public static void main(String[] args) throws InterruptedException {
        Health cluster = Health.root("cluster");
        Health query = cluster.child("query");
        AtomicInteger awakeCount = new AtomicInteger();
        Thread[] workers = new Thread[WORKER_COUNT];
        for (int i = 0; i < WORKER_COUNT; i++) {
            Health scope = i % 2 == 0 ? cluster : query;
            workers[i] = new Thread(() -> work(scope, awakeCount), "worker-" + i);
            workers[i].setDaemon(true);
            workers[i].start();
        }
        PreparedCause prepared = Cause.builder(CauseKind.THREAD_FAILED)
                .subjectProcess(0)
                .observerProcess(0)
                .generation(1)
                .seen("in the thread that hoards")
                .prepare();

        // the JVM needs memory to resolve the class in a catch clause for the first time: that is this test's own
        // affair
        fill(0, Integer.MAX_VALUE);
        OutOfMemoryError error = hoard();
        boolean isLost = false;
        try {
            // nobody may need memory to come out; nor may this method, so no class or literal in it is used for the
            // first time
            isLost = cluster.lose(prepared.complete(Clock.system().epochMs(), error));
            for (Thread worker : workers) {
                worker.join(10_000);
            }
        } finally {
            release();
            System.out.println("lost=" + isLost + " awake=" + awakeCount + ": " + query.rootCause());
        }
    }

    private static void work(Health scope, AtomicInteger awakeCount) {
        try (WakeupRegistration registration = scope.addThread(Thread.currentThread())) {
            while (!scope.isLost()) {
                LockSupport.park(registration);
            }
        }
        awakeCount.incrementAndGet();
    }

    private static OutOfMemoryError hoard() {
        OutOfMemoryError last = null;
        int count = 0;
        for (int length = 1 << 20; length > 0; length /= 2) {
            OutOfMemoryError full = null;
            while (full == null && count < HOARD.length) {
                full = fill(count++, length);
            }
            last = full;
        }
        return last;
    }

    private static void release() {
        for (int i = 0; i < HOARD.length; i++) {
            HOARD[i] = null;
        }
    }

    private static OutOfMemoryError fill(int index, int length) {
        try {
            HOARD[index] = new byte[length];
            return null;
        } catch (OutOfMemoryError full) {
            return full;
        }
    }
}
