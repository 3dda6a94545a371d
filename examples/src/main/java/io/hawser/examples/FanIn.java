package io.hawser.examples;

import io.hawser.allocator.Cluster;
import io.hawser.allocator.RawChannel;
import io.hawser.allocator.RawPusher;
import io.hawser.allocator.Worker;
import io.hawser.tools.Event;
import io.hawser.tools.Numbers;
import io.hawser.transport.ClusterConfig;
import io.hawser.transport.ClusterConfigBuilder;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/**
 * All processes push to one as fast as they can, and it pulls more slowly than they push. Its memory stays within what the settings allow, and none of the
 * others is left behind.
 *
 * <p><em>Threading:</em> the main thread takes samples; each process has one worker.
 */
@Command(
        name = "fan-in",
        description = "All processes push to one that cannot keep up.",
        sortOptions = false,
        usageHelpAutoWidth = true)
final class FanIn extends Example {
    private static final int CONSUMER = 0;
    private static final int CHANNEL = 0;
    private static final int MESSAGE_LENGTH = 1024;

    /** The consumer takes so many messages at a time, and then its time. */
    private static final int POLL_LIMIT = 64;

    private static final int WORK_MS = 1;

    /** The consumer closes the channel so much later that the producers have stopped. */
    private static final Duration CONSUMER_LATER = Duration.ofMillis(500);

    /** A push that takes longer has waited; others take less than a microsecond. */
    private static final long WAIT_MIN_NS = 100_000;

    /** Producers that wait less than this part of the time are not faster than the consumer. */
    private static final double WAITED_MIN = 0.1;

    /** None gets less than this part of what the one that gets most gets. */
    private static final double FAIRNESS_MIN = 0.2;

    @Option(
            names = "--processes",
            paramLabel = "<n>",
            defaultValue = "8",
            converter = Count.class,
            description = "how many, " + Count.MIN + " to " + Count.MAX + " (default: ${DEFAULT-VALUE})")
    private int processes;

    @Option(
            names = "--seconds",
            paramLabel = "<n>",
            defaultValue = "10",
            converter = Seconds.class,
            description = "how long they push (default: ${DEFAULT-VALUE})")
    private Duration duration;

    /** Messages that were pushed by this process, or that it has pulled from each. */
    private final AtomicLongArray counts = new AtomicLongArray(Count.MAX);

    /** How long pushes have waited; the worker's until it has ended. */
    private long waitedNs;

    @Override
    int processes() {
        return processes;
    }

    @Override
    void configure(final ClusterConfigBuilder settings) {
        settings.channelLimit(1).channelWindow(1 << 20).floatingWindow(4 << 20).channelWindowMax(4 << 20);
    }

    @Override
    Event run(final ClusterConfig config) throws Exception {
        final int own = config.processIndex();
        try (Cluster<Void> cluster = Cluster.execute(config, this::work)) {
            final Samples samples = Samples.untilEndOf(
                    cluster,
                    now -> (own == CONSUMER ? "pulled " : "pushed ") + Numbers.grouped(total()) + ", " + now.memory());
            final Event result = Told.newResult()
                    .with("count", total())
                    .with("waitedNs", waitedNs)
                    .with("heapMax", samples.heapMax())
                    .with("directMax", samples.directMax());
            for (int source = 0; source < processes; source++) {
                result.with("from" + source, counts.get(source));
            }
            return result;
        }
    }

    private Void work(final Worker worker) throws InterruptedException {
        final RawChannel channel =
                worker.allocateRaw(CHANNEL); // which waits when it is full, unless it is told otherwise
        if (worker.index() == CONSUMER) {
            consume(channel);
        } else {
            produce(worker.index(), channel.pusher(CONSUMER));
        }
        channel.close(); // of the consumer: what still comes is discarded, so that nobody waits for it any more
        return null;
    }

    private void produce(final int own, final RawPusher pusher) {
        final UnsafeBuffer message = new UnsafeBuffer(new byte[MESSAGE_LENGTH]);
        final long endNs = System.nanoTime() + duration.toNanos();
        long nowNs = System.nanoTime();
        while (nowNs - endNs < 0) {
            message.putLong(0, counts.get(own));
            pusher.push(message, 0, MESSAGE_LENGTH);
            counts.lazySet(own, counts.get(own) + 1);
            final long tookNs = System.nanoTime() - nowNs;
            nowNs += tookNs;
            waitedNs += tookNs < WAIT_MIN_NS ? 0 : tookNs;
        }
    }

    private void consume(final RawChannel channel) throws InterruptedException {
        final long endNs = System.nanoTime() + duration.plus(CONSUMER_LATER).toNanos();
        while (System.nanoTime() - endNs < 0) {
            channel.puller().poll(this::onMessage, POLL_LIMIT);
            Thread.sleep(WORK_MS);
        }
    }

    private void onMessage(final DirectBuffer buffer, final int offset, final int length, final int sourceWorker) {
        final long number = buffer.getLong(offset);
        if (number != counts.get(sourceWorker) || length != MESSAGE_LENGTH) {
            throw new IllegalStateException("sourceWorker=" + sourceWorker + " expected=" + counts.get(sourceWorker)
                    + " number=" + number + " length=" + length);
        }
        counts.lazySet(sourceWorker, number + 1);
    }

    private long total() {
        return IntStream.range(0, processes).mapToLong(counts::get).sum();
    }

    @Override
    void judge(final List<Event> results, final long directLimit, final Figures figures) {
        final Event consumer = results.get(CONSUMER);
        final long[] perSource = IntStream.range(1, processes)
                .mapToLong(source -> consumer.number("from" + source))
                .toArray();
        final double seconds = duration.plus(CONSUMER_LATER).toMillis() / 1e3;
        final double min = LongStream.of(perSource).min().orElse(0) / seconds;
        final double max = LongStream.of(perSource).max().orElse(0) / seconds;
        final List<Event> producers = results.subList(1, processes);
        final double waitedNs = producers.stream()
                .mapToLong(each -> each.number("waitedNs"))
                .average()
                .orElse(0);
        final double waited = waitedNs / duration.toNanos();
        figures.put("processes", processes)
                .put("seconds", duration.toSeconds())
                .put(
                        "pushed",
                        producers.stream()
                                .mapToLong(each -> each.number("count"))
                                .sum())
                .put("pulled", consumer.number("count"))
                .put("pulledPerSecond", consumer.number("count") / seconds)
                .put("perSourceMinPerSecond", min)
                .put("perSourceMaxPerSecond", max)
                .put("producersWaitedPart", waited)
                .put("directMax", consumer.number("directMax"))
                .put("directLimit", directLimit)
                .put("heapMax", consumer.number("heapMax"));
        figures.expect(consumer.number("directMax") <= directLimit, "more direct memory than the settings allow");
        figures.expect(min > 0 && min >= FAIRNESS_MIN * max, "some process was left behind");
        figures.expect(waited >= WAITED_MIN, "the consumer was not the slower one");
    }

    static final class Count implements ITypeConverter<Integer> {
        static final int MIN = 2;
        static final int MAX = 16;

        @Override
        public Integer convert(final String text) {
            if (text.matches("\\d{1,2}") && Integer.parseInt(text) >= MIN && Integer.parseInt(text) <= MAX) {
                return Integer.valueOf(text);
            }
            throw new TypeConversionException(
                    "must be a whole number, " + MIN + " to " + MAX + ", but is '" + text + "'");
        }
    }
}
