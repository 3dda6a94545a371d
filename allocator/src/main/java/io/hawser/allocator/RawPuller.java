package io.hawser.allocator;

/**
 * Pulls the messages of a {@link RawChannel} that were pushed to this worker. They are looked at where they lie: in the memory that
 * the socket was read into, or that the other worker wrote.
 *
 * <p>Messages from one worker come in the order in which it pushed them; those from different workers in any order.
 *
 * <p><em>Threading:</em> the worker's thread.
 */
public final class RawPuller {
    private final ChannelQueue queue;
    private final ChannelScope scope;
    private final ProgressStamp progress;
    private final NoticeBox notices;

    RawPuller(
            final ChannelQueue queue, final ChannelScope scope, final ProgressStamp progress, final NoticeBox notices) {
        this.notices = notices;
        this.queue = queue;
        this.scope = scope;
        this.progress = progress;
    }

    /**
     * Shows messages piece by piece, in the pieces that they came in: those that are too long to be put together in memory are read this way. Does not wait, see
     * {@link Worker#park()}.
     *
     * @param handler to be shown each piece. It may push, flush, park and pull from other channels, but not from this one
     * @param limit   how many pieces at most
     * @return how many pieces it was
     * @throws IllegalStateException if it is called from a handler of this channel, or the channel is closed
     * @throws io.hawser.fate.HealthLostException if the cluster is lost
     */
    public int pollFragments(final FragmentHandler handler, final int limit) {
        progress.step();
        scope.check();
        notices.show();
        int count = 0;
        while (count < limit && queue.pollFragment(handler)) {
            count++;
            scope.check();
            notices.show();
        }
        return count;
    }

    /**
     * Keeps the message that a handler is just being shown, beyond the call: where it lies, or a copy if that would keep much memory for a few bytes.
     *
     * @return the message, to be closed by whoever is the last to need it
     * @throws IllegalStateException if it is not called from within a handler of {@link #poll}; pieces that {@link #pollFragments} shows cannot be retained
     */
    public RetainedMessage retain() {
        return queue.retain();
    }

    /**
     * Shows messages to a handler until there are none at the moment, or the limit is reached. Does not wait, see
     * {@link Worker#park()}.
     *
     * @param handler to be shown each message. It may push, flush, park and pull from other channels, but not from this one
     * @param limit   how many messages at most
     * @return how many messages it was
     * @throws io.hawser.transport.MessageTooLargeException if a message is too long to be put together in memory; it stays where it is, for
     *     {@link #pollFragments}
     * @throws IllegalStateException if it is called from a handler of this channel, or the channel is closed
     * @throws io.hawser.fate.HealthLostException if the cluster is lost
     */
    public int poll(final MessageHandler handler, final int limit) {
        progress.step();
        scope.check();
        notices.show();
        int count = 0;
        while (count < limit && queue.hasMessage()) {
            queue.beginUse();
            try {
                handler.onMessage(queue.buffer(), queue.messageOffset(), queue.messageLength(), queue.sourceWorker());
            } finally {
                queue.consume();
            }
            count++;
            scope.check(); // a long backlog must not keep a worker from the news
            notices.show();
        }
        return count;
    }
}
