package io.hawser.fate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Case 71: health is lost at a random moment around the park of a worker; each time the worker comes out. A missed wake-up
 * shows as a worker that stands still until the deadline.
 */
class ParkStressTest {
    private static final int ROUND_COUNT = 100_000;
    private static final long DEADLINE_MS = 60_000;

    /** Loops of the killer before it strikes: from before the registration to well after the park. */
    private static final int MAX_JITTER = 400;

    private final Health[] scopes =
            IntStream.range(0, ROUND_COUNT).mapToObj(i -> Health.root("scope")).toArray(Health[]::new);

    /** Written by the worker: the round it is in. */
    private volatile int round = -1;

    @Test
    void shouldComeOutOfEachParkWhenHealthIsLostAtAnyMoment() throws InterruptedException {
        long seed = System.nanoTime();
        Cause cause = CauseFixture.number(0);
        Thread worker = new Thread(this::work, "worker");
        Thread killer = new Thread(() -> kill(cause, new Random(seed)), "killer");
        worker.start();
        killer.start();

        worker.join(DEADLINE_MS);

        assertThat(worker.isAlive())
                .as("stuck in round=" + round + " seed=" + seed + " at " + Arrays.toString(worker.getStackTrace()))
                .isFalse();
        killer.join(DEADLINE_MS);
    }

    private void work() {
        for (int i = 0; i < ROUND_COUNT; i++) {
            round = i;
            try (WakeupRegistration registration = scopes[i].addThread(Thread.currentThread())) {
                while (!scopes[i].isLost()) {
                    LockSupport.park(registration);
                }
            }
        }
        round = ROUND_COUNT;
    }

    private void kill(Cause cause, Random random) {
        for (int i = 0; i < ROUND_COUNT; i++) {
            while (round < i) {
                Thread.onSpinWait();
            }
            for (int jitter = random.nextInt(MAX_JITTER); jitter > 0; jitter--) {
                Thread.onSpinWait();
            }
            scopes[i].lose(cause);
        }
    }
}
