package io.hawser.examples;

import io.hawser.allocator.Channel;
import io.hawser.allocator.Cluster;
import io.hawser.allocator.Codecs;
import io.hawser.allocator.Dataflow;
import io.hawser.allocator.Outcomes;
import io.hawser.allocator.RawChannel;
import io.hawser.allocator.RawPusher;
import io.hawser.allocator.Worker;
import io.hawser.fate.Escalation;
import io.hawser.fate.ScopeCancelledException;
import io.hawser.fate.ScopeOutcome;
import io.hawser.tools.Event;
import io.hawser.tools.Numbers;
import io.hawser.transport.ClusterConfig;
import io.hawser.transport.ClusterConfigBuilder;
import io.hawser.transport.LaneState;
import io.hawser.transport.ScopeMembers;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.LongStream;
import org.agrona.concurrent.UnsafeBuffer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * A streaming join whose hot keys make thousands of rows of each order, while the sink reads no more: all its windows are full, all its workers stand still. It is cancelled from outside, and
 * started anew, again and again. Another job runs on the same connections, as fast as it can.
 *
 * <pre>
 *   process 0            process 1
 *   source  --orders-->  two joins      the stuck job
 *   sink    &lt;---rows---  two joins
 *   reader  &lt;-numbers--  writer         the healthy one
 * </pre>
 *
 * <p><em>Threading:</em> each process has three workers; the main thread looks on, and that of process 0 cancels.
 */
@Command(
        name = "drop-stuck-job",
        description = "A job whose data is stuck is cancelled from outside, beside one that does not notice.",
        sortOptions = false,
        usageHelpAutoWidth = true)
final class DropStuckJob extends Example {
    private static final int SOURCE = 0;
    private static final int SINK = 1;
    private static final int READER = 2;
    private static final int[] JOINS = {3, 4};
    private static final int WRITER = 5;
    private static final ScopeMembers JOB_MEMBERS = ScopeMembers.of(SOURCE, SINK, JOINS[0], JOINS[1]);
    private static final ScopeMembers HEALTHY_MEMBERS = ScopeMembers.of(READER, WRITER);

    private static final long HEALTHY = 1;
    private static final long FIRST_JOB = 100;
    private static final int ORDERS = 0;
    private static final int ROWS = 1;
    private static final int ROWS_PER_ORDER = 5_000;
    private static final int ROWS_READ = 20_000;
    private static final int ROW_LENGTH = 128;
    private static final int NUMBER_LENGTH = 1024;
    private static final long LAST_NUMBER = -1;
    private static final int WINDOW = 1 << 20;
    private static final String REASON = "dropped by the operator";

    /** A job that has not moved for so long is stuck. */
    private static final Duration STILL = Duration.ofMillis(200);

    /** The healthy job's rate is taken for so long before the cancel, from it on, and after that. */
    private static final Duration RATE_TIME = Duration.ofMillis(250);

    /** The next job starts so long after the end of one. */
    private static final Duration BETWEEN_JOBS = RATE_TIME.multipliedBy(4);

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final double OUT_MEDIAN_MAX_MS = 100;
    private static final double DIP_MAX_PERCENT = 50;

    @Option(
            names = "--rounds",
            paramLabel = "<n>",
            defaultValue = "15",
            description = "how often the job is started and dropped (default: ${DEFAULT-VALUE})")
    private int rounds;

    /** What of one process is known of each round: when its last worker was out, what it holds now, and at most, and since when it holds nothing any more. */
    private AtomicLongArray outMicros;

    private long[] held;
    private long[] heldMax;
    private long[] freeMicros;

    private final CountDownLatch jobsOver = new CountDownLatch(1);
    private final AtomicLong numbersRead = new AtomicLong();

    @Override
    int processes() {
        return 2;
    }

    @Override
    void configure(final ClusterConfigBuilder settings) {
        settings.workersPerProcess(3)
                .channelLimit(2)
                .channelWindow(WINDOW)
                .channelWindowMax(WINDOW)
                .floatingWindow(0);
    }

    @Override
    Event run(final ClusterConfig config) throws Exception {
        outMicros = new AtomicLongArray(rounds);
        held = new long[rounds];
        heldMax = new long[rounds];
        freeMicros = new long[rounds];
        try (Cluster<Void> cluster = Cluster.execute(config, this::work)) {
            final Event result = Told.newResult();
            if (config.processIndex() == 0) {
                dropAgainAndAgain(cluster, result);
            }
            Optional<Outcomes<Void>> outcomes = Optional.empty();
            while (outcomes.isEmpty()) {
                look(cluster);
                outcomes = cluster.join(Duration.ofMillis(1));
            }
            outcomes.get().values(); // throws if the cluster was lost
            return result.with("outMicros", joined(LongStream.range(0, rounds).map(r -> outMicros.get((int) r))))
                    .with("freeMicros", joined(Arrays.stream(freeMicros)))
                    .with("heldMax", Arrays.stream(heldMax).max().orElse(0));
        }
    }

    // ---- the workers

    private Void work(final Worker worker) throws InterruptedException {
        if (worker.index() == READER || worker.index() == WRITER) {
            final Dataflow healthy = worker.dataflow(HEALTHY, HEALTHY_MEMBERS, Escalation.CONTAINED);
            final RawChannel numbers = healthy.allocateRaw(0);
            if (worker.index() == READER) {
                read(worker, numbers);
            } else {
                write(numbers.pusher(READER));
            }
            healthy.close();
            expect(healthy, new ScopeOutcome.Completed());
            return null;
        }
        for (int round = 0; round < rounds; round++) {
            final Dataflow job = worker.dataflow(FIRST_JOB + round, JOB_MEMBERS, Escalation.CONTAINED);
            try {
                takePart(worker, job);
            } catch (final ScopeCancelledException dropped) {
                // each wait, push and pull of the job ends so; nothing of it is left to tidy up
            }
            outMicros.accumulateAndGet(round, nowMicros(), Math::max);
            expect(job, new ScopeOutcome.Cancelled(0, -1, REASON));
            Thread.sleep(BETWEEN_JOBS.toMillis());
        }
        jobsOver.countDown();
        return null;
    }

    /** Does not return before it is dropped. */
    private void takePart(final Worker worker, final Dataflow job) {
        final Channel<Long> orders = job.allocate(ORDERS, Codecs.int64());
        final RawChannel rows = job.allocateRaw(ROWS);
        switch (worker.index()) {
            case SOURCE -> {
                for (long order = 0; true; order++) {
                    orders.pusher(JOINS[(int) (order % JOINS.length)]).push(order);
                }
            }
            case SINK -> {
                int left = ROWS_READ;
                while (left > 0) {
                    worker.park();
                    left -= rows.puller().poll((buffer, offset, length, source) -> {}, left);
                }
                job.awaitOutcome(PATIENCE); // for ever, as far as the job is concerned: it reads no more
            }
            default -> {
                while (true) {
                    final Long order = orders.puller().pull();
                    if (order == null) {
                        worker.park();
                    } else {
                        join(order, rows.pusher(SINK));
                    }
                }
            }
        }
    }

    private static void join(final long order, final RawPusher rows) {
        final UnsafeBuffer row = new UnsafeBuffer(new byte[ROW_LENGTH]);
        row.putLong(0, order);
        for (int match = 0; match < ROWS_PER_ORDER; match++) {
            row.putLong(Long.BYTES, match);
            rows.push(row, 0, ROW_LENGTH);
        }
    }

    private void write(final RawPusher numbers) {
        final UnsafeBuffer message = new UnsafeBuffer(new byte[NUMBER_LENGTH]);
        for (long number = 0; jobsOver.getCount() > 0; number++) {
            message.putLong(0, number);
            numbers.push(message, 0, NUMBER_LENGTH);
        }
        message.putLong(0, LAST_NUMBER);
        numbers.push(message, 0, NUMBER_LENGTH);
    }

    private void read(final Worker worker, final RawChannel numbers) {
        final long[] latest = {0};
        while (latest[0] != LAST_NUMBER) {
            worker.park();
            numbers.puller()
                    .poll(
                            (buffer, offset, length, source) -> {
                                latest[0] = buffer.getLong(offset);
                                if (latest[0] != LAST_NUMBER && latest[0] != numbersRead.getAndIncrement()) {
                                    throw new IllegalStateException("lost or repeated: number=" + latest[0]);
                                }
                            },
                            Integer.MAX_VALUE);
        }
    }

    private static void expect(final Dataflow dataflow, final ScopeOutcome expected) {
        final ScopeOutcome outcome = dataflow.awaitOutcome(PATIENCE).orElseThrow();
        if (!outcome.equals(expected) || dataflow.health().isLost()) {
            throw new IllegalStateException(dataflow + " should have ended otherwise: expected=" + expected);
        }
    }

    // ---- the main threads

    private void dropAgainAndAgain(final Cluster<?> cluster, final Event result) throws Exception {
        final long[] cancelMicros = new long[rounds];
        final double[][] rates = new double[3][rounds];
        for (int round = 0; round < rounds; round++) {
            final long held = awaitStuck(cluster, FIRST_JOB + round);
            Told.line("job " + (FIRST_JOB + round) + " is stuck, " + Samples.mib(held) + " in flight; cancels it");
            rates[0][round] = rate(cluster);
            cancelMicros[round] = nowMicros();
            final var answer = cluster.cancel(FIRST_JOB + round, REASON).toCompletableFuture();
            rates[1][round] = rate(cluster);
            rates[2][round] = rate(cluster);
            Told.line(answer.get(0, TimeUnit.SECONDS) + ": workers here out after "
                    + Numbers.fixed((outMicros.get(round) - cancelMicros[round]) / 1e3, 1)
                    + " ms; the healthy job made " + perSecond(rates[0][round]) + " before, "
                    + perSecond(rates[1][round]) + " meanwhile, " + perSecond(rates[2][round]) + " after");
        }
        final double[] dips = new double[rounds];
        for (int round = 0; round < rounds; round++) {
            dips[round] = 100 - 200 * rates[1][round] / (rates[0][round] + rates[2][round]);
        }
        result.with("cancelMicros", joined(Arrays.stream(cancelMicros)))
                .with("before", median(rates[0]))
                .with("during", median(rates[1]))
                .with("after", median(rates[2]))
                .with("dip", median(dips))
                .with("heldAfter", Arrays.stream(held).sum());
    }

    /** Waits until nothing of a job has moved for a while; returns what it holds. */
    private long awaitStuck(final Cluster<?> cluster, final long job) throws InterruptedException {
        List<LaneState> last = List.of();
        long sinceNs = System.nanoTime();
        while (last.size() < 2 * JOINS.length || System.nanoTime() - sinceNs < STILL.toNanos()) {
            Thread.sleep(1);
            look(cluster);
            final List<LaneState> now = lanesOf(cluster, job);
            if (!now.equals(last)) {
                last = now;
                sinceNs = System.nanoTime();
            }
        }
        return last.stream().mapToLong(DropStuckJob::held).sum();
    }

    /** Of the healthy job, in messages a second. */
    private double rate(final Cluster<?> cluster) throws InterruptedException {
        final long startNs = System.nanoTime();
        final long before = numbersRead.get();
        while (System.nanoTime() - startNs < RATE_TIME.toNanos()) {
            Thread.sleep(1);
            look(cluster);
        }
        return (numbersRead.get() - before) * 1e9 / (System.nanoTime() - startNs);
    }

    /** What this process holds of the jobs: memory on what it receives, credit of the other on what it sends. */
    private void look(final Cluster<?> cluster) {
        Arrays.fill(held, 0);
        for (final LaneState lane : cluster.lanes(1 - cluster.processIndex())) {
            if (lane.address().scopeId() >= FIRST_JOB) {
                held[(int) (lane.address().scopeId() - FIRST_JOB)] += held(lane);
            }
        }
        for (int round = 0; round < rounds; round++) {
            heldMax[round] = Math.max(heldMax[round], held[round]);
            if (held[round] > 0) {
                freeMicros[round] = 0;
            } else if (freeMicros[round] == 0 && heldMax[round] > 0) {
                freeMicros[round] = nowMicros();
            }
        }
    }

    private static List<LaneState> lanesOf(final Cluster<?> cluster, final long job) {
        return cluster.lanes(1).stream()
                .filter(lane -> lane.address().scopeId() == job)
                .toList();
    }

    private static long held(final LaneState lane) {
        return lane.charged() - lane.consumed();
    }

    /** By the wall clock, which the processes share. */
    private static long nowMicros() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    }

    private static double median(final double[] values) {
        return Arrays.stream(values).sorted().toArray()[values.length / 2];
    }

    private static String perSecond(final double rate) {
        return Numbers.grouped((long) rate) + "/s";
    }

    private static String joined(final LongStream values) {
        return String.join(",", values.mapToObj(String::valueOf).toList());
    }

    // ---- the process that started them

    @Override
    void judge(final List<Event> results, final long directLimit, final Figures figures) {
        final Event looker = results.get(0);
        final double[] outMs = sinceCancelMs(results, "outMicros");
        final double[] freeMs = sinceCancelMs(results, "freeMicros");
        final double dip = Double.parseDouble(looker.text("dip"));
        final long stuckBytes = results.stream()
                .mapToLong(result -> result.number("heldMax"))
                .min()
                .orElseThrow();
        figures.put("rounds", rounds)
                .put("workersOutMedianMs", median(outMs))
                .put("workersOutMaxMs", Arrays.stream(outMs).max().orElse(0))
                .put("memoryBackMedianMs", median(freeMs))
                .put("memoryBackMaxMs", Arrays.stream(freeMs).max().orElse(0))
                .put("heldBytesStuck", stuckBytes)
                .put("heldBytesAfter", looker.number("heldAfter"))
                .put("healthyPerSecondBefore", Double.parseDouble(looker.text("before")))
                .put("healthyPerSecondDuring", Double.parseDouble(looker.text("during")))
                .put("healthyPerSecondAfter", Double.parseDouble(looker.text("after")))
                .put("healthyDipPercent", dip)
                .put("jobOutcome", "cancelled") // each worker of each job has checked that
                .put("healthyOutcome", "completed");
        figures.expect(stuckBytes > WINDOW, "the job was never stuck");
        figures.expect(median(outMs) < OUT_MEDIAN_MAX_MS, "the workers of the job came out late");
        figures.expect(median(freeMs) < OUT_MEDIAN_MAX_MS, "what the job held came back late");
        figures.expect(
                looker.number("heldAfter") == 0 && Arrays.stream(freeMs).max().orElse(0) < BETWEEN_JOBS.toMillis(),
                "what a job held was not back before the next one began");
        figures.expect(dip < DIP_MAX_PERCENT, "the healthy job noticed");
    }

    /** For each round, when the last of the processes was that far. */
    private double[] sinceCancelMs(final List<Event> results, final String name) {
        final long[] cancelMicros = numbers(results.get(0), "cancelMicros");
        final double[] ms = new double[rounds];
        for (int round = 0; round < rounds; round++) {
            for (final Event result : results) {
                ms[round] = Math.max(ms[round], (numbers(result, name)[round] - cancelMicros[round]) / 1e3);
            }
        }
        return ms;
    }

    private static long[] numbers(final Event event, final String name) {
        return Arrays.stream(event.text(name).split(","))
                .mapToLong(Long::parseLong)
                .toArray();
    }
}
