package io.hawser.tools;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Ranks the classes of the running JDK on several processes of this machine, and checks the result against one thread.
 *
 * <p><em>Threading:</em> the main thread.
 */
@Command(
        name = "demo",
        description = {
            "Rank the classes of the running JDK by PageRank, on several processes of this machine that share one fate.",
            "Any process can be killed or frozen, any worker made to throw: all others tell the same first cause at once, "
                    + "keep what they have loaded, form the cluster again, and the ranks come out right."
        },
        footer = {
            "",
            "Processes, workers and iterations are counted from 0.",
            "",
            "Exit status: 0 the ranks are right, 1 they are not, 2 wrong usage, 3 the processes did not come together.",
            "",
            "Examples:",
            "  hawser demo",
            "  hawser demo --kill 2@5",
            "  hawser demo --kill 0@3 --kill 1@greeted --kill 3@ready --elsewhere",
            "  hawser demo --freeze 1@5 --panic 3@10 --json"
        },
        sortOptions = false,
        usageHelpAutoWidth = true)
final class DemoCommand implements Callable<Integer> {
    /** Set by the launcher if output goes to a terminal. */
    private static final String TERMINAL_PROPERTY = "hawser.terminal";

    @Spec
    private CommandSpec spec;

    @Mixin
    @SuppressWarnings("unused") // by name; the parser asks for it
    private HelpOption helpOption;

    @Mixin
    private DemoOptions options;

    @Option(
            names = "--json",
            description = "print the result as one JSON object to standard output, and all else to standard error")
    private boolean isJson;

    @Option(names = "--verbose", description = "show what the processes log")
    private boolean isVerbose;

    @Override
    public Integer call() throws IOException, InterruptedException {
        options.check(spec.commandLine());
        final Transcript out = new Transcript(isJson ? System.err : System.out, Boolean.getBoolean(TERMINAL_PROPERTY));
        try {
            final DemoResult result = run(out);
            new DemoText(result).lines().forEach(out::plain);
            if (isJson) {
                printJson(DemoJson.of(result));
            }
            return result.isRight() ? ExitStatus.RIGHT : ExitStatus.WRONG;
        } catch (final DemoFailure e) {
            out.plain("demo failed: " + e.getMessage());
            if (isJson) {
                printJson(DemoJson.ofFailure(e.getMessage()));
            }
            return e.exitStatus();
        }
    }

    private DemoResult run(final Transcript out) throws IOException, InterruptedException {
        out.plain("PageRank of the classes of JDK " + Runtime.version() + ": "
                + Numbers.count(options.processes(), "process", "processes") + " with "
                + Numbers.count(options.workers(), "worker", "workers") + " each, "
                + Numbers.count(options.iterations(), "iteration", "iterations"));
        // two demonstrations at once look for ports in different places
        final Random random = new Random(ProcessHandle.current().pid());
        try (Demo demo = new Demo(options, random, out, isVerbose)) {
            final double[][] ranksByWorker = demo.run();
            final double rankSeconds = demo.members().stream()
                    .mapToDouble(Member::rankSeconds)
                    .max()
                    .orElse(0);
            out.event("ranked in " + Numbers.fixed(rankSeconds, 2) + " s; now the same on one thread");

            final double beforeCheck = out.seconds();
            final ClassGraph graph = ClassGraph.ofRunningJdk();
            final double[] ranks = byId(ranksByWorker, graph.classCount());
            final Check check = Check.of(ranks, PageRank.rank(graph.load(0, 1), options.iterations()));
            final double checkSeconds = out.seconds() - beforeCheck;
            demo.awaitEnd();
            return new DemoResult(
                    options,
                    demo.members(),
                    demo.generations(),
                    demo.reports(),
                    ranking(check, graph, ranks),
                    check,
                    rankSeconds,
                    checkSeconds,
                    out.seconds());
        }
    }

    private static List<DemoResult.RankedClass> ranking(
            final Check check, final ClassGraph graph, final double[] ranks) {
        return Arrays.stream(check.top())
                .mapToObj(id -> new DemoResult.RankedClass(graph.name(id), ranks[id]))
                .toList();
    }

    /** From worker and slot to id; what no worker has ranked is not a number. */
    private static double[] byId(final double[][] ranksByWorker, final int classCount) {
        final double[] ranks = new double[classCount];
        Arrays.fill(ranks, Double.NaN);
        for (int id = 0; id < classCount; id++) {
            final double[] ofWorker = ranksByWorker[id % ranksByWorker.length];
            final int slot = id / ranksByWorker.length;
            if (slot < ofWorker.length) {
                ranks[id] = ofWorker[slot];
            }
        }
        return ranks;
    }

    private static void printJson(final String json) {
        final PrintStream out =
                new PrintStream(new FileOutputStream(FileDescriptor.out), false, StandardCharsets.UTF_8);
        out.println(json);
        out.flush();
    }
}
