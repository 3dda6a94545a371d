package io.hawser.tests.child;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** How a process or one of its workers comes to a bad end by itself. */
enum Misdeed {
    /** A worker throws an unchecked exception. */
    THROW {
        @Override
        void commit(final long run) {
            throw new IllegalStateException("thrown on purpose");
        }
    },
    /** A worker throws a checked exception. */
    THROW_CHECKED {
        @Override
        void commit(final long run) throws Exception {
            throw new java.io.IOException("thrown on purpose");
        }
    },
    /** A worker overflows its stack. */
    OVERFLOW_STACK {
        @Override
        void commit(final long run) {
            throw new AssertionError("no overflow: depth=" + descend(0));
        }
    },
    /** A worker fills the heap, which stays full for a while. */
    FILL_HEAP {
        @Override
        void commit(final long run) {
            isShort = true;
            startEmptying(run);
            for (int length = 1 << 20; length >= 16; length /= 4) {
                fill(length);
            }
            isFull = true;
            // nothing is left, not even for this
            FILLING.add(new byte[1 << 20]);
            throw new AssertionError("the heap is not full");
        }
    },
    /** The JVM is asked to exit with status 0. */
    EXIT(false) {
        @Override
        void commit(final long run) {
            System.exit(0);
        }
    },
    /** A worker asks the JVM to exit, and waits for that, as System.exit does. */
    EXIT_IN_WORKER {
        @Override
        void commit(final long run) {
            System.exit(5);
        }
    },
    /** The JVM ends at once, without hooks. */
    HALT(false) {
        @Override
        void commit(final long run) {
            Runtime.getRuntime().halt(3);
        }
    };

    private static final long FULL_FOR_NS = TimeUnit.SECONDS.toNanos(1);
    private static volatile boolean isFull;
    private static volatile boolean isShort;
    private static final List<byte[]> FILLING = Collections.synchronizedList(new ArrayList<>(1 << 18));

    private final boolean isWorkers;

    Misdeed() {
        this(true);
    }

    Misdeed(final boolean isWorkers) {
        this.isWorkers = isWorkers;
    }

    /** Whether a worker commits it, within its work. */
    boolean isWorkers() {
        return isWorkers;
    }

    abstract void commit(long run) throws Exception;

    /** Waits until there is memory again; nothing can be reported before. */
    static void awaitMemory() {
        while (isShort) {
            LockSupport.parkNanos(FULL_FOR_NS / 100);
        }
    }

    private static int descend(final int depth) {
        return descend(depth + 1) + 1;
    }

    private static void fill(final int length) {
        try {
            while (FILLING.size() < 1 << 18) {
                FILLING.add(new byte[length]);
            }
        } catch (final OutOfMemoryError full) {
            assert full != null;
        }
    }

    /** The thread exists before the heap is full, and needs nothing of it. */
    private static void startEmptying(final long run) {
        final Thread emptying = new Thread(
                () -> {
                    long startNs = System.nanoTime();
                    while (!isFull || System.nanoTime() - startNs < FULL_FOR_NS) {
                        if (!isFull) {
                            startNs = System.nanoTime(); // filling may take long, and what was emptied on the way would
                            // stay full
                        }
                        LockSupport.parkNanos(FULL_FOR_NS / 100);
                    }
                    isFull = false;
                    FILLING.clear();
                    isShort = false;
                    Report.send("emptied", "run", run);
                },
                "empties-the-heap");
        emptying.setDaemon(true);
        emptying.start();
    }
}
