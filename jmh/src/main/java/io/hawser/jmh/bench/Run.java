package io.hawser.jmh.bench;

import io.hawser.jmh.peers.EntrantProcess;
import io.hawser.jmh.peers.Part;
import io.hawser.jmh.peers.ResultLine;
import io.hawser.jmh.peers.Role;
import io.hawser.jmh.peers.Workload;
import io.hawser.tools.Ports;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * One run of one entrant at one work: starts the processes, waits for what they have measured, and sees that none stays.
 *
 * <p><em>Threading:</em> the main thread.
 */
final class Run {
    /** How long processes may take to start. */
    private static final long READY_TIMEOUT_MS = 15_000;

    /** How much longer than its windows a run may take. The processes themselves give up sooner, and say more. */
    private static final long SPARE_MS = 25_000;

    private static final long EXIT_TIMEOUT_MS = 2_000;

    private final Plan plan;
    private final Workload workload;
    private final String entrant;
    private final RunProcesses processes;
    private final List<String> prefix;
    private final Path directory;
    private final List<Integer> ports;
    private final BlockingQueue<ProcessLine> lines = new LinkedBlockingQueue<>();
    private final List<RunProcess> started = new ArrayList<>();

    /**
     * Prepares a run.
     *
     * @param plan      how long, and where
     * @param workload  the work
     * @param entrant   who does it
     * @param processes to start them among
     * @param prefix    what each command begins with
     * @param directory for files that the processes share
     * @throws IOException if there are too few ports
     */
    Run(
            final Plan plan,
            final Workload workload,
            final String entrant,
            final RunProcesses processes,
            final List<String> prefix,
            final Path directory)
            throws IOException {
        this.plan = plan;
        this.workload = workload;
        this.entrant = entrant;
        this.processes = processes;
        this.prefix = prefix;
        this.directory = directory;
        ports = Ports.free(workload.portCount(), new Random());
    }

    /**
     * Runs it.
     *
     * @return what all processes have measured, added up
     * @throws RunFailedException   if it comes to nothing
     * @throws IOException          if a process cannot be started
     * @throws InterruptedException if the thread is interrupted
     */
    ResultLine execute() throws RunFailedException, IOException, InterruptedException {
        try {
            if (workload.processCount() == 2) {
                start(Role.RECEIVER, 0);
                await("READY", READY_TIMEOUT_MS);
                start(Role.SENDER, 1);
            } else {
                for (int index = 0; index < workload.processCount(); index++) {
                    start(Role.NODE, index);
                }
                await("READY", READY_TIMEOUT_MS);
                started.forEach(process -> process.tell("GO"));
            }
            return sum(await(ResultLine.PREFIX, plan.warmUpMs() + plan.measureMs() + SPARE_MS));
        } finally {
            started.forEach(process -> process.tell("EXIT"));
            processes.awaitEnd(started, EXIT_TIMEOUT_MS);
        }
    }

    private void start(final Role role, final int index) throws IOException {
        final Part part = new Part(
                entrant,
                workload,
                role,
                index,
                Ports.HOST,
                ports,
                plan.warmUpMs(),
                plan.measureMs(),
                plan.ratePerS(),
                directory);
        final List<String> command = new ArrayList<>(prefix);
        command.addAll(plan.priority().prefix());
        command.addAll(plan.pinning().prefix(index));
        command.add(System.getProperty("java.home") + File.separator + "bin" + File.separator + "java");
        command.addAll(JvmFlags.of(workload));
        command.addAll(plan.jvmOptions());
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add(EntrantProcess.class.getName());
        command.addAll(part.arguments());
        started.add(processes.start(role.argument() + "-" + index, command, lines::add));
    }

    /** Waits until each process has told a line that begins so. */
    private Map<RunProcess, String> await(final String beginning, final long timeoutMs)
            throws RunFailedException, InterruptedException {
        final long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
        final Map<RunProcess, String> told = new LinkedHashMap<>();
        while (told.size() < started.size()) {
            final ProcessLine line = lines.poll(deadlineNs - System.nanoTime(), TimeUnit.NANOSECONDS);
            if (line == null) {
                final List<RunProcess> silent = new ArrayList<>(started);
                silent.removeAll(told.keySet());
                throw new RunFailedException(
                        "no " + beginning.strip() + " within " + timeoutMs + " ms from " + silent + ": killed");
            }
            if (line.isEnd() || line.text().startsWith("ERROR")) {
                throw new RunFailedException(failure(line));
            }
            if (line.text().startsWith(beginning)) {
                told.put(line.process(), line.text());
            }
        }
        return told;
    }

    private static String failure(final ProcessLine line) {
        final List<String> tail = line.process().tail();
        return line.process() + ": " + (line.isEnd() ? "has ended" : line.text())
                + (tail.isEmpty() ? "" : System.lineSeparator() + String.join(System.lineSeparator(), tail));
    }

    private static ResultLine sum(final Map<RunProcess, String> told) throws RunFailedException {
        final ResultLine sum = new ResultLine();
        for (final String line : told.values()) {
            ResultLine.parse(line).numbers().forEach(sum::add);
        }
        final double lost = sum.get(ResultLine.LOST).orElse(1);
        final double bad = sum.get(ResultLine.BAD).orElse(1);
        if (lost != 0 || bad != 0 || sum.get(ResultLine.COUNT).orElse(0) == 0) {
            throw new RunFailedException("messages were lost or wrong: " + sum);
        }
        return sum;
    }
}
