package io.hawser.testkit;

import io.hawser.allocator.Cluster;
import io.hawser.allocator.WorkerFunction;
import io.hawser.transport.ClusterConfig;
import io.hawser.transport.ClusterConfigBuilder;
import io.hawser.transport.Endpoint;
import io.hawser.transport.FormationException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.StringJoiner;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ObjIntConsumer;
import java.util.function.Supplier;

/**
 * The processes of one cluster within this JVM, over real TCP on the loopback interface: each with a configuration, threads and a port of its own, and a
 * {@link FaultProxy} between every two of them if wanted. What it cannot show is the end of a process: for that there is {@link ProcessCluster}.
 *
 * <pre>{@code
 * try (LoopbackCluster cluster = LoopbackCluster.of(3, 2).withProxies()) {
 *     LoopbackRun<Long> run = cluster.run(worker -> compute(worker));
 *     cluster.proxy(0, 1).blackHole();
 *     List<Outcomes<Long>> outcomes = run.join(Duration.ofSeconds(20));
 * }
 * }</pre>
 *
 * <p>The settings are Hawser's defaults, but for a heartbeat each 100 ms and a silence time-out of 3 s, so that black holes are noticed while a test waits; {@link #configure} changes
 * them. When one run is over the same cluster can run again, at the same ports, as the next generation.
 *
 * <p><em>Threading:</em> any thread but the workers'.
 */
public final class LoopbackCluster implements AutoCloseable {
    private static final Duration HEARTBEAT_INTERVAL = Duration.ofMillis(100);
    private static final Duration SILENCE_TIMEOUT = Duration.ofSeconds(3);
    private static final Duration FORMATION_TIMEOUT = Duration.ofSeconds(20);

    /** What has been ended may take so long to vanish: threads run out, the kernel closes sockets. */
    private static final Duration TIDY_TIMEOUT = Duration.ofSeconds(5);

    private static final String HOST = InetAddress.getLoopbackAddress().getHostAddress();
    private static final AtomicInteger COUNT = new AtomicInteger();

    private final String clusterId = "loopback-" + ProcessHandle.current().pid() + "-" + COUNT.incrementAndGet();
    private final int workersPerProcess;
    private Duration tidyTimeout = TIDY_TIMEOUT;
    private final List<Integer> ports;

    /** By lower and higher index; empty, or complete. */
    private volatile Map<List<Integer>, FaultProxy> proxies = Map.of();

    // under the monitor, which nobody holds while the cluster forms
    private ObjIntConsumer<ClusterConfigBuilder> settings = (builder, process) -> {};
    private LoopbackRun<?> latest;
    private boolean isForming;
    private boolean isClosed;

    private LoopbackCluster(final int processCount, final int workersPerProcess) {
        this.workersPerProcess = atLeastOne(workersPerProcess, "workersPerProcess");
        this.ports = FreePorts.take(atLeastOne(processCount, "processCount"));
    }

    /**
     * A cluster that does not run yet, at ports that were free.
     *
     * @param processes how many processes, 1 or more
     * @param workers   of each, 1 or more
     * @return the cluster, to be closed
     */
    public static LoopbackCluster of(final int processes, final int workers) {
        return new LoopbackCluster(processes, workers);
    }

    /**
     * From the next run on, a proxy stands between every two processes, faithful at first. The same ones for all runs.
     *
     * @return this
     */
    public synchronized LoopbackCluster withProxies() {
        if (proxies.isEmpty()) {
            final Map<List<Integer>, FaultProxy> between = new LinkedHashMap<>();
            for (int lower = 0; lower < processCount(); lower++) {
                for (int higher = lower + 1; higher < processCount(); higher++) {
                    between.put(List.of(lower, higher), FaultProxy.to(ports.get(lower)));
                }
            }
            proxies = between;
        }
        return this;
    }

    /**
     * From the next run on, the settings of each process are what this makes of the usual ones. A later call adds to an earlier one. Cluster id, addresses and the number of workers are
     * better left alone.
     *
     * @param more gets the builder, and the index of the process
     * @return this
     */
    public synchronized LoopbackCluster configure(final ObjIntConsumer<ClusterConfigBuilder> more) {
        Objects.requireNonNull(more, "more");
        final ObjIntConsumer<ClusterConfigBuilder> before = settings;
        settings = (builder, process) -> {
            before.accept(builder, process);
            more.accept(builder, process);
        };
        return this;
    }

    /**
     * How many processes it has.
     *
     * @return the count
     */
    public int processCount() {
        return ports.size();
    }

    /**
     * How many workers each process has.
     *
     * @return the count
     */
    public int workersPerProcess() {
        return workersPerProcess;
    }

    /**
     * The port that a process listens on.
     *
     * @param process index of the process
     * @return its own port, whatever proxy stands before it
     */
    public int port(final int process) {
        return ports.get(process);
    }

    /**
     * The proxy between two processes. The higher index dials, so {@link FaultProxy#toTarget()} is what the higher one sends; {@link #lane} spares thinking of that.
     *
     * @param oneProcess     index of a process
     * @param anotherProcess index of another process
     * @return the proxy between them, in either order
     * @throws IllegalStateException    if the cluster was made without proxies
     * @throws IllegalArgumentException if these are not two processes of the cluster
     */
    public FaultProxy proxy(final int oneProcess, final int anotherProcess) {
        if (proxies.isEmpty() && processCount() > 1) {
            throw new IllegalStateException("the cluster has no proxies: call withProxies() before it runs");
        }
        final FaultProxy proxy =
                proxies.get(List.of(Math.min(oneProcess, anotherProcess), Math.max(oneProcess, anotherProcess)));
        if (proxy == null) {
            throw new IllegalArgumentException("not two processes: oneProcess=" + oneProcess + " anotherProcess="
                    + anotherProcess + " processCount=" + processCount());
        }
        return proxy;
    }

    /**
     * One direction between two processes.
     *
     * @param source index of the process that sends
     * @param target index of the process that receives
     * @return the lane to give orders to
     * @throws IllegalStateException    if the cluster was made without proxies
     * @throws IllegalArgumentException if these are not two processes of the cluster
     */
    public ProxyLane lane(final int source, final int target) {
        final FaultProxy proxy = proxy(source, target);
        return source > target ? proxy.toTarget() : proxy.toDialler();
    }

    /**
     * Cuts a process off from all others, as a pulled cable does: nothing passes, nothing ends.
     *
     * @param process index of the process
     * @throws IllegalStateException if the cluster was made without proxies
     */
    public void isolate(final int process) {
        proxiesOf(process).forEach(FaultProxy::blackHole);
    }

    /**
     * Ends all connections of a process, as its kernel does when it is killed: to the others it is lost, and it cannot be dialled until its proxies {@link FaultProxy#heal()}. The process
     * itself goes on, and finds the others lost.
     *
     * @param process index of the process
     * @param how     its connections end
     * @throws IllegalStateException if the cluster was made without proxies
     */
    public void sever(final int process, final Cut how) {
        final Collection<FaultProxy> around = proxiesOf(process);
        around.forEach(proxy -> proxy.onAccept(FaultProxy.OnAccept.RESET));
        // first all go deaf and dumb: by what it finds on one connection, the process must not tell on the next that
        // the others are lost
        around.forEach(FaultProxy::blackHole);
        around.forEach(proxy -> proxy.cut(how));
    }

    /** Takes back what all proxies were ordered. */
    public void heal() {
        allProxies().forEach(FaultProxy::heal);
    }

    /**
     * Forms the cluster and starts all workers. When this returns all processes have formed it.
     *
     * @param function what each worker does, the same on all processes
     * @param <R>      the type of what a worker ends with
     * @return the run, which lasts until all workers have ended
     * @throws FormationException    if a process could not form it; the others were interrupted then, and nothing is left of the attempt
     * @throws InterruptedException  if the calling thread was interrupted; nothing is left of the attempt
     * @throws IllegalStateException if the run before is not over, or the cluster is closed
     */
    public <R> LoopbackRun<R> run(final WorkerFunction<? extends R> function)
            throws FormationException, InterruptedException {
        Objects.requireNonNull(function, "function");
        final ObjIntConsumer<ClusterConfigBuilder> current;
        final long generation;
        synchronized (this) {
            if (isClosed || isForming || latest != null && !latest.isOver()) {
                throw new IllegalStateException("one run at a time, before close: isClosed=" + isClosed + " isForming="
                        + isForming + " clusterId=" + clusterId);
            }
            isForming = true;
            current = settings;
            generation = latest == null ? 1 : latest.generation() + 1;
        }
        try {
            final List<ClusterConfig> configs = new ArrayList<>();
            for (int process = 0; process < processCount(); process++) {
                configs.add(config(process, generation, current));
            }
            return begun(new LoopbackRun<>(this::describe, form(configs, function)));
        } finally {
            synchronized (this) {
                isForming = false;
            }
        }
    }

    /** The cluster may have been closed while it was forming. */
    private <R> LoopbackRun<R> begun(final LoopbackRun<R> run) {
        synchronized (this) {
            latest = run;
            if (!isClosed) {
                return run;
            }
        }
        run.close();
        throw new IllegalStateException("closed while forming: clusterId=" + clusterId);
    }

    /**
     * The settings of one process, proxies included, for an engine that forms its clusters itself, by {@link Cluster#supervise} for example: one thread for each process. {@link #close} looks for what is left of them, but it does not end them.
     *
     * @param process index of the process
     * @return settings that propose a generation above that of the latest run
     * @throws IndexOutOfBoundsException if there is no such process
     */
    public synchronized ClusterConfig config(final int process) {
        Objects.checkIndex(process, processCount());
        return config(process, latest == null ? 1 : latest.generation() + 1, settings);
    }

    private ClusterConfig config(
            final int process, final long generation, final ObjIntConsumer<ClusterConfigBuilder> current) {
        final ClusterConfigBuilder builder = ClusterConfig.builder()
                .clusterId(clusterId)
                .processIndex(process)
                .workersPerProcess(workersPerProcess)
                .generation(generation)
                .formationTimeout(FORMATION_TIMEOUT)
                .heartbeatInterval(HEARTBEAT_INTERVAL)
                .silenceTimeout(SILENCE_TIMEOUT);
        if (processCount() > 1) {
            builder.addresses(
                    ports.stream().map(port -> new Endpoint(HOST, port)).toList());
        }
        for (int lower = 0; lower < process && !proxies.isEmpty(); lower++) {
            builder.address(lower, proxy(lower, process).endpoint());
        }
        current.accept(builder, process);
        return builder.build();
    }

    private <R> List<Cluster<R>> form(final List<ClusterConfig> configs, final WorkerFunction<? extends R> function)
            throws FormationException, InterruptedException {
        final ExecutorService callers =
                Executors.newFixedThreadPool(configs.size(), body -> daemon(body, threadPrefix() + "forms"));
        final CompletionService<Cluster<R>> forming = new ExecutorCompletionService<>(callers);
        configs.forEach(config -> forming.submit(() -> Cluster.execute(config, function)));
        final List<Cluster<R>> formed = new ArrayList<>();
        Exception failure = null;
        for (int ended = 0; ended < configs.size(); ) {
            try {
                final Future<Cluster<R>> next = forming.take();
                ended++;
                formed.add(next.get());
            } catch (final ExecutionException | InterruptedException failed) {
                failure = first(failure, failed);
                callers.shutdownNow();
            }
        }
        callers.shutdown();
        if (failure != null) {
            formed.forEach(Cluster::close);
            throw rethrown(failure);
        }
        formed.sort((one, other) -> Integer.compare(one.processIndex(), other.processIndex()));
        return formed;
    }

    /** Others fail because the first has; only the interruption of the caller comes from elsewhere. */
    private static Exception first(final Exception before, final Exception failed) {
        return before == null || failed instanceof InterruptedException ? failed : before;
    }

    private static RuntimeException rethrown(final Exception failure) throws FormationException, InterruptedException {
        if (failure instanceof InterruptedException interrupted) {
            throw interrupted;
        }
        if (failure.getCause() instanceof FormationException notFormed) {
            throw notFormed;
        }
        return new IllegalStateException("cannot form: " + failure.getCause().getMessage(), failure.getCause());
    }

    private static Thread daemon(final Runnable body, final String name) {
        final Thread thread = new Thread(body, name);
        thread.setDaemon(true);
        return thread;
    }

    /**
     * How things stand: each process with its health and links, each proxy, and what the cluster's threads are doing.
     *
     * @return many lines, for a person who looks for the fault
     */
    public String describe() {
        final StringJoiner text = new StringJoiner(System.lineSeparator());
        final LoopbackRun<?> run;
        synchronized (this) {
            run = latest;
        }
        text.add("cluster " + clusterId + ", " + processCount() + " processes of " + workersPerProcess
                + " workers, ports " + ports + (run == null ? ", has not run" : ""));
        if (run != null) {
            run.describe(text);
        }
        allProxies().forEach(proxy -> text.add(proxy.toString()));
        threads(threadPrefix()).forEach(thread -> describe(thread, text));
        return text.toString();
    }

    private static void describe(final Thread thread, final StringJoiner text) {
        text.add("\"" + thread.getName() + "\" " + thread.getState());
        for (final StackTraceElement frame : thread.getStackTrace()) {
            text.add("    at " + frame);
        }
    }

    /**
     * Ends what still runs, by an abort, gives back ports and proxies, and makes sure that nothing is left. Idempotent.
     *
     * @throws AssertionError if something of the cluster is left after 5 s: a thread, a held port, an open connection; the message tells what
     */
    @Override
    public void close() {
        final LoopbackRun<?> run;
        synchronized (this) {
            if (isClosed) {
                return;
            }
            isClosed = true;
            run = latest;
        }
        if (run != null) {
            run.close();
        }
        heal();
        try {
            awaitNothingLeft(this::leftOpen);
        } finally {
            allProxies().forEach(FaultProxy::close);
        }
        awaitNothingLeft(this::proxyThreads);
    }

    /** For tests of what is never tidy. */
    LoopbackCluster tidyWithin(final Duration limit) {
        tidyTimeout = limit;
        return this;
    }

    private void awaitNothingLeft(final Supplier<List<String>> left) {
        Deadline.await(
                tidyTimeout,
                () -> "that nothing is left of cluster " + clusterId + ": " + left.get(),
                () -> left.get().isEmpty());
    }

    /** Threads, ports, and connections through the proxies, whose ends the processes hold. */
    private List<String> leftOpen() {
        final List<String> left = new ArrayList<>();
        threads(threadPrefix())
                .forEach(thread -> left.add("thread " + thread.getName() + " at " + List.of(thread.getStackTrace())));
        ports.stream().filter(port -> !FreePorts.isFree(port)).forEach(port -> left.add("port " + port));
        allProxies().stream().filter(proxy -> proxy.openCount() > 0).forEach(proxy -> left.add(proxy.toString()));
        return left;
    }

    private List<String> proxyThreads() {
        return allProxies().stream()
                .flatMap(proxy -> threads(proxy.threadPrefix()).stream())
                .map(thread -> "thread " + thread.getName())
                .toList();
    }

    private static List<Thread> threads(final String prefix) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith(prefix))
                .sorted((one, other) -> one.getName().compareTo(other.getName()))
                .toList();
    }

    private String threadPrefix() {
        return "hawser-" + clusterId + "-";
    }

    private Collection<FaultProxy> allProxies() {
        return proxies.values();
    }

    private List<FaultProxy> proxiesOf(final int process) {
        Objects.checkIndex(process, processCount());
        final List<FaultProxy> around = new ArrayList<>();
        for (int other = 0; other < processCount(); other++) {
            if (other != process) {
                around.add(proxy(other, process));
            }
        }
        return around;
    }

    private static int atLeastOne(final int count, final String what) {
        if (count < 1) {
            throw new IllegalArgumentException(what + " must be at least 1: " + what + "=" + count);
        }
        return count;
    }
}
