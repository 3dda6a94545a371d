package io.hawser.examples;

import io.hawser.allocator.Cluster;
import io.hawser.allocator.MessageWriter;
import io.hawser.allocator.RawChannel;
import io.hawser.allocator.Worker;
import io.hawser.tools.Event;
import io.hawser.tools.Numbers;
import io.hawser.transport.ClusterConfig;
import io.hawser.transport.ClusterConfigBuilder;
import java.time.Duration;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * One message that is larger than all memory of the processes, written and read piece by piece. Meanwhile two other workers of the same processes play ping-pong
 * over the same connection.
 *
 * <p><em>Threading:</em> the main thread takes samples; each process has two workers.
 */
@Command(
        name = "big-message",
        description = "A message larger than any memory, with pings beside it.",
        sortOptions = false,
        usageHelpAutoWidth = true)
final class BigMessage extends Example {
    private static final int SENDER = 0;
    private static final int PINGER = 1;
    private static final int RECEIVER = 2;
    private static final int ECHO = 3;

    private static final int BIG = 0;
    private static final int PING = 1;
    private static final int PING_LENGTH = 64;
    private static final int PIECE_LENGTH = 64 * 1024;
    private static final int POLL_LIMIT = 64;

    /** As long as pings are played without the big message, at first to warm up, then to be measured. */
    private static final Duration ALONE = Duration.ofSeconds(1);

    /** What a ping says: that it wants an answer, or is the last one. */
    private static final long ANSWER = 1;

    private static final long END = 2;
    private static final double NS_PER_US = 1_000;

    @Option(
            names = "--size",
            paramLabel = "<bytes>",
            defaultValue = "4g",
            converter = ByteCount.class,
            description = "of the big message, such as 64m or 4g (default: ${DEFAULT-VALUE})")
    private long size;

    private final Histogram pingsAloneNs = new Histogram(3);
    private final Histogram pingsBesideNs = new Histogram(3);

    /** The receiver's. */
    private volatile long received;

    private volatile long firstNs;
    private volatile long lastNs;

    /** The pinger's. */
    private boolean isAnswered;

    private boolean isReceived;

    /** The echo's. */
    private boolean isLast;

    @Override
    int processes() {
        return 2;
    }

    @Override
    void configure(final ClusterConfigBuilder settings) {
        settings.workersPerProcess(2)
                .channelLimit(2)
                .floatingWindow(8 << 20)
                .channelWindowMax(8 << 20)
                .messageLimit(Math.max(size, PING_LENGTH));
    }

    @Override
    Event run(final ClusterConfig config) throws Exception {
        try (Cluster<Void> cluster = Cluster.execute(config, this::work)) {
            final Samples samples = Samples.untilEndOf(cluster, this::line);
            return Told.newResult()
                    .with("heapMax", samples.heapMax())
                    .with("directMax", samples.directMax())
                    .with("seconds", (lastNs - firstNs) / 1e9)
                    .with("aloneP50Us", pingsAloneNs.getValueAtPercentile(50) / NS_PER_US)
                    .with("aloneP99Us", pingsAloneNs.getValueAtPercentile(99) / NS_PER_US)
                    .with("besideP50Us", pingsBesideNs.getValueAtPercentile(50) / NS_PER_US)
                    .with("besideP99Us", pingsBesideNs.getValueAtPercentile(99) / NS_PER_US)
                    .with("besideCount", pingsBesideNs.getTotalCount());
        }
    }

    private Void work(final Worker worker) {
        final RawChannel pings = worker.allocateRaw(PING);
        switch (worker.index()) {
            case SENDER -> send(worker, pings);
            case RECEIVER -> receive(worker, pings);
            case PINGER -> ping(worker, pings);
            default -> echo(worker, pings);
        }
        return null;
    }

    private void send(final Worker worker, final RawChannel pings) {
        while (pings.puller().poll((buffer, offset, length, source) -> {}, 1) == 0) {
            worker.park(); // until the pinger has seen how fast pings are alone
        }
        final UnsafeBuffer piece = new UnsafeBuffer(new byte[PIECE_LENGTH]);
        try (MessageWriter writer = worker.allocateRaw(BIG).pusher(RECEIVER).write(size)) {
            while (writer.remaining() > 0) {
                final int length = (int) Math.min(PIECE_LENGTH, writer.remaining());
                Content.fill(piece, length, size - writer.remaining());
                writer.write(piece, 0, length); // waits while the receiver has enough
            }
        }
    }

    private void receive(final Worker worker, final RawChannel pings) {
        final RawChannel big = worker.allocateRaw(BIG);
        while (received < size) {
            if (big.puller().pollFragments(this::onFragment, POLL_LIMIT) == 0) {
                worker.park();
            }
        }
        lastNs = System.nanoTime();
        say(pings, PINGER, END);
    }

    private void onFragment(
            final DirectBuffer buffer,
            final int offset,
            final int length,
            final int sourceWorker,
            final long position,
            final long messageLength) {
        if (position == 0) {
            firstNs = System.nanoTime();
        }
        if (position != received || messageLength != size || !Content.isRight(buffer, offset, length, position)) {
            throw new IllegalStateException("wrong: position=" + position + " length=" + length + " received="
                    + received + " messageLength=" + messageLength);
        }
        received = position + length;
    }

    private void ping(final Worker worker, final RawChannel pings) {
        pingFor(ALONE, worker, pings);
        pingsAloneNs.reset();
        pingFor(ALONE, worker, pings);
        say(pings, SENDER, END);
        while (!isReceived) {
            pingOnce(worker, pings, pingsBesideNs);
        }
        say(pings, ECHO, END);
    }

    private void pingFor(final Duration duration, final Worker worker, final RawChannel pings) {
        final long endNs = System.nanoTime() + duration.toNanos();
        while (System.nanoTime() - endNs < 0) {
            pingOnce(worker, pings, pingsAloneNs);
        }
    }

    private void pingOnce(final Worker worker, final RawChannel pings, final Histogram histogramNs) {
        final long sentNs = System.nanoTime();
        isAnswered = false;
        say(pings, ECHO, ANSWER);
        while (!isAnswered) {
            worker.park(); // flushes first
            pings.puller().poll(this::onAnswer, POLL_LIMIT);
        }
        histogramNs.recordValue(System.nanoTime() - sentNs);
    }

    private void onAnswer(final DirectBuffer buffer, final int offset, final int length, final int sourceWorker) {
        isAnswered |= sourceWorker == ECHO;
        isReceived |= sourceWorker == RECEIVER;
    }

    private void echo(final Worker worker, final RawChannel pings) {
        while (!isLast) {
            worker.park();
            pings.puller()
                    .poll(
                            (buffer, offset, length, source) -> {
                                isLast = buffer.getLong(offset) == END;
                                if (!isLast) {
                                    pings.pusher(source).push(buffer, offset, length);
                                }
                            },
                            POLL_LIMIT);
        }
    }

    private static void say(final RawChannel pings, final int target, final long what) {
        final int offset = pings.pusher(target).claim(PING_LENGTH);
        pings.pusher(target).buffer().setMemory(offset, PING_LENGTH, (byte) 0);
        pings.pusher(target).buffer().putLong(offset, what);
        pings.pusher(target).commit();
    }

    private String line(final Samples now) {
        return (received == 0 ? "" : "received " + Numbers.fixed(received / 1e9, 2) + " GB, ") + now.memory();
    }

    @Override
    void judge(final List<Event> results, final long directLimit, final Figures figures) {
        final Event sending = results.get(0);
        final Event receiving = results.get(1);
        final double seconds = Double.parseDouble(receiving.text("seconds"));
        figures.put("size", size)
                .put("seconds", seconds)
                .put("mbPerSecond", size / 1e6 / seconds)
                .put("receiverHeapMax", receiving.number("heapMax"))
                .put("receiverDirectMax", receiving.number("directMax"))
                .put("directLimit", directLimit)
                .put("pings", sending.number("besideCount"))
                .put("pingP50Us", Double.parseDouble(sending.text("besideP50Us")))
                .put("pingP99Us", Double.parseDouble(sending.text("besideP99Us")))
                .put("pingUnloadedP50Us", Double.parseDouble(sending.text("aloneP50Us")))
                .put("pingUnloadedP99Us", Double.parseDouble(sending.text("aloneP99Us")));
        figures.expect(
                receiving.number("directMax") <= directLimit && sending.number("directMax") <= directLimit,
                "more direct memory than the settings allow");
        figures.expect(sending.number("besideCount") > 0, "no ping came back");
    }
}
