package io.hawser.examples;

import io.hawser.allocator.Cluster;
import io.hawser.allocator.OnFull;
import io.hawser.allocator.PushResult;
import io.hawser.allocator.RawChannel;
import io.hawser.allocator.Worker;
import io.hawser.tools.Event;
import io.hawser.transport.ClusterConfig;
import io.hawser.transport.ClusterConfigBuilder;
import io.hawser.transport.Notice;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * A sensor whose readings nobody can keep up with: its channel is full all the time. The reader changes its settings by notices, which wait for no reading, and each is answered by
 * another; only then one more reading is taken, so that the channel stays full.
 *
 * <p><em>Threading:</em> each process has one worker.
 */
@Command(
        name = "retune",
        description = "A producer that is told new settings while its data is stuck.",
        sortOptions = false,
        usageHelpAutoWidth = true)
final class Retune extends Example {
    private static final int SENSOR = 0;
    private static final int READER = 1;
    private static final int CHANNEL = 0;
    private static final int READING_LENGTH = 4 * 1024;
    private static final int WINDOW = 1 << 20;

    /** Kinds of notices: ours to choose. */
    private static final int SET_GAIN = 1;

    private static final int GAIN_IS_SET = 2;
    private static final int STOP = 3;

    private static final int ROUNDS_TOLD = 1_000;
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final double MEDIAN_MAX_MS = 10;

    @Option(
            names = "--rounds",
            paramLabel = "<n>",
            defaultValue = "3000",
            description = "how often the settings change (default: ${DEFAULT-VALUE})")
    private int rounds;

    // the worker's
    private final UnsafeBuffer body = new UnsafeBuffer(new byte[Long.BYTES]);
    private long gain;
    private long answered;
    private boolean isStopped;

    @Override
    int processes() {
        return 2;
    }

    @Override
    void configure(final ClusterConfigBuilder settings) {
        settings.channelLimit(1).channelWindow(WINDOW).channelWindowMax(WINDOW).floatingWindow(0);
    }

    @Override
    Event run(final ClusterConfig config) throws Exception {
        try (Cluster<Event> cluster =
                Cluster.execute(config, worker -> worker.index() == SENSOR ? measure(worker) : read(worker))) {
            return cluster.join().values().get(0);
        }
    }

    private Event measure(final Worker worker) {
        final RawChannel channel = worker.allocateRaw(CHANNEL, OnFull.REFUSE);
        final UnsafeBuffer reading = new UnsafeBuffer(new byte[READING_LENGTH]);
        worker.onNotice(notice -> {
            if (notice.kind() == SET_GAIN) {
                gain = notice.body().getLong(0);
                tell(worker, notice.sourceWorker(), GAIN_IS_SET, gain);
            } else {
                isStopped = true;
            }
        });
        long pushed = 0;
        long refused = 0;
        while (!isStopped) {
            reading.putLong(0, gain);
            if (channel.pusher(READER).push(reading, 0, READING_LENGTH) == PushResult.PUSHED) {
                pushed++;
            } else {
                refused++;
                worker.park(PATIENCE); // until there is room, or a notice has been shown
            }
        }
        return Told.newResult().with("pushed", pushed).with("refused", refused);
    }

    private Event read(final Worker worker) {
        final RawChannel channel = worker.allocateRaw(CHANNEL);
        final long[] nanos = new long[rounds];
        worker.onNotice(notice -> answered = notice.body().getLong(0));
        while (channel.puller().poll((buffer, offset, length, source) -> {}, 1) == 0) {
            worker.park();
        }
        for (int round = 0; round < rounds; round++) {
            final long startNs = System.nanoTime();
            tell(worker, SENSOR, SET_GAIN, round + 1);
            while (answered != round + 1) {
                if (!worker.awaitNotice(PATIENCE)) {
                    throw new IllegalStateException("no answer within " + PATIENCE + ": round=" + round);
                }
            }
            nanos[round] = System.nanoTime() - startNs;
            channel.puller().poll((buffer, offset, length, source) -> {}, 1);
            if ((round + 1) % ROUNDS_TOLD == 0) {
                Told.line("changed the gain " + (round + 1) + " times while readings are stuck");
            }
        }
        tell(worker, SENSOR, STOP, 0);
        channel.close(); // what still comes is discarded
        Arrays.sort(nanos);
        return Told.newResult()
                .with("medianMs", nanos[rounds / 2] / 1e6)
                .with("p99Ms", nanos[rounds * 99 / 100] / 1e6)
                .with("maxMs", nanos[rounds - 1] / 1e6);
    }

    /** One is under way at a time, so there is always room for it. */
    private void tell(final Worker worker, final int target, final int kind, final long value) {
        body.putLong(0, value);
        if (worker.notify(target, Notice.NO_CHANNEL, kind, body, 0, Long.BYTES) == PushResult.REFUSED) {
            throw new IllegalStateException("no room for a notice: kind=" + kind + " target=" + target);
        }
    }

    @Override
    void judge(final List<Event> results, final long directLimit, final Figures figures) {
        final Event sensor = results.get(SENSOR);
        final Event reader = results.get(READER);
        final double medianMs = Double.parseDouble(reader.text("medianMs"));
        figures.put("rounds", rounds)
                .put("pushed", sensor.number("pushed"))
                .put("refused", sensor.number("refused"))
                .put("roundTripMedianMs", medianMs)
                .put("roundTripP99Ms", Double.parseDouble(reader.text("p99Ms")))
                .put("roundTripMaxMs", Double.parseDouble(reader.text("maxMs")));
        figures.expect(sensor.number("refused") > 0, "the channel was never full");
        figures.expect(medianMs > 0 && medianMs < MEDIAN_MAX_MS, "notices were held up");
    }
}
