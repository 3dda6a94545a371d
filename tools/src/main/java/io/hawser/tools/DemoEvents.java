package io.hawser.tools;

import io.hawser.allocator.Cluster;
import io.hawser.allocator.Outcomes;
import io.hawser.fate.Cause;
import io.hawser.transport.PeerStats;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * What one process of the demonstration tells the one that started it, each as an {@link Event}.
 *
 * <p><em>Threading:</em> safe; a lock for each line.
 */
final class DemoEvents {
    private static final long NANOS_PER_MICRO = 1_000;

    private final int processIndex;
    private final PrintStream out;

    DemoEvents(final int processIndex, final PrintStream out) {
        this.processIndex = processIndex;
        this.out = out;
    }

    /** Tells it on the standard output of this process, in UTF-8 whatever the locale. */
    static DemoEvents onStandardOutput(final int processIndex) {
        final FileOutputStream out = new FileOutputStream(FileDescriptor.out);
        return new DemoEvents(processIndex, new PrintStream(out, false, StandardCharsets.UTF_8));
    }

    void loaded(final Portion[] portions, final long durationNs) {
        long classes = 0;
        long references = 0;
        for (final Portion portion : portions) {
            classes += portion.slotCount();
            references += portion.referenceCount();
        }
        tell(new Event(Event.LOADED)
                .with("classes", classes)
                .with("references", references)
                .with("micros", durationNs / NANOS_PER_MICRO));
    }

    void formed(final long generation, final long durationNs) {
        tell(new Event(Event.FORMED).with("generation", generation).with("micros", durationNs / NANOS_PER_MICRO));
    }

    void iteration(final long generation, final int iteration) {
        tell(new Event(Event.ITERATION).with("generation", generation).with("iteration", iteration));
    }

    /**
     * Tells that this process waits for a signal.
     *
     * @param generation that it forms or runs.
     * @param step       of forming; null in an iteration.
     */
    void faultPoint(final long generation, final FormingStep step) {
        tell(new Event(Event.FAULT_POINT).with("generation", generation).with("step", step == null ? "-" : step));
    }

    /**
     * Tells that the cluster was lost.
     *
     * @param outcomes     why, among others.
     * @param returnMicros when the last worker of this process was back in its own code.
     * @param panicMicros  when a worker of this process threw; 0 if none did.
     */
    void lost(final Outcomes<?> outcomes, final long returnMicros, final long panicMicros) {
        tell(new Event(Event.LOST)
                .with("generation", outcomes.generation())
                .with("cause", outcomes.cause().describe())
                .with("kind", outcomes.cause().kind())
                .with("identity", identity(outcomes.cause()))
                .with("returnMicros", returnMicros)
                .with("panicMicros", panicMicros));
    }

    void done(final Cluster<?> cluster, final List<PageRankWorker.Result> results, final long durationNs) {
        final int firstWorker = processIndex * results.size();
        long messages = 0;
        for (int local = 0; local < results.size(); local++) {
            final PageRankWorker.Result result = results.get(local);
            messages += result.messageCount();
            tell(new Event(Event.RANKS)
                    .with("worker", firstWorker + local)
                    .with("values", Doubles.toText(result.ranks())));
        }
        final Event event = new Event(Event.DONE)
                .with("generation", cluster.generation())
                .with("micros", durationNs / NANOS_PER_MICRO)
                .with("messages", messages);
        tell(withTraffic(event, cluster));
    }

    void formationFailed(final String report) {
        tell(new Event(Event.FORMATION_FAILED).with("report", report));
    }

    void failed(final Throwable thrown) {
        tell(new Event(Event.FAILED).with("what", thrown));
    }

    private Event withTraffic(final Event event, final Cluster<?> cluster) {
        long bytesOut = 0;
        long bytesIn = 0;
        long framesOut = 0;
        long framesIn = 0;
        for (int process = 0; process < cluster.processCount(); process++) {
            if (process != processIndex) {
                final PeerStats stats = cluster.stats(process);
                bytesOut += stats.bytesOut();
                bytesIn += stats.bytesIn();
                framesOut += stats.framesOut();
                framesIn += stats.framesIn();
            }
        }
        return event.with("bytesOut", bytesOut)
                .with("bytesIn", bytesIn)
                .with("framesOut", framesOut)
                .with("framesIn", framesIn);
    }

    /** The same on all that mean the same event, unlike its description, which also says who was told by whom. */
    private static String identity(final Cause cause) {
        return cause.kind() + " process=" + cause.subjectProcess()
                + " worker=" + cause.subjectWorker()
                + " observer=" + cause.observerProcess()
                + " at=" + cause.observedAtEpochMs()
                + " generation=" + cause.generation();
    }

    /** If nobody reads any more, nothing happens. */
    private synchronized void tell(final Event event) {
        out.println(event.toLine());
        out.flush();
    }
}
