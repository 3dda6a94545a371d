package io.hawser.transport;

import io.hawser.fate.Clock;
import io.hawser.fate.Standstill;
import io.hawser.fate.StandstillDetector;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Finds out who waits for whom when pushes wait for long: what the workers of this process say, and what other processes tell by WAIT and HEARTBEAT, goes into
 * one {@link StandstillDetector}. It is the waiting workers that look; while nobody waits nothing is done.
 *
 * <p><em>Threading:</em> any thread. Its monitor guards the detector; who holds it calls nothing outside of it.
 */
final class StandstillWatch implements ProgressSource {
    /** A wait is told to the others, and looked into, so many times within the time-out. */
    private static final int LOOKS_PER_TIMEOUT = 4;

    private static final int REMEMBERED_MAX = 16;

    private final ClusterConfig config;
    private final Clock clock;
    private final Announcer announcer;
    private final LongSupplier generation;
    private final StandstillDetector detector;

    /** By index in the process; null until the worker is there. */
    private final AtomicReferenceArray<WorkerReport> reports;

    /** The latest from each worker of other processes, not looked at yet. One place for each: whoever says much overwrites himself. */
    private final AtomicReferenceArray<WaitNews> news;

    private final Deque<Standstill> remembered = new ArrayDeque<>();

    /** How other processes are told, and how their workers get on. */
    interface Announcer {
        void announce(WaitNews wait);

        void readProgress(ProgressReader reader);

        /** Whether everything comes to its end anyway. */
        boolean isLost();
    }

    /** Takes the progress of one worker of another process. */
    @FunctionalInterface
    interface ProgressReader {
        void onProgress(int worker, long stamp, long heardNs);
    }

    StandstillWatch(final ClusterConfig config, final MeshCore core) {
        this(config, core, core::generation);
    }

    private StandstillWatch(final ClusterConfig config, final Announcer announcer, final LongSupplier generation) {
        this.generation = generation;
        this.config = config;
        this.clock = config.clock();
        this.announcer = announcer;
        this.detector = new StandstillDetector(config.workerCount(), config.standstillTimeoutNs());
        this.reports = new AtomicReferenceArray<>(config.workersPerProcess());
        this.news = new AtomicReferenceArray<>(config.workerCount());
    }

    WorkerReport open(final int worker, final LongSupplier progress) {
        final WorkerReport report = new WorkerReport(worker, progress, this);
        reports.set(worker - config.firstWorker(config.processIndex()), report);
        return report;
    }

    long patienceNs() {
        return Math.max(1, config.standstillTimeoutNs() / LOOKS_PER_TIMEOUT);
    }

    /** A process has told something. */
    void onNews(final WaitNews latest) {
        news.set(latest.waiter(), latest);
    }

    void announce(final WaitNews wait) {
        announcer.announce(wait);
    }

    /** Says what there is to say. */
    void check() {
        final List<Standstill> found =
                announcer.isLost() ? List.of() : look(clock.nanoTime()); // who comes out of a loss waits for nobody
        for (final Standstill standstill : found) {
            Logs.HEALTH.warn("{}", standstill.describe());
            tell(standstill);
        }
    }

    /** What was said lately, the oldest first. */
    synchronized List<Standstill> remembered() {
        return List.copyOf(remembered);
    }

    @Override
    public int workerCount() {
        return reports.get(reports.length() - 1) == null ? 0 : reports.length();
    }

    @Override
    public long progress(final int localIndex) {
        final WorkerReport report = reports.get(localIndex);
        return report == null ? 0 : report.progress();
    }

    private synchronized List<Standstill> look(final long nowNs) {
        takeOwn(nowNs);
        announcer.readProgress(detector::onProgress);
        for (int worker = 0; worker < news.length(); worker++) {
            final WaitNews latest = news.getAndSet(worker, null);
            if (latest != null) {
                take(latest, nowNs);
            }
        }
        final List<Standstill> found = new ArrayList<>();
        for (Standstill next = detector.tick(nowNs); next != null; next = detector.tick(nowNs)) {
            found.add(next);
            if (remembered.size() == REMEMBERED_MAX) {
                remembered.remove();
            }
            remembered.add(next);
        }
        return found;
    }

    private void takeOwn(final long nowNs) {
        final int first = config.firstWorker(config.processIndex());
        for (int i = 0; i < reports.length(); i++) {
            final WorkerReport report = reports.get(i);
            if (report != null) {
                detector.onProgress(first + i, report.progress(), nowNs);
                final long count = report.waitCount(); // first: a wait that begins after this is none that is over
                final WaitNews wait = report.currentWait();
                if (wait != null) {
                    take(wait, nowNs);
                } else if (count > 0) {
                    detector.onOver(first + i, count - 1);
                }
            }
        }
    }

    private void take(final WaitNews wait, final long nowNs) {
        if (wait.isOver()) {
            detector.onOver(wait.waiter(), wait.number());
        } else {
            detector.onWaiting(
                    wait.waiter(),
                    wait.scopeId(),
                    wait.channelId(),
                    wait.firstTarget(),
                    wait.targetCount(),
                    wait.number(),
                    wait.waitedNs(),
                    wait.bytes(),
                    nowNs);
        }
    }

    /**
     * In a thread of its own: it may take its time, and the workers that wait have something else to do. Whatever goes wrong with that is no reason for a
     * worker to fail: it stands in the log.
     */
    private void tell(final Standstill standstill) {
        final Consumer<Standstill> listener = config.standstillListener().orElse(null);
        if (listener == null) {
            return;
        }
        try {
            Names.of(config, generation.getAsLong())
                    .thread(config.threadFactory(), () -> call(listener, standstill), "standstill")
                    .start();
        } catch (final Throwable broken) {
            Logs.HEALTH.warn("no thread to tell of the standstill in", broken);
        }
    }

    private static void call(final Consumer<Standstill> listener, final Standstill standstill) {
        try {
            listener.accept(standstill);
        } catch (final Throwable thrown) {
            Logs.HEALTH.warn("the listener of standstills has thrown", thrown);
        }
    }
}
