package io.hawser.jmh.bench;

import io.hawser.jmh.peers.Entrants;
import io.hawser.jmh.peers.Workload;
import io.hawser.tools.ExitStatus;
import io.hawser.tools.HelpOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * Measures Hawser beside other transports, over real processes.
 *
 * <p><em>Threading:</em> the main thread.
 */
@Command(
        name = "hawser bench",
        description = {
            "Measure Hawser beside other transports on this machine: the same work, in real processes, in interleaved rounds.",
            "Every message is verified. Figures are medians of the rounds; ratios are to raw-nio, framing written by hand."
        },
        footer = {
            "",
            "W1 bulk, W2 small, W3 ping-pong, W4 paced, W5 all to all, W6 mixed; all of them if none is given.",
            "",
            "Exit status: 0 all runs count, 1 some failed, 2 wrong usage.",
            "",
            "Examples:",
            "  hawser bench --quick",
            "  hawser bench W1 W2 --rounds 5 --json figures.json --svg figures.svg",
            "  hawser bench W3 --pin 0/1 --entrants hawser,raw-nio,raw-nio-queue"
        },
        sortOptions = false,
        usageHelpAutoWidth = true)
final class BenchCommand implements Callable<Integer> {
    private static final int ROUNDS_MAX = 100;
    private static final long MEASURE_MS_MIN = 100;

    /** Less than three minutes, by the time that the last run may take longer than is thought. */
    private static final long QUICK_LIMIT_MS = 160_000;

    @Spec
    private CommandSpec spec;

    @Mixin
    @SuppressWarnings("unused") // by name; the parser asks for it
    private HelpOption helpOption;

    @Parameters(arity = "0..*", paramLabel = "W1…W6", description = "the work to measure")
    private List<Workload> workloads = List.of();

    @Option(
            names = "--quick",
            description = "one short round: all works within 3 minutes; good for a look, not for a judgement")
    private boolean isQuick;

    @Option(names = "--rounds", paramLabel = "<N>", description = "how often everything is run (3; quick: 1)")
    private Integer rounds;

    @Option(names = "--warm-ms", paramLabel = "<N>", description = "how long each run warms up (2000; quick: 1000)")
    private Long warmUpMs;

    @Option(
            names = "--measure-ms",
            paramLabel = "<N>",
            description = "how long each run is measured (4000; quick: 700)")
    private Long measureMs;

    @Option(names = "--rate", paramLabel = "<N>", description = "messages per second of W4 (${DEFAULT-VALUE})")
    private int ratePerS = 100_000;

    @Option(
            names = "--entrants",
            split = ",",
            paramLabel = "<name>",
            description = "who takes part; all if it is not given. --list shows the names")
    private List<String> entrants = List.of();

    @Option(names = "--list", description = "show the entrants and the work that each can do, and end")
    private boolean isList;

    @Option(
            names = "--pin",
            paramLabel = "<A/B>",
            description = "processors of the first, second … process of a run, in turn, as taskset takes them")
    private String pin;

    @Option(
            names = "--nice",
            paramLabel = "<N>",
            description = "niceness of the measured processes, such as -15 where others use the machine (root)")
    private int niceness;

    @Option(
            names = "--congestion",
            paramLabel = "<name>",
            description = "TCP congestion control, such as reno, in a network of its own (Linux, root)")
    private String congestionControl;

    @Option(names = "--json", paramLabel = "<file>", description = "write the figures as a JSON array")
    private Path json;

    @Option(names = "--svg", paramLabel = "<file>", description = "write the figures as a chart")
    private Path svg;

    @Option(
            names = "--jvm",
            paramLabel = "<option>",
            description = "one more option for the measured JVMs; may be repeated")
    private List<String> jvmOptions = List.of();

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (isList) {
            for (final Workload workload : Workload.values()) {
                print(workload + " " + workload.description() + ": " + String.join(", ", Entrants.namesOf(workload)));
            }
            return ExitStatus.RIGHT;
        }
        final Plan plan = plan();
        final Surroundings surroundings = Surroundings.now(congestionControl, plan, Clock.systemDefaultZone());
        surroundings.lines().forEach(BenchCommand::print);
        print(plan.rounds() + (plan.rounds() == 1 ? " round" : " rounds") + ", each run warms up for " + plan.warmUpMs()
                + " ms and is measured for " + plan.measureMs() + " ms");
        try (SessionPriority session = new SessionPriority();
                RunProcesses processes = new RunProcesses()) {
            session.set(plan.priority());
            final List<Row> rows = run(plan, processes);
            write(json, () -> RowJson.of(rows, surroundings));
            write(svg, () -> BarChart.of(rows, surroundings));
            return conclude(rows);
        } catch (final RunFailedException e) {
            System.err.println("hawser bench: " + e.getMessage());
            return ExitStatus.WRONG;
        }
    }

    /** What the options ask for. */
    Plan plan() {
        entrants.stream()
                .filter(name -> !Entrants.names().contains(name))
                .findFirst()
                .ifPresent(name -> {
                    throw wrong("--entrants", "must be among " + Entrants.names() + ", but is '" + name + "'");
                });
        return new Plan(
                workloads.isEmpty()
                        ? List.of(Workload.values())
                        : workloads.stream().distinct().toList(),
                entrants.isEmpty() ? Entrants.usualNames() : entrants,
                (int) atLeast("--rounds", 1, ROUNDS_MAX, or(rounds, isQuick ? 1 : 3)),
                atLeast("--warm-ms", 0, Integer.MAX_VALUE, or(warmUpMs, isQuick ? 1_000 : 2_000)),
                atLeast("--measure-ms", MEASURE_MS_MIN, Integer.MAX_VALUE, or(measureMs, isQuick ? 700 : 4_000)),
                (int) atLeast("--rate", 1, 1_000_000, ratePerS),
                pinning(),
                new Priority((int) atLeast("--nice", -20, 19, niceness)),
                isQuick && rounds == null && measureMs == null ? QUICK_LIMIT_MS : Plan.NO_TIME_LIMIT,
                jvmOptions);
    }

    private List<Row> run(final Plan plan, final RunProcesses processes)
            throws RunFailedException, IOException, InterruptedException {
        if (congestionControl == null) {
            return new Bench(plan, processes, List.of(), BenchCommand::print).run();
        }
        try (NetworkNamespace network = NetworkNamespace.open(congestionControl, processes)) {
            return new Bench(plan, processes, network.prefix(), BenchCommand::print).run();
        }
    }

    private static int conclude(final List<Row> rows) {
        final int failures = rows.stream().mapToInt(Row::failures).sum();
        if (failures > 0) {
            System.err.println("hawser bench: runs have failed, see FAILED above: their figures do not count");
            return ExitStatus.WRONG;
        }
        return ExitStatus.RIGHT;
    }

    private static void write(final Path file, final Supplier<String> text) throws IOException {
        if (file != null) {
            Files.writeString(file, text.get() + System.lineSeparator());
            print("written: " + file);
        }
    }

    private Pinning pinning() {
        if (pin == null) {
            return Pinning.NONE;
        }
        try {
            return Pinning.parse(pin);
        } catch (final IllegalArgumentException e) {
            throw wrong("--pin", e.getMessage());
        }
    }

    private long atLeast(final String option, final long min, final long max, final long value) {
        if (value < min || value > max) {
            throw wrong(option, "must be a whole number, " + min + " to " + max + ", but is '" + value + "'");
        }
        return value;
    }

    private ParameterException wrong(final String option, final String problem) {
        return new ParameterException(spec.commandLine(), "Invalid value for option '" + option + "': " + problem);
    }

    private static long or(final Number given, final long otherwise) {
        return given == null ? otherwise : given.longValue();
    }

    private static void print(final String line) {
        System.out.println(line);
    }
}
