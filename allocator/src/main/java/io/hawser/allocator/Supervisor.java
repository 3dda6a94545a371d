package io.hawser.allocator;

import io.hawser.allocator.SupervisedOutcomes.Ending;
import io.hawser.fate.Cause;
import io.hawser.fate.CauseKind;
import io.hawser.fate.Clock;
import io.hawser.fate.Health;
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
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The loop of {@link Cluster#supervise}: form, run, join, decide, form again. It has no thread or timer of its own; forming again is forming.
 *
 * <p><em>Threading:</em> the calling thread.
 *
 * @param <R> the type of what a worker ends with
 */
final class Supervisor<R> {
    private static final Logger LOG = LoggerFactory.getLogger(Cluster.class);

    /** Whoever waits for workers is not told that health is lost; so it is asked for now and then. */
    private static final long JOIN_SLICE_NS = 1_000_000_000;

    /** A list that is just being written may look like another one; so long is waited before it is read once more. */
    private static final long REREAD_MS = 1_000;

    /** Forming that fails before its time, for want of a selector, say, is not tried in a spin. */
    private static final long UNFORMED_PAUSE_NS = 100_000_000;

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
    private Cause lastCause;

    /** Since when the generation that is to come is wanted: the beginning, then the latest loss. */
    private long sinceNs;

    Supervisor(final ClusterConfig config, final SupervisionPolicy policy, final WorkerFunction<? extends R> function) {
        this.next = config;
        this.policy = policy;
        this.function = function;
        this.clock = config.clock();
        this.ownAddress = ownAddress(config);
    }

    private static Endpoint ownAddress(final ClusterConfig config) {
        return config.addresses().isEmpty() ? null : config.addresses().get(config.processIndex());
    }

    SupervisedOutcomes<R> run() throws InterruptedException {
        sinceNs = clock.nanoTime();
        long limitNs = next.formationTimeoutNs();
        long pauseNs = UNFORMED_PAUSE_NS;
        while (true) {
            final long beginNs = clock.nanoTime();
            final Keeping keeping = new Keeping(handover, next.workersPerProcess());
            final Cluster<R> cluster;
            try {
                cluster = Cluster.execute(attempt(limitNs - (beginNs - sinceNs)), policy.onFormed(), function, keeping);
            } catch (final FormationException e) {
                remember(
                        e.report().generation(),
                        false,
                        clock.nanoTime() - beginNs,
                        e.report().reason() + "; missing: " + e.report().missing());
                if (e.isFinal() || clock.nanoTime() - sinceNs >= limitNs) {
                    return ended(Ending.NOT_FORMED, e);
                }
                LOG.info("{}", e.getMessage());
                next = next.withGeneration(e.nextGeneration());
                if (!relist()) {
                    return ended(Ending.NOT_LISTED, e);
                }
                TimeUnit.NANOSECONDS.sleep(pauseNs);
                pauseNs = Math.min(2 * pauseNs, Math.max(pauseNs, policy.backoffMaxNs()));
                continue;
            }
            final Ending ending = live(cluster, keeping, clock.nanoTime());
            if (ending != null) {
                return ended(ending, null);
            }
            limitNs = policy.formWithinNs();
            pauseNs = UNFORMED_PAUSE_NS;
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
        try {
            if (!haveWorkersReturned(cluster)) {
                last = null;
                lastCause = cluster.health().rootCause();
                remember(cluster.generation(), true, sinceNs - formedNs, stuck(cluster));
                return Ending.STUCK;
            }
            final boolean isLost = cluster.health().isLost();
            last = cluster.join();
            sinceNs = isLost
                    ? sinceNs
                    : clock.nanoTime(); // it was lost, or has ended, only when the others were done, too
            handover = keeping.commit(place(cluster, roster));
        } catch (final InterruptedException e) {
            cluster.abort("the thread that supervises the cluster was interrupted");
            throw e;
        } finally {
            cluster.close();
        }
        lastCause = last.cause();
        remember(
                cluster.generation(),
                true,
                sinceNs - formedNs,
                last.isClean() ? "ended cleanly" : lastCause.describe());
        if (last.isWorkDone()) {
            return Ending.COMPLETED;
        }
        if (!isRetried(lastCause)) {
            return Ending.NOT_RETRIED;
        }
        if (!restarts.tryRestart(sinceNs, sinceNs - formedNs)) {
            return Ending.GAVE_UP;
        }
        return prepareNext(cluster, roster) ? null : Ending.NOT_LISTED;
    }

    /**
     * Waits for the workers of this process: as long as they like while the cluster is healthy, for a limited time after that. Takes down when it was lost.
     */
    private boolean haveWorkersReturned(final Cluster<R> cluster) throws InterruptedException {
        final Health health = cluster.health();
        boolean haveReturned = cluster.awaitWorkers(JOIN_SLICE_NS);
        while (!haveReturned && !health.isLost()) {
            haveReturned = cluster.awaitWorkers(JOIN_SLICE_NS);
        }
        sinceNs = clock.nanoTime();
        return haveReturned || cluster.awaitWorkers(policy.returnLimitNs());
    }

    private String stuck(final Cluster<R> cluster) {
        return "not all workers have returned within " + policy.returnLimitNs() / 1_000_000 + " ms after "
                + lastCause.describe() + "; still running: " + cluster.stuckWorkers();
    }

    private boolean prepareNext(final Cluster<R> cluster, final Roster roster) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(restarts.pauseNs());
        final long generation = cluster.generation() + 1;
        next = next.withGeneration(generation);
        if (!relist()) {
            return false;
        }
        next = between(new Interlude(last, roster, handover, next, restarts.count()))
                .withGeneration(generation);
        ownAddress = ownAddress(next);
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
            return Objects.requireNonNull(
                    policy.between().apply(interlude), "what is done between two generations returned no settings");
        } catch (final RuntimeException | InterruptedException e) {
            throw e;
        } catch (final Exception e) {
            throw new IllegalStateException(
                    "what is done between two generations has failed, after "
                            + interlude.cause().describe(),
                    e);
        }
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
        if (Thread.interrupted()) {
            throw new InterruptedException("interrupted while the directory was asked");
        }
        final int own = next.processIndex();
        if (listed.size() == next.addresses().size() && isOwn(listed.get(own))) {
            return takeOver(listed, own); // others have moved, if anybody
        }
        TimeUnit.MILLISECONDS.sleep(REREAD_MS);
        if (!listed.equals(list(directory))) {
            return true; // it is just changing; forming asks again
        }
        for (int index = 0; index < listed.size(); index++) {
            if (isOwn(listed.get(index))) {
                return takeOver(listed, index);
            }
        }
        if (listed.size() == next.addresses().size()) {
            // a list that lags behind, or spells it in another way, is no reason to leave: the others judge by index
            LOG.warn("{} is not what {} lists for process {}: {}", ownAddress, directory, own, listed.get(own));
            return true;
        }
        LOG.warn("this process, {}, is not listed by {} any more: {}", ownAddress, directory, listed);
        return false;
    }

    private boolean isOwn(final Endpoint listed) {
        return listed.port() == ownAddress.port() && listed.host().equalsIgnoreCase(ownAddress.host());
    }

    private boolean takeOver(final List<Endpoint> listed, final int index) {
        try {
            next = next.toBuilder().addresses(listed).processIndex(index).build();
        } catch (final IllegalArgumentException noCluster) {
            LOG.warn("what the directory lists is no cluster: {}", noCluster.getMessage());
        }
        return true;
    }

    /** The last known list if the directory does not tell. */
    private List<Endpoint> list(final Directory directory) {
        try {
            final List<Endpoint> listed = directory.list();
            if (listed.isEmpty()) {
                throw new IOException("it lists nobody");
            }
            next.toBuilder().processIndex(0).addresses(listed).build(); // whether that could be a cluster
            return listed;
        } catch (final IOException | RuntimeException e) {
            LOG.warn("the directory {} does not tell where the processes are: {}", directory, e.getMessage());
            return next.addresses();
        }
    }

    // ---- the end

    private SupervisedOutcomes<R> ended(final Ending ending, final FormationException unformed) {
        if (ending == Ending.GAVE_UP) {
            LOG.warn(
                    "no further restart: there were {} within {} s, as many as the policy allows",
                    policy.restartLimit(),
                    TimeUnit.NANOSECONDS.toSeconds(policy.restartWindowNs()));
        }
        final SupervisedOutcomes<R> outcomes = new SupervisedOutcomes<>(
                ending, last, lastCause, unformed, history, restarts == null ? 0 : restarts.count(), handover);
        if (ending != Ending.COMPLETED) {
            LOG.warn("{}", outcomes);
        }
        return outcomes;
    }

    private void remember(final long generation, final boolean isFormed, final long tookNs, final String what) {
        if (history.size() == FIRST_REMEMBERED + LATEST_REMEMBERED) {
            history.remove(FIRST_REMEMBERED);
        }
        history.add(new SupervisedOutcomes.Past(generation, isFormed, tookNs, what));
    }
}
