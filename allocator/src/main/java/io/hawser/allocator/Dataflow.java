package io.hawser.allocator;

import io.hawser.fate.Health;
import io.hawser.fate.HealthLostException;
import io.hawser.fate.ScopeCancelledException;
import io.hawser.fate.ScopeOutcome;
import io.hawser.framing.CancelAnswer;
import io.hawser.transport.Mesh;
import io.hawser.transport.Scope;
import io.hawser.transport.ScopeMembers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * One of the many dataflows (queries, jobs) that run on a cluster at the same time, as one of its workers sees it: with channels, a health and an outcome of its own. What happens in it does not touch the
 * others: if it fails, it fails on all its workers, with the first cause; if it is cancelled, nobody's health suffers.
 *
 * <pre>{@code
 * Dataflow query = worker.dataflow(17);
 * boolean isRunning = query.run(() -> rows = query.allocate(0, Codecs.int64()));
 * while (isRunning && !isDone) {
 *     worker.park();
 *     isRunning = query.run(() -> step(rows));
 * }
 * query.close();
 * }</pre>
 *
 * <p>It ends on this worker by {@link #close()}, and everywhere by {@link #cancel}, {@link #fail}, or the end of the cluster. Once it is stopped every push, pull and wait on its channels throws: a
 * {@link ScopeCancelledException} or a {@link HealthLostException}; whoever waits is woken for it; {@link Worker#park()} returns. Then the worker lets go of all that it holds of it, at the latest in its next call.
 *
 * <p>Members, words and outcomes are those of PROTOCOL.md, "Scopes". That what runs together may fail apart is Erlang's supervision; that a cancel is no failure is the wish of RisingWave's.
 *
 * <p><em>Threading:</em> the worker's thread, except {@link #cancel}, {@link #fail}, {@link #isRunning()}, {@link #check()}, {@link #health()}, {@link #outcome()} and {@link #whenOver()}, which are for
 * any.
 */
public final class Dataflow implements AutoCloseable {

    /**
     * A part of what a dataflow does.
     */
    @FunctionalInterface
    public interface Step {
        /**
         * Does it.
         *
         * @throws Exception fails the dataflow
         */
        void run() throws Exception;
    }

    private final Worker worker;
    private final Mesh mesh;
    private final Scope scope;
    private final ChannelScope channelScope;
    private final PanicCauses causes;
    private final Dataflows dataflows;
    private final Intake intake;
    private final Outbox outbox;
    private final List<ChannelOut> channels = new ArrayList<>();
    private boolean isClosed;

    Dataflow(
            final Worker worker,
            final Mesh mesh,
            final Scope scope,
            final PanicCauses causes,
            final Dataflows dataflows,
            final Intake intake,
            final Outbox outbox) {
        this.worker = worker;
        this.mesh = mesh;
        this.scope = scope;
        this.channelScope = new FlowScope(scope);
        this.causes = causes;
        this.dataflows = dataflows;
        this.intake = intake;
        this.outbox = outbox;
    }

    private record FlowScope(Scope scope) implements ChannelScope {
        @Override
        public long id() {
            return scope.id();
        }

        @Override
        public void check() {
            scope.check();
        }

        @Override
        public boolean isMember(final int worker) {
            return scope.members().contains(worker);
        }
    }

    /**
     * By which number all its workers mean it.
     *
     * @return the id, 1 or more
     */
    public long id() {
        return scope.id();
    }

    /**
     * Which workers take part.
     *
     * @return the members
     */
    public ScopeMembers members() {
        return scope.members();
    }

    /**
     * Its health, a child of the cluster's: to be watched, or to be given to others who share its fate. Losing it fails the dataflow on all its workers.
     *
     * @return the scope of health
     */
    public Health health() {
        return scope.health();
    }

    /**
     * Whether it goes on, as far as this process knows.
     *
     * @return false once it was stopped, or has its outcome
     */
    public boolean isRunning() {
        return !scope.isStopped() && scope.outcome().isEmpty();
    }

    /**
     * Leaves the caller's loop if it was stopped.
     *
     * @throws ScopeCancelledException if it was cancelled
     * @throws HealthLostException     if it has failed, or the cluster is lost
     */
    public void check() {
        scope.check();
    }

    /**
     * Does a part of its work. What the step throws fails the dataflow, on all its workers, and nothing else; unless it was stopped already: then what is thrown is taken for a consequence. A claim that the step has left
     * open is given up.
     *
     * @param step what to do, by this thread, now
     * @return whether the dataflow goes on
     * @throws IllegalStateException if another thread calls
     * @throws HealthLostException   if the cluster is lost
     * @throws OutOfMemoryError      if the step throws that: it concerns the whole process
     */
    public boolean run(final Step step) {
        worker.enter();
        if (isClosed || !isRunning()) {
            return false;
        }
        final boolean hasClaim = outbox.isClaimOpen();
        final long outerId = worker.enterStep(id());
        try {
            step.run();
        } catch (final OutOfMemoryError noMemory) {
            throw noMemory;
        } catch (final Throwable thrown) {
            if (thrown instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            if (!hasClaim) {
                outbox.abortClaim(); // it was the step's, in whatever channel
            }
            mesh.health().check();
            fail(thrown);
            dataflows.reap();
        } finally {
            worker.leaveStep(outerId);
        }
        return isRunning();
    }

    /**
     * Fails it on all its workers.
     *
     * @param reason what went wrong; becomes the cause, unless it was stopped before
     * @return whether it fails by that
     */
    public boolean fail(final Throwable reason) {
        Objects.requireNonNull(reason, "reason");
        return !scope.isStopped() && scope.fail(causes.of(reason));
    }

    /**
     * Ends it on all its workers, wherever they are in it, without a failure: what was pushed and not pulled is dropped, whoever waits in it comes out. Does not wait.
     *
     * @param reason why, for the outcome; what is beyond 512 bytes of UTF-8 is cut off
     * @return what became of it, see {@link Cluster#cancel}
     * @throws HealthLostException if the cluster is lost
     */
    public CompletionStage<CancelAnswer> cancel(final String reason) {
        return mesh.cancelScope(
                id(), worker.isOwnThread() ? worker.index() : -1, Objects.requireNonNull(reason, "reason"));
    }

    /**
     * How it ended, the same on all its workers: known once all of them have ended it, or the cluster is over.
     *
     * @return the outcome, empty until then
     */
    public Optional<ScopeOutcome> outcome() {
        return scope.outcome();
    }

    /**
     * How it ended, for whoever wants to be told.
     *
     * @return completed with the outcome, by a thread of the common pool; never exceptionally
     */
    public CompletionStage<ScopeOutcome> whenOver() {
        return scope.whenOver();
    }

    /**
     * Flushes, and waits until the outcome is known. Meanwhile what was spilled goes on its way, and notices wait.
     *
     * @param timeout how long at most
     * @return the outcome; empty if the time ran out, or the thread was interrupted
     * @throws IllegalStateException if a claim is open, or another thread calls
     * @throws HealthLostException   if the cluster is lost
     */
    public Optional<ScopeOutcome> awaitOutcome(final Duration timeout) {
        worker.enter();
        outbox.flush();
        intake.awaitCondition(() -> scope.outcome().isPresent(), Timeouts.nanos(timeout));
        final Optional<ScopeOutcome> outcome = scope.outcome();
        if (outcome.isPresent() && scope.isStopped()) {
            letGo(); // the bell may ring a moment later, and whoever knows the outcome counts on its channels being
            // free
        }
        return outcome;
    }

    /**
     * Allocates a channel of typed messages between the members, see {@link Worker#allocate(int, Codec)}. Ids of channels count for each dataflow apart.
     *
     * @param channelId the number by which all members mean this channel, 0 or more
     * @param codec     how messages lie in memory
     * @param <T>       the type of the messages
     * @return the channel
     * @throws IllegalArgumentException if the id is negative
     * @throws IllegalStateException    as there, or if the dataflow is closed
     * @throws ScopeCancelledException  if it was cancelled
     * @throws HealthLostException      if it has failed, or the cluster is lost
     */
    public <T> Channel<T> allocate(final int channelId, final Codec<T> codec) {
        return allocate(channelId, codec, OnFull.WAIT);
    }

    /**
     * As {@link #allocate(int, Codec)}, with a choice what a full channel means.
     *
     * @param channelId the number by which all members mean this channel, 0 or more
     * @param codec     how messages lie in memory
     * @param onFull    what this worker's pushes do when a target takes no more
     * @param <T>       the type of the messages
     * @return the channel
     * @throws IllegalArgumentException if the id is negative
     * @throws IllegalStateException    as there, or if the dataflow is closed
     * @throws SpillException           if the directory for spilling cannot be used
     * @throws ScopeCancelledException  if it was cancelled
     * @throws HealthLostException      if it has failed, or the cluster is lost
     */
    public <T> Channel<T> allocate(final int channelId, final Codec<T> codec, final OnFull onFull) {
        checkOpen();
        return worker.allocate(channelScope, channels, channelId, codec, onFull);
    }

    /**
     * Allocates a channel of bytes between the members, see {@link Worker#allocateRaw(int)}. Ids of channels count for each dataflow apart.
     *
     * @param channelId the number by which all members mean this channel, 0 or more
     * @return the channel
     * @throws IllegalArgumentException if the id is negative
     * @throws IllegalStateException    as there, or if the dataflow is closed
     * @throws ScopeCancelledException  if it was cancelled
     * @throws HealthLostException      if it has failed, or the cluster is lost
     */
    public RawChannel allocateRaw(final int channelId) {
        return allocateRaw(channelId, OnFull.WAIT);
    }

    /**
     * As {@link #allocateRaw(int)}, with a choice what a full channel means.
     *
     * @param channelId the number by which all members mean this channel, 0 or more
     * @param onFull    what this worker's pushes do when a target takes no more
     * @return the channel
     * @throws IllegalArgumentException if the id is negative
     * @throws IllegalStateException    as there, or if the dataflow is closed
     * @throws SpillException           if the directory for spilling cannot be used
     * @throws ScopeCancelledException  if it was cancelled
     * @throws HealthLostException      if it has failed, or the cluster is lost
     */
    public RawChannel allocateRaw(final int channelId, final OnFull onFull) {
        checkOpen();
        return worker.allocateRaw(channelScope, channels, channelId, onFull);
    }

    /**
     * This worker has finished its part: all that it has pushed is sent, and what the others still push to it is discarded, their credit given back. Once all members have, the outcome is known: completed, unless
     * somebody has cancelled or failed it. Waits only for what was spilled. Idempotent; no effect once it was stopped.
     *
     * @throws IllegalStateException if a claim is open, a message is being written, it is called from a handler or codec of one of its channels, or another thread calls; it stays open
     * @throws HealthLostException   if the cluster is lost
     */
    @Override
    public void close() {
        worker.enter();
        if (isClosed) {
            return;
        }
        for (final ChannelOut channel : channels) {
            outbox.checkClosable(channel);
        }
        intake.checkClosable(id());
        intake.closeScope(id());
        while (!isClosed && !channels.isEmpty()) { // it may be stopped while what was spilled is waited for
            final ChannelOut channel = channels.get(channels.size() - 1);
            if (!channel.isClosed()) {
                outbox.close(channel);
            }
            channels.remove(channel);
        }
        finish();
    }

    /** All that it has pushed is sent. */
    void finish() {
        if (!isClosed) {
            outbox.flush();
            end();
            scope.complete(worker.index(), outbox.rings());
        }
    }

    /** It was stopped: nothing of it is sent, waited for or kept any more. */
    void letGo() {
        if (!isClosed) {
            channels.forEach(outbox::drop); // also one whose end is just being waited for
            channels.clear();
            end();
            scope.letGo(worker.index(), outbox.rings());
        }
    }

    Scope scope() {
        return scope;
    }

    private void end() {
        isClosed = true;
        intake.closeScope(id());
        dataflows.remove(this);
    }

    private void checkOpen() {
        worker.enter();
        scope.check();
        if (isClosed) {
            throw new IllegalStateException("the dataflow is closed: dataflowId=" + id());
        }
    }

    /**
     * Which it is, and how it is.
     *
     * @return one line
     */
    @Override
    public String toString() {
        return scope.toString();
    }
}
