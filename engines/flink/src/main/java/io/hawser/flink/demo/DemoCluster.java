package io.hawser.flink.demo;

import io.hawser.flink.HawserShuffleOptions;
import io.hawser.flink.HawserShuffleServiceFactory;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import org.apache.flink.runtime.shuffle.ShuffleServiceOptions;

/**
 * A JobManager and TaskManagers, each a process of its own with the class path of this one, all on the loopback interface.
 *
 * <p><em>Threading:</em> for one thread; {@link #close()} for any.
 */
final class DemoCluster implements AutoCloseable {
    private static final long POLL_MS = 50;
    private static final List<String> INHERITED =
            List.of("--add-exports", "--add-opens", "--enable-native-access", "--sun-misc-unsafe-memory-access");

    private final Path directory;
    private final int restPort;
    private final List<Process> processes = new ArrayList<>();
    private final Thread hook = new Thread(this::killAll, "flink-demo-exit");

    DemoCluster(final Path directory, final boolean isOnHawser, final Duration silence, final Duration heartbeat)
            throws IOException {
        this.directory = Files.createDirectories(directory);
        this.restPort = freePort();
        final Map<String, String> settings = new TreeMap<>(Map.ofEntries(
                Map.entry("jobmanager.rpc.address", "127.0.0.1"),
                Map.entry("jobmanager.rpc.port", String.valueOf(freePort())),
                Map.entry("jobmanager.bind-host", "127.0.0.1"),
                Map.entry("jobmanager.memory.process.size", "1g"),
                Map.entry("rest.address", "127.0.0.1"),
                Map.entry("rest.bind-address", "127.0.0.1"),
                Map.entry("rest.port", String.valueOf(restPort)),
                Map.entry("taskmanager.host", "127.0.0.1"),
                Map.entry("taskmanager.bind-host", "127.0.0.1"),
                Map.entry("taskmanager.cpu.cores", "2"),
                Map.entry("taskmanager.numberOfTaskSlots", "2"),
                Map.entry("taskmanager.memory.task.heap.size", "128m"),
                Map.entry("taskmanager.memory.task.off-heap.size", "0m"),
                Map.entry("taskmanager.memory.framework.heap.size", "128m"),
                Map.entry("taskmanager.memory.framework.off-heap.size", "128m"),
                Map.entry("taskmanager.memory.managed.size", "32m"),
                Map.entry("taskmanager.memory.network.min", "64m"),
                Map.entry("taskmanager.memory.network.max", "64m"),
                Map.entry("taskmanager.memory.jvm-metaspace.size", "128m"),
                Map.entry("taskmanager.memory.jvm-overhead.min", "192m"),
                Map.entry("taskmanager.memory.jvm-overhead.max", "192m"),
                Map.entry("heartbeat.interval", "1000"),
                Map.entry("heartbeat.timeout", String.valueOf(heartbeat.toMillis())),
                Map.entry("restart-strategy.type", "fixed-delay"),
                Map.entry("restart-strategy.fixed-delay.attempts", "1000"),
                Map.entry("restart-strategy.fixed-delay.delay", "200 ms"),
                Map.entry(HawserShuffleOptions.SILENCE_TIMEOUT.key(), silence.toMillis() + " ms")));
        if (isOnHawser) {
            settings.put(
                    ShuffleServiceOptions.SHUFFLE_SERVICE_FACTORY_CLASS.key(),
                    HawserShuffleServiceFactory.class.getName());
        }
        final List<String> lines = new ArrayList<>();
        settings.forEach((key, value) -> lines.add(key + ": " + value));
        Files.write(directory.resolve("config.yaml"), lines);
        Runtime.getRuntime().addShutdownHook(hook);
        launch("jobmanager", "org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint");
    }

    int restPort() {
        return restPort;
    }

    Process startTaskManager(final String name) throws IOException {
        return launch(
                name,
                "org.apache.flink.runtime.taskexecutor.TaskManagerRunner",
                "-D",
                "taskmanager.resource-id=" + name);
    }

    private Process launch(final String name, final String main, final String... more) throws IOException {
        final List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        for (final String flag : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
            if (INHERITED.stream().anyMatch(flag::startsWith)) {
                command.add(flag);
            }
        }
        command.addAll(List.of(
                "-Xmx400m",
                "-XX:+UseSerialGC",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
                "-Dorg.slf4j.simpleLogger.log.org.apache.flink.runtime.executiongraph=info",
                "-Dorg.slf4j.simpleLogger.log.org.apache.flink.runtime.resourcemanager=info",
                "-Dorg.slf4j.simpleLogger.log.io.hawser=info",
                "-Dorg.slf4j.simpleLogger.showDateTime=true",
                "-Dorg.slf4j.simpleLogger.dateTimeFormat=HH:mm:ss.SSS",
                "-cp",
                System.getProperty("java.class.path"),
                main,
                "--configDir",
                directory.toString()));
        command.addAll(List.of(more));
        final File log = directory.resolve(name + ".log").toFile();
        final Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log)
                .start();
        synchronized (processes) {
            processes.add(process);
        }
        return process;
    }

    /** {@return what the JobManager has logged so far} */
    List<String> jobManagerLog() {
        try {
            return Files.readAllLines(directory.resolve("jobmanager.log"));
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void await(final String what, final Duration patience, final Predicate<List<String>> condition)
            throws TimeoutException, InterruptedException {
        final long deadlineNs = System.nanoTime() + patience.toNanos();
        while (!condition.test(jobManagerLog())) {
            if (System.nanoTime() - deadlineNs > 0) {
                throw new TimeoutException(
                        "not within " + patience + ": " + what + "; see " + directory.resolve("jobmanager.log"));
            }
            Thread.sleep(POLL_MS);
        }
    }

    void awaitTaskManager(final String name) throws TimeoutException, InterruptedException {
        await(
                "TaskManager " + name,
                Duration.ofSeconds(90),
                lines -> count(lines, LocalTime.MIN, "Registering TaskManager with ResourceID " + name + " ") > 0);
    }

    static long count(final List<String> lines, final LocalTime from, final String words) {
        return lines.stream()
                .filter(line -> line.contains(words) && isSince(line, from))
                .count();
    }

    /** {@return the time of the first line, from a time on, with those words; null if there is none} */
    static LocalTime first(final List<String> lines, final LocalTime from, final String words) {
        return lines.stream()
                .filter(line -> line.contains(words) && isSince(line, from))
                .map(DemoCluster::time)
                .findFirst()
                .orElse(null);
    }

    private static boolean isSince(final String line, final LocalTime from) {
        final LocalTime time = time(line);
        return time != null && !time.isBefore(from);
    }

    private static LocalTime time(final String line) {
        return line.matches("\\d\\d:\\d\\d:\\d\\d\\.\\d{3} .*") ? LocalTime.parse(line.substring(0, 12)) : null;
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private void killAll() {
        synchronized (processes) {
            processes.forEach(Process::destroyForcibly);
        }
    }

    @Override
    public void close() {
        killAll();
        Runtime.getRuntime().removeShutdownHook(hook);
    }
}
