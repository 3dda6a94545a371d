package io.hawser.transport;

/** What the processes of a test cluster say of themselves: three processes of two workers, generation 7. */
final class Hellos {
    static final long INTERVAL_NS = 100_000_000;
    static final long TIMEOUT_NS = 500_000_000;
    static final long GENERATION = 7;
    static final int PROCESSES = 3;
    static final int WORKERS = 2;

    private Hellos() {}

    static Hello of(int process) {
        return of(process, GENERATION, nonce(process));
    }

    static Hello of(int process, long generation, long nonce) {
        return new Hello(
                Hello.VERSION,
                Hello.VERSION,
                generation,
                nonce,
                process,
                PROCESSES,
                WORKERS,
                0,
                4_700 + process,
                INTERVAL_NS,
                TIMEOUT_NS,
                1 << 20,
                1 << 20,
                1 << 20,
                1 << 16,
                true,
                "ropes",
                "host-" + process,
                "10.0.0." + process + ":7000");
    }

    static long nonce(int process) {
        return 1_000_000_007L * (process + 1);
    }
}
