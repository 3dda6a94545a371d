package io.hawser.allocator;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** What tests ask of the virtual machine they run in: threads by name, conditions by a deadline, calls in threads of their own. */
final class Jvm {
    private static final long DEADLINE_S = 20;
    private static final long POLL_INTERVAL_NS = 200_000;

    private Jvm() {}

    /** The live threads whose names start so. */
    static List<String> threads(final String prefix) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(Thread::isAlive)
                .map(Thread::getName)
                .filter(name -> name.startsWith(prefix))
                .sorted()
                .toList();
    }

    /** Where the threads stand whose names contain this. */
    static String stacks(final String part) {
        final StringBuilder text = new StringBuilder();
        Thread.getAllStackTraces().forEach((thread, stack) -> {
            if (thread.getName().contains(part)) {
                text.append('\n').append(thread.getName()).append(' ').append(List.of(stack));
            }
        });
        return text.toString();
    }

    /** What is in use of the heap after a collection. */
    static long heapBytes() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    /** Returns once the condition holds. */
    static void await(final String what, final BooleanSupplier condition) {
        final long startNs = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - startNs > TimeUnit.SECONDS.toNanos(DEADLINE_S)) {
                throw new AssertionError("did not happen in " + DEADLINE_S + " s: " + what);
            }
            LockSupport.parkNanos(POLL_INTERVAL_NS);
        }
    }

    /** Waits until a thread sleeps. */
    static void awaitParked(final Thread thread) {
        await(thread.getName() + " parks", () -> switch (thread.getState()) {
            case WAITING, TIMED_WAITING -> true;
            default -> false;
        });
    }

    /** Calls in a thread of its own, and returns what comes out in time. */
    static <T> T inOtherThread(final Callable<T> call) throws Exception {
        final FutureTask<T> task = new FutureTask<>(call);
        new Thread(task, "test-other").start();
        return task.get(DEADLINE_S, TimeUnit.SECONDS);
    }
}
