package io.hawser.allocator;

import org.agrona.concurrent.UnsafeBuffer;

/**
 * Pulls the messages of a {@link Channel} that were pushed to this worker. They are decoded straight out of the memory that the socket
 * was read into, or that the other worker wrote.
 *
 * <p>Messages from one worker come in the order in which it pushed them; those from different workers in any order.
 *
 * <p><em>Threading:</em> the worker's thread.
 *
 * @param <T> the type of the messages
 */
public final class Puller<T> {
    private final ChannelQueue queue;
    private final Codec<T> codec;
    private final ChannelScope scope;
    private final ProgressStamp progress;
    private final NoticeBox notices;

    /** Covers one message and no more, so that a codec that miscounts reads no other. */
    private final UnsafeBuffer view = new UnsafeBuffer(0, 0);

    private int sourceWorker = -1;

    Puller(
            final ChannelQueue queue,
            final Codec<T> codec,
            final ChannelScope scope,
            final ProgressStamp progress,
            final NoticeBox notices) {
        this.notices = notices;
        this.queue = queue;
        this.codec = codec;
        this.scope = scope;
        this.progress = progress;
    }

    /**
     * Pulls the next message. Does not wait, see {@link Worker#park()}. If the codec throws, that is thrown here, and the message
     * counts as pulled.
     *
     * @return the message; null if there is none at the moment
     * @throws IllegalStateException if it is called from the codec of this channel, the codec returned null, or the channel is closed
     * @throws io.hawser.fate.HealthLostException if the cluster is lost
     */
    public T pull() {
        progress.step();
        scope.check();
        notices.show();
        return queue.hasMessage() ? decode() : null;
    }

    /**
     * Who pushed the message that was pulled last.
     *
     * @return global index of the worker; -1 before the first message
     */
    public int sourceWorker() {
        return sourceWorker;
    }

    private T decode() {
        queue.beginUse();
        try {
            sourceWorker = queue.sourceWorker();
            view.wrap(queue.buffer(), queue.messageOffset(), queue.messageLength());
            final T message = codec.decode(view, 0, queue.messageLength());
            if (message == null) {
                throw new IllegalStateException("a codec decoded to null: channelId=" + queue.channelId());
            }
            return message;
        } finally {
            queue.consume();
        }
    }
}
