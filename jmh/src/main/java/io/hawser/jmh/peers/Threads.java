package io.hawser.jmh.peers;

/**
 * Starts threads of entrants. What they throw ends the process.
 *
 * <p><em>Threading:</em> safe; no state.
 */
final class Threads {
    /** What a thread does. */
    @FunctionalInterface
    interface Work {
        void run() throws Exception;
    }

    private Threads() {}

    static void start(final String name, final Work work) {
        final Thread thread = new Thread(() -> runGuarded(work), name);
        thread.setDaemon(true);
        thread.start();
    }

    /** Runs something on this thread, as if this thread had been started here. */
    static void runGuarded(final Work work) {
        try {
            work.run();
        } catch (final Throwable e) { // whatever it is, the run counts for nothing
            fail(e);
        }
    }

    /** Ends the process, as if this thread had ended by a throw. */
    static void fail(final Throwable failure) {
        Thread.getDefaultUncaughtExceptionHandler().uncaughtException(Thread.currentThread(), failure);
    }

    /** Lets others run who wait for this core, if there are any: the two ends of a busy loop may have to share one. */
    @SuppressWarnings("ThreadPriorityCheck") // on few cores a spin that never gives way would wait for itself
    static void giveWay() {
        Thread.yield();
    }
}
