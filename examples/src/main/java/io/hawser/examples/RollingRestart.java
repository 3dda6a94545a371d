package io.hawser.examples;

import io.hawser.allocator.CapacityModel;
import io.hawser.allocator.Cluster;
import io.hawser.tools.Event;
import io.hawser.transport.ClusterConfig;
import io.hawser.transport.ClusterConfigBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/**
 * Each process but the one that asks is started anew, one after the other, while queries are asked all the time. A process cannot leave a running generation alone, so it drains first: it says elsewhere to new work, finishes
 * what it has, and the others do what it would have done. Then the stream holds its queries back for a moment, the generation ends cleanly, the process ends, a new one forms the next generation with
 * the others, which have kept all that they know, and the stream goes on. No query fails.
 *
 * <p><em>Threading:</em> the main thread asks; each process has one worker.
 */
@Command(
        name = "rolling-restart",
        description = "Processes drain and return one after the other under a steady stream of queries.",
        sortOptions = false,
        usageHelpAutoWidth = true)
final class RollingRestart extends Example {
    private static final int ASKING = 0;
    private static final int PERMITS = 64;
    private static final Duration RETRY_AFTER = Duration.ofMillis(20);

    /** So that others are seen to take what the leaving process refuses. */
    private static final int REJECTED_MIN = 5;

    @Option(
            names = "--processes",
            paramLabel = "<n>",
            defaultValue = "4",
            converter = Count.class,
            description = "how many, " + Count.MIN + " to " + Count.MAX + " (default: ${DEFAULT-VALUE})")
    private int processes;

    @Option(
            names = "--queries",
            paramLabel = "<n>",
            defaultValue = "50",
            description = "how many at least in each generation (default: ${DEFAULT-VALUE})")
    private int queries;

    private final CapacityModel capacity = new CapacityModel(PERMITS, RETRY_AFTER);

    // the asking process's
    private PackageGraph graph;
    private QueryStream stream;
    private final List<Integer> pausesMs = new ArrayList<>();

    @Override
    int processes() {
        return processes;
    }

    @Override
    void configure(final ClusterConfigBuilder settings) {
        settings.channelLimit(32)
                .channelWindow(64 * 1024)
                .channelWindowMax(64 * 1024)
                .floatingWindow(0);
    }

    @Override
    Event run(final ClusterConfig config) throws Exception {
        graph = PackageGraph.ofRunningJdk();
        if (config.processIndex() == ASKING) {
            stream = new QueryStream(graph, processes);
        }
        long generation = config.generation();
        boolean isEnd = false;
        while (!isEnd) {
            final QueryServer server = new QueryServer(graph, processes);
            runGeneration(config.withGeneration(generation), server);
            generation++;
            isEnd = server.isEnd();
            if (!isEnd && server.isLeaving()) {
                Told.leave(generation);
                return null;
            }
        }
        return result(config.processIndex(), config.generation());
    }

    private void runGeneration(final ClusterConfig config, final QueryServer server) throws Exception {
        try (Cluster<Void> cluster = Cluster.execute(config, formed -> formed.onStart(capacity), server::serve)) {
            QueryServer.tell(cluster, ASKING, QueryServer.READY);
            server.leave()
                    .thenCompose(asked -> cluster.drain())
                    .thenRun(() -> QueryServer.tell(cluster, ASKING, QueryServer.HAS_DRAINED));
            if (config.processIndex() == ASKING) {
                server.awaitReady(cluster);
                ask(cluster, server);
            }
            cluster.join().values(); // throws if it was lost
        }
    }

    /** In generation g process g leaves; after the last of them there is one more. */
    private void ask(final Cluster<?> cluster, final QueryServer server) throws Exception {
        final int generation = (int) cluster.generation();
        if (generation > 1) {
            Told.line("generation " + generation + " is formed, " + stream.sinceLastReplyMs()
                    + " ms after the last answer");
        }
        stream.begin(new QueryCoordinator(cluster, server));
        stream.run(() -> stream.done() > 0);
        if (generation > 1) {
            pausesMs.add(stream.pauseMs());
            Told.line("generation " + generation + ": queries are answered again, after a pause of " + stream.pauseMs()
                    + " ms");
        }
        stream.run(() -> stream.done() >= queries / 2);
        final boolean isLast = generation == processes;
        if (isLast) {
            stream.run(() -> stream.done() >= queries);
        } else {
            drain(cluster, server, generation);
        }
        stream.hold();
        Told.line("generation " + generation + ": " + stream.done() + " queries, failed: " + stream.failed()
                + (isLast
                        ? ""
                        : "; " + stream.rejectedBy(generation) + " tasks that process " + generation
                                + " has refused were run elsewhere; now it is started anew"));
        QueryServer.tellAll(cluster, isLast ? QueryServer.END : QueryServer.NEXT_GENERATION);
    }

    private void drain(final Cluster<?> cluster, final QueryServer server, final int leaving)
            throws InterruptedException {
        Told.line("process " + leaving + " is to leave, and drains");
        QueryServer.tell(cluster, leaving, QueryServer.LEAVE);
        stream.run(server::hasDrained);
        final int atDrained = stream.done();
        Told.line("process " + leaving + " has drained; the others take its work");
        stream.run(() -> stream.done() >= atDrained + queries / 2 && stream.rejectedBy(leaving) >= REJECTED_MIN);
    }

    private Event result(final int process, final long firstGeneration) {
        final Event result = Told.newResult()
                .with("firstGeneration", firstGeneration)
                .with("permitsTaken", PERMITS - capacity.permitsFree());
        if (process == ASKING) {
            result.with("answered", stream.answered())
                    .with("failed", stream.failed())
                    .with("wrong", stream.wrong())
                    .with("rejected", stream.rejected())
                    .with(
                            "pausesMs",
                            String.join(
                                    ",", pausesMs.stream().map(String::valueOf).toList()));
        }
        return result;
    }

    @Override
    void judge(final List<Event> results, final long directLimit, final Figures figures) {
        final Event asking = results.get(ASKING);
        final List<Integer> pauses = List.of(asking.text("pausesMs").split(",")).stream()
                .map(Integer::valueOf)
                .toList();
        final long permitsTaken =
                results.stream().mapToLong(each -> each.number("permitsTaken")).sum();
        final long restarted = results.stream()
                .filter(each -> each.number("firstGeneration") > 1)
                .count();
        figures.put("processes", processes)
                .put("generations", processes)
                .put("restarted", restarted)
                .put("answered", asking.number("answered"))
                .put("failed", asking.number("failed"))
                .put("wrong", asking.number("wrong"))
                .put("rejectedElsewhere", asking.number("rejected"))
                .put("pausesMs", pauses)
                .put("permitsTaken", permitsTaken);
        figures.expect(asking.number("failed") == 0, "a query has failed");
        figures.expect(asking.number("wrong") == 0, "an answer is not that of one thread");
        figures.expect(asking.number("answered") >= (long) queries * processes, "too few queries were answered");
        figures.expect(asking.number("rejected") > 0, "no leaving process was seen to refuse");
        figures.expect(restarted == processes - 1, "not all were started anew");
        figures.expect(permitsTaken == 0, "a reservation has leaked");
    }

    static final class Count implements ITypeConverter<Integer> {
        static final int MIN = 3;
        static final int MAX = 8;

        @Override
        public Integer convert(final String text) {
            if (text.matches("\\d") && Integer.parseInt(text) >= MIN && Integer.parseInt(text) <= MAX) {
                return Integer.valueOf(text);
            }
            throw new TypeConversionException(
                    "must be a whole number, " + MIN + " to " + MAX + ", but is '" + text + "'");
        }
    }
}
