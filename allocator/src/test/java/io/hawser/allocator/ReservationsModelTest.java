package io.hawser.allocator;

import static io.hawser.allocator.StartRequests.WORKERS;
import static io.hawser.allocator.StartRequests.plan;
import static io.hawser.allocator.StartRequests.start;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.Test;

/** L9, case 34: whatever is asked in whatever order, a GO starts exactly what a few lines of model say, and the books of the handler agree. {@code -Dhawser.seed} repeats a failure. */
class ReservationsModelTest {
    private static final int RUNS = 300;
    private static final int STEPS = 200;
    private static final int PERMITS = 30;
    private static final long HOLD_NS = 40;

    /** What an attempt of process 1…2, named by dataflow 1…3 and a number, is; weight is number modulo 4. */
    private record Name(int process, long dataflow, long number) {
        long attemptId() {
            return number * 3 + dataflow;
        }

        int weight() {
            return (int) (number % 4);
        }
    }

    private final Random random = new Random(Seed.print("ReservationsModelTest"));
    private final DirectBuffer plan = plan("plan");

    /** Accepted, and when. */
    private final Map<Name, Long> reserved = new HashMap<>();

    private final Set<Name> running = new HashSet<>();
    private final ReservationLog log = new ReservationLog();
    private CapacityModel capacity;
    private Reservations reservations;
    private long nowNs;
    private int startedCount;

    @Test
    void shouldStartExactlyWhatIsReservedWhateverIsAsked() {
        for (int run = 0; run < RUNS; run++) {
            nowNs = Long.MAX_VALUE - random.nextInt(400);
            capacity = new CapacityModel(PERMITS, Duration.ZERO);
            reservations = new Reservations(capacity, log, WORKERS, 10, HOLD_NS);
            reserved.clear();
            running.clear();
            for (int step = 0; step < STEPS; step++) {
                nowNs += random.nextInt(4);
                reserved.values().removeIf(madeNs -> nowNs - madeNs >= HOLD_NS);
                step(new Name(1 + random.nextInt(2), 1 + random.nextInt(3), 1 + random.nextInt(20)));
                reservations.tick(nowNs);
                check();
            }
        }
        assertThat(startedCount).isGreaterThan(RUNS);
    }

    private void step(final Name name) {
        log.take();
        switch (random.nextInt(20)) {
            case 0 -> {
                reservations.onProcessLost(name.process());
                reserved.keySet().removeIf(other -> other.process() == name.process());
            }
            case 1 -> {
                if (random.nextInt(4) == 0) {
                    reservations.onDataflowCancelled(name.dataflow(), "enough");
                    reserved.keySet().removeIf(other -> other.dataflow() == name.dataflow());
                }
            }
            case 2, 3 -> {
                reservations.onRelease(name.process(), name.dataflow(), name.attemptId(), nowNs);
                reserved.remove(name);
            }
            case 4, 5, 6 -> {
                reservations.onTaskEnded(name.process(), name.attemptId());
                running.remove(name);
            }
            case 7, 8, 9, 10, 11, 12 -> go(name);
            default -> ask(name);
        }
    }

    private void ask(final Name name) {
        reservations.onStart(start(name.process(), name.dataflow(), name.attemptId(), name.weight()), nowNs);
        final boolean isAccepted = log.take().get(0).startsWith("accept");
        if (reserved.containsKey(name) || running.contains(name)) {
            assertThat(isAccepted).as("the same again: %s", name).isTrue();
        } else if (isAccepted) {
            reserved.put(name, nowNs);
        }
    }

    private void go(final Name name) {
        reservations.onGo(name.process(), name.dataflow(), name.attemptId(), plan, 0, plan.capacity(), nowNs);
        if (reserved.remove(name) != null) {
            assertThat(log.take()).containsExactly("start " + name.attemptId());
            running.add(name);
            startedCount++;
        } else {
            assertThat(log.take()).singleElement().asString().contains(" NEVER 0 nothing has run: ");
        }
    }

    private void check() {
        assertThat(reservations.openCount()).isEqualTo(reserved.size());
        assertThat(reservations.runningCount()).isEqualTo(running.size());
        assertThat(capacity.reservationsOpen()).isEqualTo(reserved.size());
        assertThat(capacity.tasksRunning()).isEqualTo(running.size());
        int taken = 0;
        for (final Name name : reserved.keySet()) {
            taken += name.weight();
        }
        for (final Name name : running) {
            taken += name.weight();
        }
        assertThat(capacity.permitsFree()).isEqualTo(PERMITS - taken).isNotNegative();
    }
}
