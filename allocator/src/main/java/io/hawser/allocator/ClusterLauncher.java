package io.hawser.allocator;

import io.hawser.fate.CauseKind;
import io.hawser.framing.FrameHeaderFlyweight;
import io.hawser.transport.ClusterConfig;
import io.hawser.transport.FormationException;
import io.hawser.transport.Mesh;
import io.hawser.transport.SendRing;
import io.hawser.transport.SlabPool;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts a cluster together: inboxes first, since data may come as soon as the mesh forms; then the mesh; then for each worker what it sends
 * and receives with; and when all of that stands, the threads.
 *
 * <p><em>Threading:</em> the thread that calls {@link Cluster#execute}.
 *
 * @param <R> the type of what a worker ends with
 */
final class ClusterLauncher<R> {
    private static final Logger LOG = LoggerFactory.getLogger(Cluster.class);

    /** Slabs that a worker's lane keeps for reuse: one to write and some that the others read. */
    private static final int LANE_SLABS_POOLED = 4;

    /** Slabs of a worker's lane that may be out before rows are copied, as on receipt. */
    private static final int LANE_SLABS_SLICED = 8;

    private final ClusterConfig config;
    private final WorkerFunction<? extends R> function;
    private final Keeping keeping;
    private final int firstWorker;
    private final Inbox[] inboxes;
    private final NoticeBox[] noticeBoxes;
    private final RoomSignal[] signals;
    private final ScopeBell[] bells;
    private final Admissions admissions;
    private final LiveSources sources;
    private final InboxRouter router;
    private final List<SendRing> openRings = new ArrayList<>();
    private SpillStores spillStores;
    private final List<WorkerGuard<R>> guards = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();

    ClusterLauncher(final ClusterConfig config, final WorkerFunction<? extends R> function, final Keeping keeping) {
        this.config = config;
        this.function = function;
        this.keeping = keeping;
        firstWorker = config.firstWorker(config.processIndex());
        inboxes = new Inbox[config.workersPerProcess()];
        noticeBoxes = new NoticeBox[inboxes.length];
        signals = new RoomSignal[inboxes.length];
        bells = new ScopeBell[inboxes.length];
        for (int i = 0; i < inboxes.length; i++) {
            inboxes[i] = new Inbox();
            noticeBoxes[i] = new NoticeBox(inboxes[i]);
            signals[i] = new RoomSignal(inboxes[i]);
            bells[i] = new ScopeBell(signals[i]);
        }
        admissions = new Admissions(config, inboxes);
        sources = new LiveSources(config.processCount() - 1 + inboxes.length, inboxes);
        router = new InboxRouter(firstWorker, inboxes, noticeBoxes, bells, admissions, sources);
    }

    Cluster<R> launch(final Consumer<? super Cluster<R>> onFormed) throws FormationException, InterruptedException {
        final Mesh mesh = Mesh.form(config, router);
        final Cluster<R> cluster;
        try {
            spillStores = new SpillStores(config, mesh.generation());
            final Notices notices = new Notices(config, mesh, noticeBoxes);
            final WorkerEnds ends =
                    new WorkerEnds(mesh, sources, spillStores, inboxes.length, config.processCount() == 1);
            admissions.open(mesh);
            for (int i = 0; i < inboxes.length; i++) {
                prepare(mesh, notices, ends, i);
            }
            cluster = new Cluster<>(
                    config, mesh, notices, admissions, ends, spillStores, List.copyOf(guards), List.copyOf(threads));
            onFormed.accept(cluster);
        } catch (final Throwable e) { // a hook may throw what it does not declare
            discard(mesh, e);
            throw e;
        }
        cluster.workersStart();
        for (int i = 0; i < threads.size(); i++) {
            start(threads.get(i), guards.get(i));
        }
        return cluster;
    }

    /** Nothing has started yet; the other processes learn why it never will. */
    private void discard(final Mesh mesh, final Throwable reason) {
        mesh.health()
                .lose(mesh.causeHere(CauseKind.WORKER_PANICKED)
                        .throwable(reason)
                        .build());
        openRings.forEach(SendRing::close);
        mesh.close();
        for (int i = 0; i < inboxes.length; i++) { // the others may have pushed already
            inboxes[i].close();
            noticeBoxes[i].close();
        }
        try {
            admissions.end(config.abortTimeoutNs());
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void prepare(final Mesh mesh, final Notices notices, final WorkerEnds ends, final int localIndex) {
        final int index = firstWorker + localIndex;
        final Worker worker = worker(mesh, notices, localIndex);
        final Parachute parachute = new Parachute(Runtime.getRuntime().maxMemory(), inboxes.length);
        final WorkerGuard<R> guard = new WorkerGuard<>(function, worker, worker.causes(), parachute, ends);
        final Thread thread =
                Objects.requireNonNull(config.threadFactory().newThread(guard), "the thread factory made no thread");
        thread.setName("hawser-" + config.clusterId() + "-p" + config.processIndex() + "-g" + mesh.generation()
                + "-worker-" + index);
        keepAlive(thread);
        guards.add(guard);
        threads.add(thread);
    }

    /** It runs the user's code, which is not to be cut off when main returns. */
    private static void keepAlive(final Thread thread) {
        try {
            thread.setDaemon(false);
        } catch (final IllegalArgumentException virtual) { // always a daemon, which whoever chose them knows
            LOG.trace("a worker is a virtual thread: thread={}", thread, virtual);
        }
    }

    private Worker worker(final Mesh mesh, final Notices notices, final int localIndex) {
        final int index = firstWorker + localIndex;
        final Inbox inbox = inboxes[localIndex];
        final NoticeBox box = noticeBoxes[localIndex];
        final Whereabouts whereabouts = inbox.whereabouts();
        final int rowLimit = config.frameLimit() - FrameHeaderFlyweight.HEADER_LENGTH;
        final SlabPool slabs = new SlabPool(config.slabLength(), LANE_SLABS_POOLED, mesh.memory());
        final LocalLane lane = new LocalLane(slabs, mesh.newCells(), LANE_SLABS_SLICED, router, index, rowLimit);
        final Outbox outbox = new Outbox(
                config,
                index,
                mesh.health(),
                whereabouts.stamp(),
                lane,
                openRings(mesh, index),
                signals[localIndex],
                mesh.windows(),
                spillStores,
                mesh.openReport(index, whereabouts));
        final Intake intake =
                new Intake(inbox, mesh.health(), sources, config.clock(), outbox.room(), box, config.assemblyLimit());
        return new Worker(
                config, mesh, index, whereabouts, intake, outbox, notices, box, bells[localIndex], admissions, keeping);
    }

    private SendRing[] openRings(final Mesh mesh, final int index) {
        final SendRing[] rings = new SendRing[config.processCount()];
        for (int process = 0; process < rings.length; process++) {
            if (process != config.processIndex()) {
                rings[process] = mesh.openRing(process, index);
                openRings.add(rings[process]);
            }
        }
        return rings;
    }

    /** A worker whose thread does not start has panicked before it began. */
    private void start(final Thread thread, final WorkerGuard<R> guard) {
        try {
            thread.start();
        } catch (final Throwable noThread) {
            guard.abandon(noThread);
        }
    }
}
