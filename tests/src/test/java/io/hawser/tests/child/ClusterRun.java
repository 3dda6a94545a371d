package io.hawser.tests.child;

import io.hawser.allocator.Cluster;
import io.hawser.allocator.Outcomes;
import io.hawser.allocator.SupervisedOutcomes;
import io.hawser.allocator.SupervisionPolicy;
import io.hawser.allocator.Worker;
import io.hawser.fate.Cause;
import io.hawser.fate.Outcome;
import io.hawser.tests.harness.Event;
import io.hawser.transport.ClusterConfig;
import io.hawser.transport.ClusterConfigBuilder;
import io.hawser.transport.Endpoint;
import io.hawser.transport.FormationException;
import io.hawser.transport.Former;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/**
 * One cluster from its forming to what is left over of it, as a command says, and told in events:
 * {@code formed} or {@code not-formed}, {@code at-work} for each worker, {@code blocked}, {@code worker} for each outcome,
 * {@code joined}.
 *
 * <p><em>Threading:</em> {@link #run()} in a thread of its own; the rest as said.
 */
final class ClusterRun implements Runnable {
    private static final long BLOCKED_AFTER_NS = TimeUnit.MILLISECONDS.toNanos(300);
    private static final long POLL_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(10);

    private final Event command;
    private final long id;
    private final int workerCount;
    private final long[] returnedMicros;
    private final AtomicLong counted = new AtomicLong();
    private final AtomicReference<Misdeed> misdeed = new AtomicReference<>();

    private volatile Cluster<Long> cluster;
    private volatile boolean isEndWanted;
    private volatile boolean isGo;
    private volatile boolean isOver;

    ClusterRun(final Event command) {
        this.command = command;
        this.id = command.number("run");
        this.workerCount = number("workers", 1);
        this.returnedMicros = new long[workerCount];
    }

    @Override
    public void run() {
        try {
            long generation = command.number("generation", 1);
            boolean isAgain = !command.has("supervise", true);
            if (!isAgain) {
                supervise(generation);
            }
            while (isAgain) {
                isAgain = runOnce(generation) && command.has("reform", true);
                generation = cluster == null ? generation : cluster.generation() + 1;
            }
        } catch (final Throwable unexpected) {
            unexpected.printStackTrace();
            Report.send("broken", "run", id, "text", unexpected);
        } finally {
            isOver = true;
        }
    }

    /** The library runs the loop. */
    private void supervise(final long generation) throws InterruptedException {
        final Duration formWithin = millis("formationMs", 20_000);
        final SupervisionPolicy policy = SupervisionPolicy.builder()
                .restarts(Integer.MAX_VALUE, Duration.ofDays(1))
                .backoff(Duration.ofMillis(1), Duration.ofMillis(100))
                .formWithin(formWithin)
                .onFormed(formed -> {
                    cluster = Objects.requireNonNull(cast(formed));
                    Report.send("formed", "run", id, "generation", formed.generation(), "roster", formed.roster());
                })
                .between(interlude -> {
                    final Event lost = Event.of(
                            "lost", "run", id, "generation", interlude.lost().generation());
                    describe(interlude.cause(), lost);
                    Report.send(lost);
                    return interlude.nextConfig();
                })
                .build();
        final SupervisedOutcomes<Long> outcomes = Cluster.supervise(config(generation), policy, this::workKeeping);
        Report.send("supervised", "run", id, "ending", outcomes.ending(), "restarts", outcomes.restarts());
    }

    @SuppressWarnings("unchecked") // the only cluster of this run
    private static Cluster<Long> cast(final Cluster<?> formed) {
        return (Cluster<Long>) formed;
    }

    /** What was kept is what this very process has kept, and the roster says the same of it as its handover. */
    private Long workKeeping(final Worker worker) throws Exception {
        final String own = ProcessHandle.current().pid() + "/" + worker.localIndex();
        final String kept = worker.kept(String.class);
        final Former from = worker.handover().from();
        final boolean isSurvivor = worker.roster().isSurvivor(worker.processIndex());
        final boolean isOfFormer =
                from.isPresent() && from.generation() == worker.roster().formerGeneration();
        if (kept != null && !kept.equals(own) || isSurvivor && !isOfFormer || (kept != null) != from.isPresent()) {
            Report.send(
                    "broken",
                    "run",
                    id,
                    "text",
                    "own=" + own + " kept=" + kept + " from=" + from + " roster=" + worker.roster());
        }
        worker.keep(own);
        return work(worker);
    }

    /** Whether it is of use to form again: after a loss, or when somebody was missing. */
    private boolean runOnce(final long generation) throws InterruptedException {
        final Residue before = Residue.now();
        final long startMicros = Report.nowMicros();
        try {
            cluster = Cluster.execute(config(generation), this::work);
        } catch (final FormationException failed) {
            Report.send("not-formed", "run", id, "text", failed.getMessage());
            return !failed.isFinal();
        }
        Report.send(
                "formed",
                "run",
                id,
                "generation",
                cluster.generation(),
                "tookMicros",
                Report.nowMicros() - startMicros);
        if (command.has("onLoss", "exit")) {
            cluster.health().onLost("exits", cause -> System.exit(7));
        }
        watchForBlocking();
        return !end(before);
    }

    /** Whether it ended cleanly. */
    private boolean end(final Residue before) throws InterruptedException {
        final Outcomes<Long> outcomes = joinEvenWithoutMemory();
        final long joinedMicros = microsEvenWithoutMemory();
        Misdeed.awaitMemory();
        final Residue after = Residue.now();
        for (int local = 0; local < workerCount; local++) {
            Report.send(outcome(local, outcomes.perWorker().get(local)));
        }
        Report.send(joined(outcomes, joinedMicros, before, after));
        cluster.close();
        return outcomes.isClean();
    }

    /** Where the heap is full on purpose, there may be no room for the outcomes at once. */
    private Outcomes<Long> joinEvenWithoutMemory() throws InterruptedException {
        while (true) {
            try {
                return cluster.join();
            } catch (final OutOfMemoryError full) {
                Misdeed.awaitMemory();
            }
        }
    }

    // ---- any thread

    /** A worker is to commit it, or the calling thread does. */
    void order(final Misdeed what) throws Exception {
        if (what.isWorkers()) {
            misdeed.set(what);
        } else {
            what.commit(id);
        }
    }

    void close() {
        cluster.close();
    }

    void abort(final String reason) {
        cluster.abort(reason);
    }

    void cancel(final long dataflowId, final String reason) {
        cluster.cancel(dataflowId, reason);
    }

    void go() {
        isGo = true;
    }

    void endSoon() {
        isEndWanted = true;
    }

    boolean isEndWanted() {
        return isEndWanted;
    }

    long counted() {
        return counted.get();
    }

    // ---- workers

    long id() {
        return id;
    }

    void atWork(final Worker worker) {
        Report.send("at-work", "run", id, "worker", worker.index());
    }

    /** Waits for the command of that name, or for the end of the cluster. */
    void awaitGo(final Worker worker) {
        while (!isGo && !worker.health().isLost()) {
            LockSupport.parkNanos(POLL_INTERVAL_NS);
        }
    }

    void count(final long units) {
        counted.addAndGet(units);
    }

    /** The first local worker to come here after one was ordered commits it. */
    void misdeed(final Worker worker) throws Exception {
        if (misdeed.get() != null && worker.localIndex() == 0) {
            misdeed.getAndSet(null).commit(id);
        }
    }

    int number(final String field) {
        return (int) command.number(field);
    }

    int number(final String field, final int otherwise) {
        return (int) command.number(field, otherwise);
    }

    private Long work(final Worker worker) throws Exception {
        try {
            return deed(worker.localIndex()).run(worker, this);
        } finally {
            returnedMicros[worker.localIndex()] = microsEvenWithoutMemory();
        }
    }

    private Deed deed(final int localIndex) {
        final String[] names = command.text("deeds").split(",");
        return Deed.valueOf(names[Math.min(localIndex, names.length - 1)].toUpperCase(Locale.ROOT));
    }

    private static long microsEvenWithoutMemory() {
        try {
            return Report.nowMicros();
        } catch (final OutOfMemoryError full) {
            return TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis());
        }
    }

    // ---- the run's own thread

    private ClusterConfig config(final long generation) {
        final List<Endpoint> addresses = Arrays.stream(command.text("addresses").split(","))
                .map(Endpoint::parse)
                .toList();
        final ClusterConfigBuilder builder = ClusterConfig.builder()
                .clusterId(command.text("clusterId", "it"))
                .processIndex(number("index"))
                .addresses(addresses)
                .workersPerProcess(workerCount)
                .generation(generation)
                .formationTimeout(millis("formationMs", 20_000))
                .helloTimeout(millis("helloMs", 2_000))
                .heartbeatInterval(millis("heartbeatMs", 100))
                .silenceTimeout(millis("silenceMs", 10_000))
                .abortTimeout(millis("abortMs", 500));
        if (command.fields().containsKey("windowBytes")) {
            final long window = command.number("windowBytes", 0);
            builder.channelWindow(window).channelWindowMax(window);
        }
        if (command.fields().containsKey("bind")) {
            builder.bindAddress(Endpoint.parse(command.text("bind")));
        }
        return builder.build();
    }

    private Duration millis(final String field, final long otherwise) {
        return Duration.ofMillis(command.number(field, otherwise));
    }

    private void watchForBlocking() {
        final String deeds = command.text("deeds");
        if (!deeds.contains("block") && !deeds.contains("wait")) {
            return;
        }
        final Thread watch = new Thread(
                () -> {
                    if (isStuckBeforeEnd()) {
                        Report.send("blocked", "run", id, "bytes", counted());
                    }
                },
                "watches-for-blocking");
        watch.setDaemon(true);
        watch.start();
    }

    private boolean isStuckBeforeEnd() {
        long last = -1;
        long changedNs = System.nanoTime();
        while (!isOver && (!isGo || System.nanoTime() - changedNs < BLOCKED_AFTER_NS)) {
            final long now = counted();
            changedNs = now == last && isGo ? changedNs : System.nanoTime();
            last = now;
            LockSupport.parkNanos(POLL_INTERVAL_NS);
        }
        return !isOver;
    }

    private Event outcome(final int localIndex, final Outcome<Long> outcome) {
        String kind = "completed";
        String text = "";
        if (outcome instanceof Outcome.Completed<Long> completed) {
            text = String.valueOf(completed.value());
        } else if (outcome instanceof Outcome.Panicked<Long> panicked) {
            kind = "panicked";
            text = String.valueOf(panicked.error());
        } else if (outcome instanceof Outcome.Failed<Long> failed) {
            kind = "failed";
            text = failed.cause().describe();
        }
        return Event.of(
                "worker",
                "run",
                id,
                "local",
                localIndex,
                "outcome",
                kind,
                "text",
                text,
                "returnedMicros",
                returnedMicros[localIndex]);
    }

    private Event joined(
            final Outcomes<Long> outcomes, final long joinedMicros, final Residue before, final Residue after) {
        final Event event = Event.of(
                "joined",
                "run",
                id,
                "clean",
                outcomes.isClean(),
                "joinedMicros",
                joinedMicros,
                "returnedMicros",
                Arrays.stream(returnedMicros).max().orElse(0),
                "threads",
                String.join(",", after.threads()),
                "sockets",
                after.sockets() - before.sockets(),
                "descriptors",
                after.descriptors() - before.descriptors(),
                "direct",
                after.directBytes() - before.directBytes(),
                "counted",
                counted());
        if (!outcomes.isClean()) {
            describe(outcomes.cause(), event);
        }
        return event;
    }

    private static void describe(final Cause cause, final Event event) {
        event.fields().put("kind", cause.kind().name());
        event.fields().put("subject", String.valueOf(cause.subjectProcess()));
        event.fields().put("subjectWorker", String.valueOf(cause.subjectWorker()));
        event.fields().put("observer", String.valueOf(cause.observerProcess()));
        event.fields().put("seenAtMs", String.valueOf(cause.observedAtEpochMs()));
        event.fields().put("causeGeneration", String.valueOf(cause.generation()));
        event.fields().put("pid", String.valueOf(cause.subjectPid()));
        event.fields().put("seen", cause.seen());
        event.fields().put("describe", cause.describe());
    }
}
