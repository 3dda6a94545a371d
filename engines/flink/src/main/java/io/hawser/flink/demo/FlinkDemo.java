package io.hawser.flink.demo;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * Starts a JobManager and three TaskManagers, one of them spare, runs a job on Flink's own transport and then on Hawser, freezes a TaskManager midway, and prints what happened when, side by side.
 *
 * <p><em>Threading:</em> a program.
 */
public final class FlinkDemo {
    private static final Duration PATIENCE = Duration.ofSeconds(120);
    private static final int PARALLELISM = 4;

    /** Of a comparison: the first runs are those of the compilers. */
    private static final int WARM_UPS = 4;

    private static final int ROUNDS = 4;
    private static final int TASKS = 3 * PARALLELISM;
    private static final String RUNNING = "switched from INITIALIZING to RUNNING";

    private final Duration silence;
    private final Duration heartbeat;
    private final PrintStream out;

    private FlinkDemo(final Duration silence, final Duration heartbeat, final PrintStream out) {
        this.silence = silence;
        this.heartbeat = heartbeat;
        this.out = out;
    }

    /** What happened on one transport; times since the TaskManager was frozen, ms. */
    private record Timeline(long noticedMs, long runningMs, long finishedMs, String firstCause) {}

    /** The first attempt is slow, so that there is time to break it. */
    private static void slowlyAtFirst(final int subtask, final int attempt, final long count)
            throws InterruptedException {
        if (attempt == 0 && count % 2 == 0) {
            Thread.sleep(1);
        }
    }

    /**
     * Runs the demo.
     *
     * @param arguments {@code --silence-ms N} and {@code --heartbeat-timeout-ms N}, or {@code --compare N}
     * @throws Exception whatever goes wrong
     */
    public static void main(final String[] arguments) throws Exception {
        System.setProperty("org.slf4j.simpleLogger.defaultLogLevel", "warn");
        long silenceMs = 2_000;
        long heartbeatMs = 15_000;
        int pairs = 0;
        for (int i = 0; i < arguments.length; i++) {
            if (arguments[i].equals("--silence-ms") && i + 1 < arguments.length) {
                silenceMs = Long.parseLong(arguments[++i]);
            } else if (arguments[i].equals("--heartbeat-timeout-ms") && i + 1 < arguments.length) {
                heartbeatMs = Long.parseLong(arguments[++i]);
            } else if (arguments[i].equals("--compare") && i + 1 < arguments.length) {
                pairs = Integer.parseInt(arguments[++i]);
            } else {
                System.err.println(
                        "usage: flink-demo [--silence-ms N] [--heartbeat-timeout-ms N]\n"
                                + "       flink-demo --compare PAIRS: nothing is frozen; how long a job takes on either transport");
                System.exit(arguments[i].equals("--help") ? 0 : 2);
            }
        }
        final PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        if (pairs > 0) {
            new FlinkCompare(pairs, WARM_UPS, ROUNDS, out).run();
        } else {
            new FlinkDemo(Duration.ofMillis(silenceMs), Duration.ofMillis(heartbeatMs), out).run();
        }
        System.exit(0); // Flink's client leaves threads
    }

    private void run() throws Exception {
        final Path directory = Files.createTempDirectory("hawser-flink-demo");
        out.println(
                "Flink 2.3: a JobManager and three TaskManagers, one of them spare, each a process of its own; logs in "
                        + directory);
        out.println(
                "The job counts the references between the classes of the running JDK, by two shuffles; heartbeat.timeout is "
                        + heartbeat.toMillis() + " ms, hawser.shuffle.silence-timeout " + silence.toMillis() + " ms.");
        final Timeline netty = run(directory.resolve("netty"), false);
        final Timeline hawser = run(directory.resolve("hawser"), true);
        out.println();
        print("seconds since a TaskManager was frozen", "Flink's own", "Hawser");
        print("the job notices, and starts again", seconds(netty.noticedMs), seconds(hawser.noticedMs));
        print("all its tasks run again", seconds(netty.runningMs), seconds(hawser.runningMs));
        print("it has finished, all counts exact", seconds(netty.finishedMs), seconds(hawser.finishedMs));
        out.println();
        out.println("what the JobManager was told first, on Flink's own: " + netty.firstCause);
        out.println("what the JobManager was told first, on Hawser:      " + hawser.firstCause);
    }

    private Timeline run(final Path directory, final boolean isOnHawser) throws Exception {
        out.println();
        out.println(isOnHawser ? "== on Hawser" : "== on Flink's own transport");
        try (DemoCluster cluster = new DemoCluster(directory, isOnHawser, silence, heartbeat)) {
            cluster.startTaskManager("tm1");
            final Process victim = cluster.startTaskManager("tm2");
            cluster.awaitTaskManager("tm1");
            cluster.awaitTaskManager("tm2");
            final DegreeJob job = new DegreeJob(1);
            final StreamExecutionEnvironment env =
                    StreamExecutionEnvironment.createRemoteEnvironment("127.0.0.1", cluster.restPort());
            job.build(env, RuntimeExecutionMode.STREAMING, PARALLELISM, FlinkDemo::slowlyAtFirst);
            final JobClient client = env.executeAsync();
            cluster.await(
                    "all tasks running", PATIENCE, lines -> DemoCluster.count(lines, LocalTime.MIN, RUNNING) >= TASKS);
            out.println("the job runs on tm1 and tm2");
            cluster.startTaskManager("tm3");
            cluster.awaitTaskManager("tm3");
            final LocalTime at = LocalTime.now();
            new ProcessBuilder("kill", "-STOP", String.valueOf(victim.pid()))
                    .inheritIO()
                    .start()
                    .waitFor();
            out.println("tm2 is frozen: kill -STOP " + victim.pid());
            final String restarts = "switched from state RUNNING to RESTARTING";
            cluster.await("the job starts again", PATIENCE, lines -> DemoCluster.first(lines, at, restarts) != null);
            final long noticedMs = since(at, DemoCluster.first(cluster.jobManagerLog(), at, restarts));
            out.println("after " + seconds(noticedMs) + " s the job starts again");
            job.verify(client.getJobExecutionResult().get(PATIENCE.toSeconds(), TimeUnit.SECONDS));
            final long finishedMs = since(at, LocalTime.now());
            out.println("after " + seconds(finishedMs) + " s it has finished, all counts exact");
            final List<String> log = cluster.jobManagerLog();
            return new Timeline(noticedMs, since(at, lastRunning(log, at)), finishedMs, firstCause(log, at));
        }
    }

    /** When the last task of the attempt that went through was running. */
    private static LocalTime lastRunning(final List<String> log, final LocalTime at) {
        LocalTime last = at;
        for (final String line : log) {
            final LocalTime time = DemoCluster.first(List.of(line), at, RUNNING);
            last = time == null ? last : time;
        }
        return last;
    }

    /** The exception by which the first task failed, with its innermost cause. */
    private static String firstCause(final List<String> log, final LocalTime at) {
        final List<String> rest = new ArrayList<>();
        boolean isAfter = false;
        for (final String line : log) {
            isAfter |= DemoCluster.first(List.of(line), at, " to FAILED on ") != null;
            if (isAfter && line.contains(" to RESTARTING")) {
                break;
            }
            if (isAfter && line.matches("[\\w.$]+(Exception|Error)(: .*)?")) {
                rest.add(line);
            }
        }
        return rest.isEmpty() ? "nothing" : rest.get(0);
    }

    private static long since(final LocalTime start, final LocalTime end) {
        return ChronoUnit.MILLIS.between(start, end);
    }

    private static String seconds(final long ms) {
        return String.format(Locale.ROOT, "%.1f", ms / 1e3);
    }

    private void print(final String what, final String netty, final String hawser) {
        out.printf(Locale.ROOT, "%-40s %12s %12s%n", what, netty, hawser);
    }
}
