package io.hawser.flink;

import io.hawser.flink.demo.Transport;
import io.hawser.testkit.ChildProcess;
import io.hawser.testkit.Nursery;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.awaitility.Awaitility;

/** A JobManager and TaskManagers, each a process of its own, from nothing but the class path of this one. */
final class RealCluster {
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final List<String> JVM = List.of(
            "-Xmx400m",
            "-Xss1m",
            "-Dorg.slf4j.simpleLogger.log.org.apache.flink.runtime.executiongraph=info",
            "-Dorg.slf4j.simpleLogger.log.org.apache.flink.runtime.resourcemanager=info");

    private final Nursery nursery;
    private final Path directory;
    private final int restPort = freePort();
    private final ChildProcess jobManager;
    private final List<ChildProcess> taskManagers = new ArrayList<>();

    RealCluster(final Nursery nursery, final Path directory, final Transport transport, final Map<String, String> more)
            throws IOException {
        this.nursery = nursery;
        this.directory = directory;
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
                Map.entry("heartbeat.timeout", "15000"),
                Map.entry("restart-strategy.type", "fixed-delay"),
                Map.entry("restart-strategy.fixed-delay.attempts", "1000"),
                Map.entry("restart-strategy.fixed-delay.delay", "200 ms")));
        transport.in(new Configuration()).toMap().forEach(settings::put);
        settings.putAll(more);
        final List<String> lines = new ArrayList<>();
        settings.forEach((key, value) -> lines.add(key + ": " + value));
        Files.createDirectories(directory);
        Files.write(directory.resolve("config.yaml"), lines);
        jobManager = nursery.launch(
                "jobmanager",
                JVM,
                "org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint",
                "--configDir",
                directory.toString());
    }

    void startTaskManager() {
        final String name = "tm" + (taskManagers.size() + 1);
        taskManagers.add(nursery.launch(
                name,
                JVM,
                "org.apache.flink.runtime.taskexecutor.TaskManagerRunner",
                "--configDir",
                directory.toString(),
                "-D",
                "taskmanager.resource-id=" + name));
    }

    /** Waits until the JobManager knows the TaskManager that was started as that one. */
    void awaitTaskManager(final int number) {
        awaitJobManager(
                "TaskManager " + number,
                lines -> lines.stream()
                        .anyMatch(line -> line.contains("Registering TaskManager with ResourceID tm" + number + " ")));
    }

    void awaitJobManager(final String what, final Predicate<List<String>> condition) {
        Awaitility.await(what)
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(50))
                .until(() -> condition.test(jobManager.errorLines()));
    }

    ChildProcess jobManager() {
        return jobManager;
    }

    ChildProcess taskManager(final int index) {
        return taskManagers.get(index);
    }

    StreamExecutionEnvironment environment() {
        return StreamExecutionEnvironment.createRemoteEnvironment("127.0.0.1", restPort);
    }

    /** {@return the time of the first line, at or after a time, that has all those words; null if there is none} */
    static LocalTime timeOf(final List<String> lines, final LocalTime from, final String... words) {
        for (final String line : lines) {
            final LocalTime time = timeOf(line);
            if (time != null && !time.isBefore(from) && List.of(words).stream().allMatch(line::contains)) {
                return time;
            }
        }
        return null;
    }

    private static LocalTime timeOf(final String line) {
        return line.matches("\\d\\d:\\d\\d:\\d\\d\\.\\d{3} .*") ? LocalTime.parse(line.substring(0, 12)) : null;
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
