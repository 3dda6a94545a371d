package io.hawser.allocator;

import io.hawser.allocator.SupervisedOutcomes.Ending;
import io.hawser.fate.Cause;
import io.hawser.fate.CauseKind;
import io.hawser.fate.Clock;
import io.hawser.transport.ClusterConfig;
import io.hawser.transport.Directory;
import io.hawser.transport.Endpoint;
import io.hawser.transport.FormationException;
import io.hawser.transport.Former;
import io.hawser.transport.Roster;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The loop of {@link Cluster#supervise}: form, run, join, decide, form again. It has no thread, timer or state beside it; forming again is forming.
 *
 * <p><em>Threading:</em> the calling thread.
 *
 * @param <R> the type of what a worker ends with
 */
final class Supervisor<R> {
    private static final Logger LOG = LoggerFactory.getLogger(Cluster.class);

    /** Health tells those who wait for the end only that it has come; that it is lost is asked for now and then. */
    private static final Duration JOIN_SLICE = Duration.ofMillis(500);

    /** A list that is just being written may look like another one; so long is waited before it is read once more. */
    private static final long REREAD_MS = 1_000;

    /** Forming that fails before its time, for want of a selector, say, is not tried in a spin. */
    private static final long UNFORMED_PAUSE_MS = 100;

    private static final int FIRST_REMEMBERED = 8;
    private static final int LATEST_REMEMBERED = 24;

    private final SupervisionPolicy policy;
    private final WorkerFunction<? extends R> function;
    private final Clock clock;
    private final List<SupervisedOutcomes.Past> history = new ArrayList<>();
    private ClusterConfig next;

    /** How the directory calls this process; its index may change, its address does not. */
    private Endpoint ownAddress;

    private Handover handover = Handover.NONE;
    private Restarts restarts;
    private Outcomes<R> last;

    Supervisor(final ClusterConfig config, final SupervisionPolicy policy, final WorkerFunction<? extends R> function) {
        this.next = config;
        this.policy = policy;
        this.function = function;
        this.clock = config.clock();
        this.ownAddress =
                config.addresses().isEmpty() ? null : config.addresses().get(config.processIndex());
    }

    SupervisedOutcomes<R> run() throws InterruptedException {
        long sinceNs = clock.nanoTime();
        long limitNs = next.formationTimeoutNs();
        while (true) {
            final long beginNs = clock.nanoTime();
            final Keeping keeping = new Keeping(handover, next.workersPerProcess());
            final Cluster<R> cluster;
            try {
                cluster = Cluster.execute(attempt(limitNs - (beginNs - sinceNs)), policy.onFormed(), function, keeping);
            } catch (final FormationException e) {
                remember(e.report().generation(), false, beginNs, e.report().reason());
                if (e.isFinal() || clock.nanoTime() - sinceNs >= limitNs) {
                    return ended(Ending.NOT_FORMED, e);
                }
                LOG.info("{}", e.getMessage());
                next = next.withGeneration(e.nextGeneration());
                if (!relist()) {
                    return ended(Ending.NOT_LISTED, e);
                }
                TimeUnit.MILLISECONDS.sleep(UNFORMED_PAUSE_MS);
                continue;
            }
            final Ending ending = live(cluster, keeping, clock.nanoTime());
            if (ending != null) {
                return ended(ending, null);
            }
            sinceNs = clock.nanoTime();
            limitNs = policy.formWithinNs();
        }
    }

    private ClusterConfig attempt(final long leftNs) {
        return next.toBuilder()
                .formationTimeout(Duration.ofNanos(Math.max(TimeUnit.MILLISECONDS.toNanos(1), leftNs)))
                .former(handover.from())
                .build();
    }

    /** One generation, from its start to the next one's settings; returns how it ends if there is no next one. */
    private Ending live(final Cluster<R> cluster, final Keeping keeping, final long formedNs)
            throws InterruptedException {
        final Roster roster = cluster.roster();
        if (restarts == null) {
            restarts = new Restarts(
                    policy,
                    new SplittableRandom(next.seed()
                            .orElse(roster.members().get(next.processIndex()).nonce())));
        }
        final Optional<Outcomes<R>> joined;
        try {
            joined = join(cluster);
        } catch (final InterruptedException e) {
            cluster.abort("the thread that supervises the cluster was interrupted");
            throw e;
        } finally {
            cluster.close();
        }
        if (joined.isEmpty()) {
            remember(
                    cluster.generation(),
                    true,
                    formedNs,
                    "a worker did not return after " + cluster.health().rootCause());
            return Ending.STUCK;
        }
        last = joined.get();
        remember(
                cluster.generation(),
                true,
                formedNs,
                last.isClean() ? "ended cleanly" : last.cause().describe());
        if (last.isWorkDone()) {
            return Ending.COMPLETED;
        }
        if (!isRetried(last.cause())) {
            return Ending.NOT_RETRIED;
        }
        if (!restarts.tryRestart(clock.nanoTime(), clock.nanoTime() - formedNs)) {
            return Ending.GAVE_UP;
        }
        handover = keeping.commit(place(cluster, roster));
        return prepareNext(cluster, roster) ? null : Ending.NOT_LISTED;
    }

    private boolean prepareNext(final Cluster<R> cluster, final Roster roster) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(restarts.pauseNs());
        next = next.withGeneration(cluster.generation() + 1);
        if (!relist()) {
            return false;
        }
        next = between(new Interlude(last, roster, handover, next, restarts.count()))
                .withGeneration(cluster.generation() + 1);
        ownAddress = next.addresses().isEmpty() ? null : next.addresses().get(next.processIndex());
        return true;
    }

    private Former place(final Cluster<R> cluster, final Roster roster) {
        return new Former(
                cluster.generation(),
                roster.incarnation(),
                next.processIndex(),
                next.processCount(),
                next.workersPerProcess());
    }

    private ClusterConfig between(final Interlude interlude) throws InterruptedException {
        try {
            return policy.between().apply(interlude);
        } catch (final RuntimeException | InterruptedException e) {
            throw e;
        } catch (final Exception e) {
            throw new IllegalStateException(
                    "what is done between two generations has failed, after "
                            + interlude.cause().describe(),
                    e);
        }
    }

    /** Empty if a worker has not returned in time after the loss. */
    private Optional<Outcomes<R>> join(final Cluster<R> cluster) throws InterruptedException {
        Optional<Outcomes<R>> ended = cluster.join(JOIN_SLICE);
        while (ended.isEmpty() && !cluster.health().isLost()) {
            ended = cluster.join(JOIN_SLICE);
        }
        return ended.isPresent() ? ended : cluster.join(Duration.ofNanos(policy.returnLimitNs()));
    }

    /** After a user's own end nobody goes on, nor does a process that is about to exit. */
    private boolean isRetried(final Cause cause) {
        final boolean isOwnExit =
                cause.kind() == CauseKind.PROCESS_EXITING && cause.subjectProcess() == next.processIndex();
        return cause.kind() != CauseKind.CLOSED_BY_USER
                && !isOwnExit
                && policy.retryIf().test(cause);
    }

    // ---- who is where

    /** Takes over what the directory lists now; returns false if this process is not listed any more. */
    private boolean relist() throws InterruptedException {
        final Directory directory = next.directory().orElse(null);
        if (directory == null) {
            return true;
        }
        final List<Endpoint> listed = list(directory);
        final int own = next.processIndex();
        if (listed.size() == next.addresses().size() && listed.get(own).equals(ownAddress)) {
            next = next.toBuilder().addresses(listed).build(); // others have moved, if anybody
            return true;
        }
        TimeUnit.MILLISECONDS.sleep(REREAD_MS);
        if (!listed.equals(list(directory))) {
            return true; // it is just changing; forming asks again
        }
        final int index = listed.indexOf(ownAddress);
        if (index < 0) {
            LOG.warn("this process, {}, is not listed by {} any more: {}", ownAddress, directory, listed);
            return false;
        }
        next = next.toBuilder().addresses(listed).processIndex(index).build();
        return true;
    }

    /** The last known list if the directory does not tell. */
    private List<Endpoint> list(final Directory directory) {
        try {
            return List.copyOf(directory.list());
        } catch (final IOException | RuntimeException e) {
            LOG.warn("the directory {} does not tell where the processes are: {}", directory, e.toString());
            return next.addresses();
        }
    }

    // ---- the end

    private SupervisedOutcomes<R> ended(final Ending ending, final FormationException unformed) {
        final SupervisedOutcomes<R> outcomes = new SupervisedOutcomes<>(
                ending, last, unformed, history, restarts == null ? 0 : restarts.count(), handover);
        if (ending != Ending.COMPLETED) {
            LOG.warn("{}", outcomes);
        }
        return outcomes;
    }

    private void remember(final long generation, final boolean isFormed, final long beginNs, final String what) {
        if (history.size() == FIRST_REMEMBERED + LATEST_REMEMBERED) {
            history.remove(FIRST_REMEMBERED);
        }
        history.add(new SupervisedOutcomes.Past(generation, isFormed, clock.nanoTime() - beginNs, what));
    }
}
