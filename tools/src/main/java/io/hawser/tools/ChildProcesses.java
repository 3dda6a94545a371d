package io.hawser.tools;

import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

/**
 * All processes that a command has started, so that none outlives it: they are ended by {@link #close()}, and by a
 * shutdown hook if the process that started them is interrupted or terminated. Should that one be killed, they see their
 * standard input end.
 *
 * <p><em>Threading:</em> safe; one lock, so that nothing is started once all are being ended.
 */
public final class ChildProcesses implements AutoCloseable {
    /** How long all together may take to end when they are asked to, before they are killed. */
    private static final long END_TIMEOUT_MS = 2_000;

    /**
     * For JVMs that live for seconds, several of them on few cores: less time is lost on compiling. Only Linux knows huge
     * pages, see below.
     */
    private static final List<String> FAST_START =
            List.of("-XX:+IgnoreUnrecognizedVMOptions", "-XX:TieredStopAtLevel=1");

    /** A collector without threads of its own that compete for few cores. */
    private static final List<String> SMALL_COLLECTOR = List.of("-XX:+UseSerialGC", "-Xmn8m");

    /**
     * The kernel takes back all memory of a killed process, page by page, before it closes its sockets, and only then can
     * anybody notice. So: few pages, large ones, none of the JDK's image, which is read instead of mapped, and the JDK's class
     * archive where it was made for, so that its 12 MB stay the file's pages.
     */
    private static final List<String> FAST_DEATH = List.of(
            "-XX:+UseTransparentHugePages",
            "-Djdk.image.map.all=false",
            "-XX:+UnlockDiagnosticVMOptions",
            "-XX:ArchiveRelocationMode=0");

    /** The same for native memory: glibc would spread it over one arena for each thread, all in small pages. */
    private static final Map<String, String> ENVIRONMENT =
            Map.of("MALLOC_ARENA_MAX", "1", "GLIBC_TUNABLES", "glibc.malloc.hugetlb=1");

    private final BiConsumer<ChildProcess, Event> events;
    private final BiConsumer<Integer, String> output;
    private final List<ChildProcess> children = new ArrayList<>();
    private final Thread hook;
    private final CountDownLatch ending = new CountDownLatch(1);

    /**
     * Prepares to start processes.
     *
     * @param events     receives what each of them tells, on a thread of that process.
     * @param output     receives the index of a process and a line of its other output.
     * @param afterwards is called when this JVM was told to end, and all of them have ended.
     */
    public ChildProcesses(
            final BiConsumer<ChildProcess, Event> events,
            final BiConsumer<Integer, String> output,
            final Runnable afterwards) {
        this.events = events;
        this.output = output;
        hook = new Thread(
                () -> {
                    endAll();
                    afterwards.run();
                },
                "hawser-demo-end");
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /**
     * Starts a process of the same command line in a JVM like this one.
     *
     * @param index     of the process in the cluster.
     * @param arguments of the command line.
     * @return the process, running.
     * @throws IOException if it cannot be started.
     */
    ChildProcess start(final int index, final List<String> arguments) throws IOException {
        return start(index, Main.class, List.of(), arguments);
    }

    /**
     * Starts a process in a JVM like this one.
     *
     * @param index     of the process in the cluster.
     * @param main      what it runs.
     * @param flags     of its JVM, stronger than those of this one.
     * @param arguments of what it runs.
     * @return the process, running.
     * @throws IOException if it cannot be started.
     */
    public synchronized ChildProcess start(
            final int index, final Class<?> main, final List<String> flags, final List<String> arguments)
            throws IOException {
        if (ending.getCount() == 0) {
            throw new IllegalStateException("all processes are being ended: index=" + index);
        }
        final List<String> command = new ArrayList<>();
        command.add(System.getProperty("java.home") + File.separator + "bin" + File.separator + "java");
        command.addAll(jvmFlags(ManagementFactory.getRuntimeMXBean().getInputArguments()));
        command.addAll(flags);
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add(main.getName());
        command.addAll(arguments);
        final ChildProcess child =
                ChildProcess.start(index, command, ENVIRONMENT, events, line -> output.accept(index, line));
        children.add(child);
        return child;
    }

    /** Waits until all are being ended, perhaps because somebody pressed Ctrl-C; whether that is so within this time. */
    public boolean awaitEnding(final long timeoutMs) throws InterruptedException {
        return ending.await(timeoutMs, TimeUnit.MILLISECONDS);
    }

    /** Ends all, and waits until none is left. */
    @Override
    public void close() {
        endAll();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (final IllegalStateException e) {
            // this JVM is shutting down, so the hook is at work
        }
    }

    /** The flags of this JVM, except a debugger's, which could not listen twice; and what suits short-lived processes. */
    static List<String> jvmFlags(final List<String> own) {
        final List<String> flags = new ArrayList<>(FAST_START);
        flags.addAll(FAST_DEATH);
        if (own.stream().noneMatch(flag -> flag.matches("-XX:\\+Use\\w+GC"))) {
            flags.addAll(SMALL_COLLECTOR);
        }
        own.stream()
                .filter(flag -> !flag.startsWith("-agentlib:jdwp") && !flag.startsWith("-Xrunjdwp"))
                .forEach(flags::add);
        return flags;
    }

    private void endAll() {
        ending.countDown();
        awaitEnd();
    }

    private synchronized void awaitEnd() {
        children.forEach(ChildProcess::askToEnd);
        final long deadline = System.nanoTime() / 1_000_000 + END_TIMEOUT_MS;
        try {
            for (final ChildProcess child : children) {
                child.awaitEnd(Math.max(0, deadline - System.nanoTime() / 1_000_000));
            }
        } catch (final InterruptedException e) {
            children.forEach(ChildProcess::kill);
            Thread.currentThread().interrupt();
        }
    }
}
