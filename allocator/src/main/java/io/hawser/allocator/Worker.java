package io.hawser.allocator;

import io.hawser.fate.Health;
import io.hawser.transport.ClusterConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.agrona.DirectBuffer;

/**
 * One worker of a cluster, as its own code sees it: who it is, the channels it allocates, and the wait for what arrives in them.
 *
 * <pre>{@code
 * Channel<Long> channel = worker.allocate(0, Codecs.int64());
 * channel.pusher((worker.index() + 1) % worker.peers()).push(42L);
 * Long message = channel.puller().pull();
 * while (message == null) {
 *     worker.park();
 *     message = channel.puller().pull();
 * }
 * }</pre>
 *
 * <p>Once the cluster is lost, every call that pushes, pulls, flushes or waits throws {@link io.hawser.fate.HealthLostException}; one that waits
 * is woken for it.
 *
 * <p><em>Threading:</em> the worker's thread, except {@link #health()} and {@link #progress()}, which are for any. Calls that are not made for
 * each message check that.
 */
public final class Worker {
    private final ClusterConfig config;
    private final long generation;
    private final int index;
    private final Health health;
    private final ProgressStamp progress;
    private final Intake intake;
    private final Outbox outbox;
    private final Notices notices;
    private final NoticeBox noticeBox;

    /** Set once, by the thread itself. */
    private Thread thread;

    Worker(
            final ClusterConfig config,
            final long generation,
            final int index,
            final Health health,
            final ProgressStamp progress,
            final Intake intake,
            final Outbox outbox,
            final Notices notices,
            final NoticeBox noticeBox) {
        this.notices = notices;
        this.noticeBox = noticeBox;
        this.config = config;
        this.generation = generation;
        this.index = index;
        this.health = health;
        this.progress = progress;
        this.intake = intake;
        this.outbox = outbox;
    }

    static int checkIndex(final int target, final int workerCount) {
        if (target < 0 || target >= workerCount) {
            throw new IndexOutOfBoundsException("no such worker: target=" + target + " peers=" + workerCount);
        }
        return target;
    }

    /**
     * Which worker of the cluster this is.
     *
     * @return the global index, 0…{@link #peers()} − 1
     */
    public int index() {
        return index;
    }

    /**
     * Which worker of its process this is.
     *
     * @return the index, 0…workers per process − 1
     */
    public int localIndex() {
        return index - config.firstWorker(config.processIndex());
    }

    /**
     * How many workers the cluster has, this one included.
     *
     * @return the count over all processes
     */
    public int peers() {
        return config.workerCount();
    }

    /**
     * Which process this worker runs in.
     *
     * @return the index of the process
     */
    public int processIndex() {
        return config.processIndex();
    }

    /**
     * How many processes the cluster has.
     *
     * @return the count, at least 1
     */
    public int processCount() {
        return config.processCount();
    }

    /**
     * Which generation of the cluster this is.
     *
     * @return the generation that the processes have agreed on, at least 1
     */
    public long generation() {
        return generation;
    }

    /**
     * The health of the cluster.
     *
     * @return the root scope
     */
    public Health health() {
        return health;
    }

    /**
     * Grows with each call of this worker into the library: two equal values some time apart mean a worker that computes for long, or
     * is stuck.
     *
     * @return a number that never falls
     */
    public long progress() {
        return progress.value();
    }

    /**
     * Allocates a channel of typed messages. What the others have pushed to it before is not lost.
     *
     * @param channelId the number by which all workers mean this channel, 0 or more
     * @param codec     how messages lie in memory
     * @param <T>       the type of the messages
     * @return the channel
     * @throws IllegalArgumentException if the id is negative
     * @throws IllegalStateException    if this worker has allocated that id before, or has {@link ClusterConfig#channelLimit()} channels open; closed ones count until the workers of this
     *     process have read what was pushed to them
     * @throws io.hawser.fate.HealthLostException if the cluster is lost
     */
    public <T> Channel<T> allocate(final int channelId, final Codec<T> codec) {
        Objects.requireNonNull(codec, "codec");
        return allocate(channelId, codec, OnFull.WAIT);
    }

    /**
     * Allocates a channel of typed messages. What the others have pushed to it before is not lost.
     *
     * @param channelId the number by which all workers mean this channel, 0 or more; not one that this worker has closed
     * @param codec     how messages lie in memory
     * @param onFull    what this worker's pushes do when a target takes no more
     * @param <T>       the type of the messages
     * @return the channel
     * @throws IllegalArgumentException if the id is negative
     * @throws IllegalStateException    if this worker has allocated that id before, has {@link ClusterConfig#channelLimit()} channels open, or shall spill without a spill store; closed ones count until the
     *     workers of this process have read what was pushed to them
     * @throws SpillException           if the directory for spilling cannot be used
     * @throws io.hawser.fate.HealthLostException if the cluster is lost
     */
    public <T> Channel<T> allocate(final int channelId, final Codec<T> codec, final OnFull onFull) {
        Objects.requireNonNull(codec, "codec");
        Objects.requireNonNull(onFull, "onFull");
        checkChannel(channelId);
        final ChannelOut out = outbox.open(channelId, onFull);
        final ChannelQueue queue = intake.allocate(channelId);
        final List<Pusher<T>> pushers = new ArrayList<>();
        for (final Outlet outlet : out.toEach()) {
            pushers.add(new Pusher<>(outlet, codec));
        }
        final Pusher<T> broadcaster = new Pusher<>(out.toAll(), codec);
        return new Channel<>(
                channelId,
                pushers,
                broadcaster,
                new Puller<>(queue, codec, health, progress, noticeBox),
                new ChannelEnds(this, out, queue));
    }

    /**
     * Allocates a channel of bytes. What the others have pushed to it before is not lost.
     *
     * @param channelId the number by which all workers mean this channel, 0 or more
     * @return the channel
     * @throws IllegalArgumentException if the id is negative
     * @throws IllegalStateException    if this worker has allocated that id before, or has {@link ClusterConfig#channelLimit()} channels open; closed ones count until the workers of this
     *     process have read what was pushed to them
     * @throws io.hawser.fate.HealthLostException if the cluster is lost
     */
    public RawChannel allocateRaw(final int channelId) {
        return allocateRaw(channelId, OnFull.WAIT);
    }

    /**
     * Allocates a channel of bytes. What the others have pushed to it before is not lost.
     *
     * @param channelId the number by which all workers mean this channel, 0 or more; not one that this worker has closed
     * @param onFull    what this worker's pushes do when a target takes no more
     * @return the channel
     * @throws IllegalArgumentException if the id is negative
     * @throws IllegalStateException    if this worker has allocated that id before, has {@link ClusterConfig#channelLimit()} channels open, or shall spill without a spill store; closed ones count until the
     *     workers of this process have read what was pushed to them
     * @throws SpillException           if the directory for spilling cannot be used
     * @throws io.hawser.fate.HealthLostException if the cluster is lost
     */
    public RawChannel allocateRaw(final int channelId, final OnFull onFull) {
        Objects.requireNonNull(onFull, "onFull");
        checkChannel(channelId);
        final ChannelOut out = outbox.open(channelId, onFull);
        final ChannelQueue queue = intake.allocate(channelId);
        final RawPusher[] pushers = new RawPusher[out.toEach().size()];
        for (int target = 0; target < pushers.length; target++) {
            pushers[target] = new RawPusher(out.toEach().get(target), outbox);
        }
        final RawPusher broadcaster = new RawPusher(out.toAll(), outbox);
        return new RawChannel(
                channelId,
                pushers,
                broadcaster,
                new RawPuller(queue, health, progress, noticeBox),
                new ChannelEnds(this, out, queue));
    }

    /** Closes both ends of a channel. */
    void close(final ChannelOut out, final ChannelQueue queue) {
        if (!out.isClosed()) {
            enter();
            outbox.checkClosable(out);
            queue.checkClosable();
            intake.close(
                    queue); // first: of workers that close at once with spilled messages, each waits for the others to
            // discard them
            outbox.close(out);
        }
    }

    /**
     * Sends what was pushed to all channels. Does not wait.
     *
     * @throws IllegalStateException if a claim is open, or another thread calls
     * @throws io.hawser.fate.HealthLostException if the cluster is lost
     */
    public void flush() {
        enter();
        outbox.flush();
    }

    /**
     * Flushes, and waits until something can be pulled from one of this worker's channels, a notice has been shown to its handler, or a push that was refused may be tried again; returns at once if so. A message that
     * stays unpulled in an allocated channel therefore keeps the worker awake. What arrives for channels that are not allocated yet does not.
     *
     * <p>Returns early, with the interrupt status as it is, if the thread is interrupted.
     *
     * @throws EndOfStreamException  if nothing can arrive any more
     * @throws IllegalStateException if a claim is open, or another thread calls
     * @throws io.hawser.fate.HealthLostException if the cluster is lost, now or while this waits
     */
    public void park() {
        enter();
        outbox.flush();
        intake.await(Long.MAX_VALUE);
    }

    /**
     * As {@link #park()}, but for a limited time.
     *
     * @param timeout how long at most
     * @return true if something can be pulled, a notice has been shown, or a push that was refused may be tried again; false if the time ran out, or the thread was interrupted
     * @throws EndOfStreamException  if nothing can arrive any more
     * @throws IllegalStateException if a claim is open, or another thread calls
     * @throws io.hawser.fate.HealthLostException if the cluster is lost, now or while this waits
     */
    public boolean park(final Duration timeout) {
        enter();
        outbox.flush();
        return intake.await(Timeouts.nanos(timeout));
    }

    /**
     * Sends a notice to a worker: a small message that waits for no data and for no channel's credit, and so overtakes what was pushed before. Notices of this worker arrive in order, each once. Does
     * not block, and needs no flush.
     *
     * <p>What this process has sent to that worker, and it has not been shown, is bounded by {@link io.hawser.transport.Notice#WINDOW}. Beyond that nothing is sent: try again later.
     *
     * @param target    global index of the worker, the own one included
     * @param channelId the channel that it is about, or {@link io.hawser.transport.Notice#NO_CHANNEL}
     * @param kind      the engine's own number of what it is
     * @param body      that holds the body; the caller's again when this returns
     * @param offset    of the body
     * @param length    of the body in bytes, 0…{@link io.hawser.transport.Notice#LENGTH_MAX}
     * @return {@link PushResult#REFUSED} if the window is full; nothing was sent then
     * @throws io.hawser.transport.MessageTooLargeException if the body is longer than that
     * @throws IndexOutOfBoundsException if there is no such worker, or the body does not lie in its buffer
     * @throws IllegalStateException     if another thread calls
     * @throws io.hawser.fate.HealthLostException if the cluster is lost
     */
    public PushResult notify(
            final int target,
            final int channelId,
            final int kind,
            final DirectBuffer body,
            final int offset,
            final int length) {
        enter();
        return notices.send(index, target, channelId, kind, body, offset, length);
    }

    /**
     * Says who is shown the notices for this worker: from then on {@link #park()}, and each pull and poll before it looks for data, first shows those that have come. Not while a push waits, but also while a claim is open, if something is pulled then. Whoever
     * wants to hear then pushes with {@link OnFull#REFUSE} and parks. Until there is a handler notices wait, and their senders are refused once the window is full. What has not been shown when the
     * worker ends is dropped.
     *
     * @param handler is called by this worker's thread, and not again while it runs; null for none
     * @throws IllegalStateException if another thread calls
     * @throws io.hawser.fate.HealthLostException if the cluster is lost
     */
    public void onNotice(final NoticeHandler handler) {
        enter();
        noticeBox.handler(handler);
    }

    /**
     * Flushes, and waits until a notice has been shown to the handler, whether there is something to pull or not; also where no message can arrive any more, since a thread that is no worker may
     * still send one.
     *
     * @param timeout how long at most
     * @return true if one has been shown; false if the time ran out, there is no handler till then, or the thread was interrupted
     * @throws IllegalStateException if a claim is open, or another thread calls
     * @throws io.hawser.fate.HealthLostException if the cluster is lost, now or while this waits
     */
    public boolean awaitNotice(final Duration timeout) {
        enter();
        outbox.flush();
        return intake.awaitNotice(Timeouts.nanos(timeout));
    }

    void bindTo(final Thread ownThread) {
        thread = ownThread;
    }

    /**
     * Waits until a push that was refused may be tried again, whether something can be pulled or not. Flushes first.
     *
     * @param timeout how long at most
     * @return true if there is room, or nothing was refused; false if the time ran out, or the thread was interrupted
     * @throws IllegalStateException if a claim is open, or another thread calls
     * @throws io.hawser.fate.HealthLostException if the cluster is lost, now or while this waits
     */
    public boolean awaitRoom(final Duration timeout) {
        enter();
        outbox.flush();
        return outbox.room().awaitRoom(Timeouts.nanos(timeout));
    }

    /**
     * The clean end of what it sends: everything pushed is on its way. Nothing more is pulled, and what was not pulled is given back first: two workers that
     * both wait to send what they have spilled must not wait for each other to read.
     */
    void finish() {
        if (outbox.room().hasSpilled()) {
            intake.close();
        }
        outbox.finish();
    }

    /** Gives back all memory, whatever happened before. */
    void close() {
        try {
            outbox.close();
        } finally {
            intake.close();
        }
    }

    private void checkChannel(final int channelId) {
        enter();
        if (channelId < 0) {
            throw new IllegalArgumentException("must not be negative: channelId=" + channelId);
        }
        intake.checkUnused(channelId);
    }

    /** What every call does that is not made for each message. */
    private void enter() {
        final Thread caller = Thread.currentThread();
        if (caller != thread) {
            throw new IllegalStateException("a worker is for its own thread only: workerThread="
                    + (thread == null ? "none" : thread.getName())
                    + " callingThread="
                    + caller.getName());
        }
        progress.step();
        health.check();
    }
}
