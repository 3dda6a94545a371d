package io.hawser.jmh.peers;

import io.hawser.allocator.Dataflow;
import io.hawser.allocator.MessageHandler;
import io.hawser.allocator.RawChannel;
import io.hawser.allocator.Worker;
import java.nio.ByteOrder;

/**
 * The flood of small messages over many channels, one burst on each in turn, so that each lane needs credit of its own.
 *
 * <p><em>Threading:</em> the worker's thread.
 */
final class HawserChannels {
    private static final int BURST = 64;
    private static final int POLL_LIMIT = 1_024;

    private final Part part;
    private final Worker worker;
    private final HawserIdle idle;
    private final RawChannel[] channels;

    /**
     * Opens the channels.
     *
     * @param channelCount over how many channels the messages are spread
     * @param perDataflow  how many channels each has beside it in a dataflow of its own, itself included; 0 for channels of the cluster
     */
    HawserChannels(
            final Part part,
            final Worker worker,
            final HawserIdle idle,
            final int channelCount,
            final int perDataflow) {
        this.part = part;
        this.worker = worker;
        this.idle = idle;
        channels = new RawChannel[channelCount];
        for (int i = 0; i < channelCount; i++) {
            channels[i] = perDataflow == 0 ? worker.allocateRaw(i) : first(worker.dataflow(i + 1L), perDataflow);
        }
    }

    private static RawChannel first(final Dataflow dataflow, final int count) {
        final RawChannel first = dataflow.allocateRaw(0);
        for (int i = 1; i < count; i++) {
            dataflow.allocateRaw(i);
        }
        return first;
    }

    ResultLine flood() {
        final HawserOutlet[] outlets = new HawserOutlet[channels.length];
        for (int i = 0; i < outlets.length; i++) {
            outlets[i] = new HawserOutlet(
                    channels[i].pusher(1 - worker.index()),
                    worker,
                    part.workload().messageLength(),
                    false);
        }
        final Flood flood = new Flood(false, part.window());
        for (int turn = 0; !flood.isOver(); turn = (turn + 1) % outlets.length) {
            flood.step(outlets[turn], BURST);
        }
        flood.end(outlets[0]);
        return flood.result();
    }

    ResultLine receive() {
        final Sink sink = new Sink(false, part.window());
        final Counts counts = new Counts(sink);
        final MessageHandler[] handlers = new MessageHandler[channels.length];
        for (int i = 0; i < handlers.length; i++) {
            handlers[i] = counts.handler(i, channels.length);
        }
        while (!sink.isEnded()) {
            int received = 0;
            for (int i = 0; i < channels.length; i++) {
                received += channels[i].puller().poll(handlers[i], POLL_LIMIT);
            }
            counts.endIfComplete();
            if (received == 0 && !sink.isEnded()) {
                idle.idle(worker);
            }
        }
        return sink.result();
    }

    /** Checks the order on each channel, which the numbers tell, and hands the messages to the sink as if they had come in one row. */
    private static final class Counts {
        private final Sink sink;
        private long received;
        private long sent = -1;

        private Counts(final Sink sink) {
            this.sink = sink;
        }

        private MessageHandler handler(final int channel, final int channelCount) {
            final long[] next = {(long) channel * BURST};
            return (buffer, offset, length, source) -> {
                final long first = buffer.getLong(offset, ByteOrder.LITTLE_ENDIAN);
                final long last = buffer.getLong(offset + length - Long.BYTES, ByteOrder.LITTLE_ENDIAN);
                if (first == Payload.END) {
                    sent = last;
                } else if (first == next[0] && last == ~first) {
                    next[0] = (first + 1) % BURST == 0 ? first + 1 + (channelCount - 1L) * BURST : first + 1;
                    sink.onMessage(received, ~received, length);
                    received++;
                } else {
                    throw BadMessageException.at(next[0], first, last, length);
                }
            };
        }

        private void endIfComplete() {
            if (received == sent) {
                sink.onMessage(Payload.END, sent, 2 * Long.BYTES);
            }
        }
    }
}
