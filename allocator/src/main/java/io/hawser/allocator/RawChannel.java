package io.hawser.allocator;

/**
 * A channel of bytes between all workers of a cluster, as one of them sees it: a way to push to each worker, itself included, and a place to
 * pull what the others have pushed to it. All workers that allocate the same id share one channel.
 *
 * <p>For each (channel, source, target) messages are first in, first out, whether they were pushed to one worker or broadcast; none is lost
 * before a clean end.
 *
 * <p><em>Threading:</em> the worker's thread.
 */
public final class RawChannel implements AutoCloseable {
    private final int id;
    private final RawPusher[] pushers;
    private final RawPusher broadcaster;
    private final RawPuller puller;
    private final ChannelEnds ends;

    RawChannel(
            final int id,
            final RawPusher[] pushers,
            final RawPusher broadcaster,
            final RawPuller puller,
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
    public RawPusher pusher(final int target) {
        return Worker.checkMember(pushers[Worker.checkIndex(target, pushers.length)], target);
    }

    /**
     * The pusher to all workers, the own one included. Each process gets a message once, and its workers share it.
     *
     * @return always the same pusher
     */
    public RawPusher broadcaster() {
        return broadcaster;
    }

    /**
     * What was pushed to this worker.
     *
     * @return always the same puller
     */
    public RawPuller puller() {
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
