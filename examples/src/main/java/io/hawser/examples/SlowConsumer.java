package io.hawser.examples;

import io.hawser.allocator.Cluster;
import io.hawser.allocator.OnFull;
import io.hawser.allocator.PushResult;
import io.hawser.allocator.RawChannel;
import io.hawser.allocator.RawPusher;
import io.hawser.allocator.SpillException;
import io.hawser.allocator.Worker;
import io.hawser.tools.Event;
import io.hawser.tools.Numbers;
import io.hawser.transport.ClusterConfig;
import io.hawser.transport.ClusterConfigBuilder;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * One process pushes as fast as it can, the other pulls one message a second. What is between them stays within what the settings allow, and the processes go
 * on to hear each other at once, whatever the channel does when it is full.
 *
 * <p><em>Threading:</em> the main thread takes samples; each process has one worker.
 */
@Command(
        name = "slow-consumer",
        description = "A producer far faster than its consumer: memory stays bounded.",
        sortOptions = false,
        usageHelpAutoWidth = true)
final class SlowConsumer extends Example {
    private static final int PRODUCER = 0;
    private static final int CONSUMER = 1;
    private static final int CHANNEL = 0;
    private static final int MESSAGE_LENGTH = 1024;
    private static final Duration CONSUMER_PAUSE = Duration.ofSeconds(1);

    /** The producer looks at the clock so often, and at the disk. */
    private static final Duration PRODUCER_PAUSE = Duration.ofMillis(100);

    /** The consumer closes the channel so much later that the producer has stopped. */
    private static final Duration CONSUMER_LATER = Duration.ofMillis(500);

    private static final double ROUND_TRIP_MEDIAN_MAX_MS = 10;
    private static final double END_MAX_MS = 20_000;

    @Option(
            names = "--policy",
            required = true,
            paramLabel = "refuse|wait|spill",
            converter = Policy.class,
            description = "what the producer's channel does when it is full")
    private OnFull policy;

    @Option(
            names = "--seconds",
            paramLabel = "<n>",
            defaultValue = "60",
            converter = Seconds.class,
            description = "how long the producer pushes (default: ${DEFAULT-VALUE})")
    private Duration duration;

    private final AtomicLong pushed = new AtomicLong();
    private final AtomicLong refused = new AtomicLong();
    private final AtomicLong pulled = new AtomicLong();
    private long spilledMax;

    @Override
    int processes() {
        return 2;
    }

    @Override
    void configure(final ClusterConfigBuilder settings) {
        settings.channelLimit(1) // how many channels there are is what makes the bound on memory a tight one
                .channelWindow(4 << 20)
                .floatingWindow(4 << 20)
                .channelWindowMax(8 << 20)
                .spillLimit(1 << 30)
                .heartbeatInterval(Duration.ofMillis(20));
    }

    @Override
    Event run(final ClusterConfig config) throws Exception {
        try (Cluster<Void> cluster = Cluster.execute(config, this::work)) {
            final long startNs = System.nanoTime();
            final int other = PRODUCER + CONSUMER - config.processIndex();
            final Samples samples = Samples.untilEndOf(cluster, now -> line(cluster, now, other));
            return Told.newResult()
                    .with("pushed", pushed)
                    .with("refused", refused)
                    .with("pulled", pulled)
                    .with("spilledMax", spilledMax)
                    .with("heapMax", samples.heapMax())
                    .with("directMax", samples.directMax())
                    .with("flat", samples.isDirectFlat())
                    .with("medianMs", samples.roundTripMs(50))
                    .with("p99Ms", samples.roundTripMs(99))
                    .with("maxMs", samples.roundTripMs(100))
                    .with("ms", (System.nanoTime() - startNs) / 1_000_000);
        }
    }

    private Void work(final Worker worker) throws InterruptedException {
        final RawChannel channel = worker.allocateRaw(CHANNEL, policy);
        if (worker.index() == PRODUCER) {
            produce(worker, channel.pusher(CONSUMER));
        } else {
            consume(channel);
        }
        channel.close(); // of the consumer: what still comes is discarded, so that nobody waits for it any more
        return null;
    }

    private void produce(final Worker worker, final RawPusher pusher) {
        final UnsafeBuffer message = new UnsafeBuffer(new byte[MESSAGE_LENGTH]);
        final long endNs = System.nanoTime() + duration.toNanos();
        while (System.nanoTime() - endNs < 0) {
            message.putLong(0, pushed.get());
            if (isTaken(pusher, message)) {
                pushed.lazySet(pushed.get() + 1);
            } else {
                refused.lazySet(refused.get() + 1);
                worker.park(PRODUCER_PAUSE); // returns as soon as there is room; who has other work does that instead
            }
        }
    }

    /** A channel that waits takes everything, in its own time; one that refuses says so; one that spills takes what the disk takes. */
    private static boolean isTaken(final RawPusher pusher, final DirectBuffer message) {
        try {
            return pusher.push(message, 0, MESSAGE_LENGTH) == PushResult.PUSHED;
        } catch (final SpillException spillLimitReached) {
            return false;
        }
    }

    private void consume(final RawChannel channel) throws InterruptedException {
        final long endNs = System.nanoTime() + duration.plus(CONSUMER_LATER).toNanos();
        for (long leftNs = endNs - System.nanoTime(); leftNs > 0; leftNs = endNs - System.nanoTime()) {
            channel.puller().poll(this::onMessage, 1);
            Thread.sleep(Math.min(CONSUMER_PAUSE.toMillis(), leftNs / 1_000_000 + 1));
        }
    }

    private void onMessage(final DirectBuffer buffer, final int offset, final int length, final int sourceWorker) {
        final long number = buffer.getLong(offset);
        if (number != pulled.get() || length != MESSAGE_LENGTH) {
            throw new IllegalStateException("expected=" + pulled + " number=" + number + " length=" + length);
        }
        pulled.lazySet(number + 1);
    }

    private String line(final Cluster<?> cluster, final Samples now, final int other) {
        String what = "pulled " + Numbers.grouped(pulled.get());
        if (other == CONSUMER) {
            final long spilled = cluster.spilledBytes();
            spilledMax = Math.max(spilledMax, spilled);
            what = "pushed " + Numbers.grouped(pushed.get()) + ", refused " + Numbers.grouped(refused.get())
                    + ", spilled " + Samples.mib(spilled);
        }
        return what + ", " + now.memory() + ", " + now.roundTrip(other);
    }

    @Override
    void judge(final List<Event> results, final long directLimit, final Figures figures) {
        final Event producer = results.get(PRODUCER);
        final Event consumer = results.get(CONSUMER);
        final boolean isFlat =
                Boolean.parseBoolean(producer.text("flat")) && Boolean.parseBoolean(consumer.text("flat"));
        final long directMax = Math.max(producer.number("directMax"), consumer.number("directMax"));
        final double medianMs = worse(producer, consumer, "medianMs");
        final double endMs = Math.max(producer.number("ms"), consumer.number("ms")) - duration.toMillis();
        figures.put("policy", Policy.name(policy))
                .put("seconds", duration.toSeconds())
                .put("pushed", producer.number("pushed"))
                .put("pulled", consumer.number("pulled"))
                .put("refused", producer.number("refused"))
                .put("spilledMax", producer.number("spilledMax"))
                .put("producerDirectMax", producer.number("directMax"))
                .put("consumerDirectMax", consumer.number("directMax"))
                .put("directLimit", directLimit)
                .put("producerHeapMax", producer.number("heapMax"))
                .put("consumerHeapMax", consumer.number("heapMax"))
                .put("memoryFlat", isFlat)
                .put("roundTripMedianMs", medianMs)
                .put("roundTripP99Ms", worse(producer, consumer, "p99Ms"))
                .put("roundTripMaxMs", worse(producer, consumer, "maxMs"))
                .put("endMs", endMs);
        figures.expect(directMax <= directLimit, "more direct memory than the settings allow");
        figures.expect(isFlat, "direct memory grew to the end");
        figures.expect(medianMs > 0 && medianMs < ROUND_TRIP_MEDIAN_MAX_MS, "heartbeats were held up");
        figures.expect(consumer.number("pulled") >= duration.toSeconds() / 2, "messages did not come");
        figures.expect(producer.number("pushed") > consumer.number("pulled"), "the consumer was not the slower one");
        figures.expect(endMs < END_MAX_MS, "the end took too long");
    }

    private static double worse(final Event one, final Event other, final String name) {
        return Math.max(Double.parseDouble(one.text(name)), Double.parseDouble(other.text(name)));
    }
}
