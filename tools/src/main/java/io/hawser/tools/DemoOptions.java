package io.hawser.tools;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Stack;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.IParameterConsumer;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;

/**
 * What the demonstration is asked to do: given to the process that starts the others, and by it to each of them.
 *
 * <p><em>Threading:</em> safe once parsed.
 */
final class DemoOptions {
    /** Enough to show it; each is a JVM. */
    static final int PROCESSES_MAX = 16;

    /** Enough to show it; each is a thread, and has a send ring to each other process. */
    static final int WORKERS_MAX = 16;

    /** Ranks stop changing long before. */
    static final int ITERATIONS_MAX = 100_000;

    /** Each fault costs a generation. */
    static final int FAULTS_MAX = 16;

    /** How often a process that has nothing to say says that it lives: a frozen one is noticed soon. */
    static final Duration HEARTBEAT_INTERVAL = Duration.ofMillis(200);

    /** A busy machine is not to be taken for a frozen process. */
    private static final Duration SILENCE_TIMEOUT = Duration.ofSeconds(10);

    /** Where somebody waits for a frozen process to be noticed. */
    private static final Duration FREEZING_SILENCE_TIMEOUT = Duration.ofSeconds(2);

    private static final Duration SILENCE_TIMEOUT_MIN = HEARTBEAT_INTERVAL.multipliedBy(3);
    private static final Duration SILENCE_TIMEOUT_MAX = Duration.ofSeconds(30);

    @Option(
            names = "--processes",
            paramLabel = "<n>",
            defaultValue = "4",
            converter = ProcessCount.class,
            description = "processes, 1 to " + PROCESSES_MAX + " (default: ${DEFAULT-VALUE})")
    private int processes;

    @Option(
            names = "--workers",
            paramLabel = "<n>",
            defaultValue = "2",
            converter = WorkerCount.class,
            description = "workers of each process, 1 to " + WORKERS_MAX + " (default: ${DEFAULT-VALUE})")
    private int workers;

    @Option(
            names = "--iterations",
            paramLabel = "<n>",
            defaultValue = "20",
            converter = IterationCount.class,
            description = "how often ranks are passed on, 1 to " + ITERATIONS_MAX + " (default: ${DEFAULT-VALUE})")
    private int iterations;

    /** One list for all three options, so that it has the order of the command line. */
    private final List<Fault> faults = new ArrayList<>();

    @Option(
            names = "--kill",
            paramLabel = "<P@I>",
            parameterConsumer = FaultConsumer.class,
            description =
                    "send SIGKILL to process P in iteration I, or while the cluster forms, when P is at the step I: "
                            + "listening, greeted, ready, started; may be given several times, as all three faults: those in "
                            + "iterations happen in the given order, each in the next generation; those while forming all in "
                            + "the forming that comes at their place in that order")
    @SuppressWarnings("unused") // by name; the parser fills it
    private final List<Fault> kills = faults;

    @Option(
            names = "--freeze",
            paramLabel = "<P@I>",
            parameterConsumer = FaultConsumer.class,
            description = "send SIGSTOP to process P in iteration I")
    @SuppressWarnings("unused") // by name; the parser fills it
    private final List<Fault> freezes = faults;

    @Option(
            names = "--panic",
            paramLabel = "<W@I>",
            parameterConsumer = FaultConsumer.class,
            description = "let worker W throw in iteration I")
    @SuppressWarnings("unused") // by name; the parser fills it
    private final List<Fault> panics = faults;

    @Option(
            names = "--silence-timeout",
            paramLabel = "<time>",
            converter = SilenceTimeout.class,
            description = "after how long without a sign of life a process counts as failed, 600ms to 30s "
                    + "(default: 10s; with --freeze 2s, so that the wait is short)")
    private Duration silenceTimeout;

    @Option(
            names = "--elsewhere",
            description = "start processes anew at other ports; the others learn them from a directory file")
    private boolean isElsewhere;

    /** Whether processes that were ended come back at other ports. */
    boolean isElsewhere() {
        return isElsewhere;
    }

    int processes() {
        return processes;
    }

    /** How many workers each process has. */
    int workers() {
        return workers;
    }

    /** How many workers there are in all. */
    int peers() {
        return processes * workers;
    }

    int iterations() {
        return iterations;
    }

    Duration silenceTimeout() {
        if (silenceTimeout != null) {
            return silenceTimeout;
        }
        final boolean isFreezing = faults.stream().anyMatch(fault -> fault.kind() == Fault.Kind.FREEZE);
        return isFreezing ? FREEZING_SILENCE_TIMEOUT : SILENCE_TIMEOUT;
    }

    /** All faults, in the order in which they were asked for. */
    List<Fault> faults() {
        return faults;
    }

    /**
     * Checks what one option alone cannot.
     *
     * @param command whose options these are.
     * @throws ParameterException if a fault is out of range, or if there are too many.
     */
    void check(final CommandLine command) {
        for (final Fault fault : faults) {
            final String option = fault.kind().option();
            final int targets = fault.kind() == Fault.Kind.PANIC ? peers() : processes;
            try {
                fault.checkRange(targets, iterations);
                if (fault.isWhileForming() && processes == 1) {
                    throw new IllegalArgumentException(
                            "one process alone does not form, so nothing would happen, but is '" + fault + "'");
                }
            } catch (final IllegalArgumentException e) {
                throw invalid(command, option, e);
            }
        }
        if (faults.size() > FAULTS_MAX) {
            throw new ParameterException(
                    command, "Too many faults: at most " + FAULTS_MAX + " are allowed, but there are " + faults.size());
        }
    }

    /**
     * The same options as arguments, but for the faults: those are ordered one by one.
     *
     * @return what parses to these options.
     */
    List<String> toArguments() {
        return List.of(
                "--processes=" + processes,
                "--workers=" + workers,
                "--iterations=" + iterations,
                "--silence-timeout=" + silenceTimeout().toMillis() + "ms");
    }

    private static ParameterException invalid(final CommandLine command, final String option, final Exception e) {
        return new ParameterException(command, "Invalid value for option '" + option + "': " + e.getMessage());
    }

    /** Adds a fault to the list that its option stands for. */
    static final class FaultConsumer implements IParameterConsumer {
        @Override
        public void consumeParameters(final Stack<String> arguments, final ArgSpec option, final CommandSpec command) {
            final String name = ((OptionSpec) option).longestName();
            if (arguments.isEmpty()) {
                throw new ParameterException(
                        command.commandLine(), "Missing value for option '" + name + "': " + option.paramLabel());
            }
            try {
                option.<List<Fault>>getValue().add(Fault.parse(Fault.Kind.ofOption(name), arguments.pop()));
            } catch (final IllegalArgumentException e) {
                throw invalid(command.commandLine(), name, e);
            }
        }
    }

    private static int wholeNumber(final String text, final int max) {
        try {
            final int value = Integer.parseInt(text);
            if (value >= 1 && value <= max) {
                return value;
            }
        } catch (final NumberFormatException e) {
            // told below, with the range
        }
        throw new TypeConversionException("must be a whole number, 1 to " + max + ", but is '" + text + "'");
    }

    static final class ProcessCount implements ITypeConverter<Integer> {
        @Override
        public Integer convert(final String text) {
            return wholeNumber(text, PROCESSES_MAX);
        }
    }

    static final class WorkerCount implements ITypeConverter<Integer> {
        @Override
        public Integer convert(final String text) {
            return wholeNumber(text, WORKERS_MAX);
        }
    }

    static final class IterationCount implements ITypeConverter<Integer> {
        @Override
        public Integer convert(final String text) {
            return wholeNumber(text, ITERATIONS_MAX);
        }
    }

    static final class SilenceTimeout implements ITypeConverter<Duration> {
        private static final Pattern SYNTAX = Pattern.compile("(\\d{1,6})(ms|s)");

        @Override
        public Duration convert(final String text) {
            final Matcher matcher = SYNTAX.matcher(text);
            if (matcher.matches()) {
                final long amount = Long.parseLong(matcher.group(1));
                final Duration value =
                        matcher.group(2).equals("ms") ? Duration.ofMillis(amount) : Duration.ofSeconds(amount);
                if (value.compareTo(SILENCE_TIMEOUT_MIN) >= 0 && value.compareTo(SILENCE_TIMEOUT_MAX) <= 0) {
                    return value;
                }
            }
            throw new TypeConversionException("must be a time, 600ms to 30s, but is '" + text + "'");
        }
    }
}
