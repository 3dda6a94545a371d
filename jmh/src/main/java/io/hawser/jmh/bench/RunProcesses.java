package io.hawser.jmh.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * All processes that are running for the benchmarks, so that none is left behind: a shutdown hook kills them if this one is interrupted or terminated.
 *
 * <p><em>Threading:</em> safe; one lock, so that nothing is started once all are being killed.
 */
final class RunProcesses implements AutoCloseable {
    private final List<RunProcess> living = new ArrayList<>();
    private final Thread hook = new Thread(this::killAll, "bench-end");
    private boolean isOver;

    RunProcesses() {
        Runtime.getRuntime().addShutdownHook(hook);
    }

    synchronized RunProcess start(final String name, final List<String> command, final Consumer<ProcessLine> lines)
            throws IOException {
        if (isOver) {
            throw new IllegalStateException("all processes are being ended: name=" + name);
        }
        final RunProcess process = RunProcess.start(name, command, lines);
        living.add(process);
        return process;
    }

    /** Waits for the end of processes that were asked to end, and kills those that do not. */
    void awaitEnd(final List<RunProcess> processes, final long timeoutMs) throws InterruptedException {
        final long deadlineNs = System.nanoTime() + timeoutMs * 1_000_000;
        for (final RunProcess process : processes) {
            process.awaitEnd(Math.max(0, (deadlineNs - System.nanoTime()) / 1_000_000));
        }
        synchronized (this) {
            living.removeAll(processes);
        }
    }

    @Override
    public void close() {
        killAll();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (final IllegalStateException e) {
            // this JVM is shutting down, so the hook is at work
        }
    }

    private synchronized void killAll() {
        isOver = true;
        living.forEach(RunProcess::kill);
        try {
            for (final RunProcess process : living) {
                process.awaitEnd(0);
            }
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
