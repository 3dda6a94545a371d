package io.hawser.allocator;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * A channel of messages of one type between all workers of a cluster, as one of them sees it: a way to push to each worker, itself included, and
 * a place to pull what the others have pushed to it. All workers that allocate the same id share one channel, and have to mean the same
 * type of messages.
 *
 * <p>For each (channel, source, target) messages are first in, first out, whether they were pushed to one worker or broadcast; none is lost
 * before a clean end.
 *
 * <p>Messages that are too long to be held in memory, and messages that are kept where they lie, need a channel of bytes: {@link Worker#allocateRaw(int)}.
 *
 * <p><em>Threading:</em> the worker's thread.
 *
 * @param <T> the type of the messages
 */
public final class Channel<T> implements AutoCloseable {
    private final int id;
    private final Pusher<T>[] pushers;
    private final Pusher<T> broadcaster;
    private final Puller<T> puller;
    private final ChannelEnds ends;

    Channel(
            final int id,
            final Pusher<T>[] pushers,
            final Pusher<T> broadcaster,
            final Puller<T> puller,
            final ChannelEnds ends) {
        this.id = id;
        this.pushers = pushers;
        this.broadcaster = broadcaster;
        this.puller = puller;
        this.ends = ends;
    }

    /**
     * The number by which the workers mean the same channel.
     *
     * @return the id, 0 or more
     */
    public int id() {
        return id;
    }

    /**
     * The pusher to one worker.
     *
     * @param target global index of the worker, the own one included
     * @return always the same pusher
     * @throws IndexOutOfBoundsException if there is no such worker
     * @throws IllegalArgumentException  if the worker is no member of the channel's dataflow
     */
    public Pusher<T> pusher(final int target) {
        return Worker.checkMember(pushers[Worker.checkIndex(target, pushers.length)], target);
    }

    /**
     * The pushers to all workers, or to all members of the channel's dataflow.
     *
     * @return one for each, in the order of the workers' indexes, unmodifiable
     */
    public List<Pusher<T>> pushers() {
        return Arrays.stream(pushers).filter(Objects::nonNull).toList();
    }

    /**
     * The pusher to all workers at once, the own one included. Each process gets a message once, and its workers share it.
     *
     * @return always the same pusher
     */
    public Pusher<T> broadcaster() {
        return broadcaster;
    }

    /**
     * What was pushed to this worker.
     *
     * @return always the same puller
     */
    public Puller<T> puller() {
        return puller;
    }

    /**
     * Sends what was pushed. The same as {@link Worker#flush()}: messages of all channels share the way out.
     *
     * @throws IllegalStateException if a claim is open
     * @throws io.hawser.fate.HealthLostException if the cluster is lost
     */
    public void flush() {
        ends.flush();
    }

    /**
     * Closes this worker's ends of the channel as {@link #close()} does, and lets those who push to this worker know that nobody reads any more: graceful, no failure. Each learns it when something that it has pushed arrives; then its pushes to
     * this worker return {@link PushResult#RECEIVER_GONE}, and one that waits for room goes on.
     *
     * @throws IllegalStateException as {@link #close()}
     * @throws io.hawser.fate.HealthLostException if the cluster is lost
     */
    public void drop() {
        ends.drop();
    }

    /**
     * Closes this worker's ends of the channel. What it has pushed is sent; if it spilled, this waits until that has left. What the others push to this worker from now on is discarded,
     * and their credit given back, so that they do not notice. The id cannot be used again, and counts no longer towards
     * {@link io.hawser.transport.ClusterConfig#channelLimit()}. Idempotent.
     *
     * @throws IllegalStateException if a claim is open, a message is being written, it is called from a handler or codec of this channel that is just being shown a
     *     message, or another thread calls; the channel stays open
     * @throws io.hawser.fate.HealthLostException if the cluster is lost
     */
    @Override
    public void close() {
        ends.close();
    }
}
