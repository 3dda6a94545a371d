package io.hawser.examples;

import io.hawser.allocator.Cluster;
import io.hawser.allocator.Outcomes;
import io.hawser.allocator.PlacementBuilder;
import io.hawser.allocator.PlacementStep;
import io.hawser.fate.ScopeOutcome;
import io.hawser.tools.Event;
import io.hawser.tools.Numbers;
import io.hawser.transport.ClusterConfig;
import io.hawser.transport.ClusterConfigBuilder;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import picocli.CommandLine.Command;

/**
 * A query coordinator, process 0, asks the same query of two stages again and again: a {@link QueryPlan} over the classes of the JDK. Its workers refuse, answer too late, and are killed before and after
 * the go-ahead, see {@link QueryFaults}. The loss of a process ends the generation; each process keeps what it knows of the classes, forms the next one together with the one that was started anew, and the coordinator asks
 * again what was lost: because nothing can have happened yet, or because this query only reads.
 *
 * <p><em>Threading:</em> the main thread coordinates; each process has one worker.
 */
@Command(
        name = "query",
        description =
                "A query coordinator whose workers refuse, answer too late, and die before and after the go-ahead.",
        sortOptions = false,
        usageHelpAutoWidth = true)
final class Query extends Example {
    private static final int PROCESSES = 5;
    private static final int COORDINATOR = 0;
    private static final int GENERATIONS = 3;
    private static final int SCANS = 4;
    private static final int AGGREGATORS = 2;

    /** The coordinator's process has no tasks but to collect the answer. */
    private static final int[] CANDIDATES = {1, 2, 3, 4};

    /** Some of them may be kept waiting on purpose. */
    private static final int ATTEMPT_LIMIT = 10_000;

    /** How long an answer may take where it is not the point that it comes too late. */
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private static final String SURVIVED = "-";

    private PackageGraph graph;
    private QueryPlan plan;
    private QueryFaults faults;

    /** Of each generation that was lost, by number from 1 on: what this process was told. */
    private final String[] causes = {SURVIVED, SURVIVED, SURVIVED, SURVIVED};

    // the coordinator's
    private final QuerySteps steps = new QuerySteps(this::onStep);
    private final AtomicInteger rejected = new AtomicInteger();
    private Duration attemptTimeout;
    private String answer;
    private int answers;
    private QueryCoordinator.Result killedBeforeGo;
    private QueryCoordinator.Result killedAfterGo;

    /** Written by the main thread; who is to be killed once it has accepted. */
    private volatile long killGeneration;

    @Override
    int processes() {
        return PROCESSES;
    }

    @Override
    void configure(final ClusterConfigBuilder settings) {
        settings.channelLimit(16)
                .channelWindow(64 * 1024)
                .channelWindowMax(64 * 1024)
                .floatingWindow(0);
    }

    @Override
    Event run(final ClusterConfig config) throws Exception {
        graph = PackageGraph.ofRunningJdk();
        plan = new QueryPlan(SCANS, AGGREGATORS, 0, graph.classCount());
        faults = new QueryFaults(config.processIndex());
        Told.line("knows " + Numbers.grouped(graph.classCount()) + " classes in " + graph.packageCount() + " packages");
        long generation = config.generation();
        while (!runGeneration(config.withGeneration(generation))) {
            generation++;
        }
        return result(config.processIndex());
    }

    /** Returns whether it ended cleanly. If not, it was lost, and nothing is left of it. */
    private boolean runGeneration(final ClusterConfig config) throws Exception {
        final QueryServer server = new QueryServer(graph, PROCESSES);
        server.onBegin(goAhead -> faults.onBegin(config.generation(), goAhead));
        try (Cluster<Void> cluster = Cluster.execute(config, formed -> formed.onStart(faults), server::serve)) {
            QueryServer.tell(cluster, COORDINATOR, QueryServer.READY);
            if (config.processIndex() == COORDINATOR) {
                server.awaitReady(cluster);
                coordinate(cluster, new QueryCoordinator(cluster, server));
            }
            final Outcomes<Void> outcomes = cluster.join();
            if (!outcomes.isClean()) {
                causes[(int) outcomes.generation()] =
                        "process " + outcomes.cause().subjectProcess();
                Told.line("generation " + outcomes.generation() + " is lost: "
                        + outcomes.cause().describe());
            }
            return outcomes.isClean();
        }
    }

    private void coordinate(final Cluster<?> cluster, final QueryCoordinator coordinator) throws Exception {
        final int generation = (int) cluster.generation();
        Told.line("generation " + generation + " is formed");
        faults.hold(generation == 1); // until an answer has come too late
        attemptTimeout = generation == 1 ? QueryFaults.ATTEMPT_TIMEOUT : PATIENCE;
        answered(coordinator, "generation " + generation + ", query 1" + (generation == 1 ? "" : ", asked once more"));
        switch (generation) {
            case 1 -> {
                faults.hold(true);
                attemptTimeout = PATIENCE;
                killGeneration = generation;
                killedBeforeGo = ask(coordinator, "generation 1, query 2");
                faults.hold(false);
            }
            case 2 -> {
                killedAfterGo = ask(coordinator, "generation 2, query 2");
                if (killedAfterGo.isAnswered()) {
                    throw new IllegalStateException("nobody was killed: " + killedAfterGo);
                }
            }
            default -> QueryServer.tellAll(cluster, QueryServer.END);
        }
    }

    private void answered(final QueryCoordinator coordinator, final String name) throws Exception {
        final QueryCoordinator.Result result = ask(coordinator, name);
        if (!result.isAnswered()) {
            throw new IllegalStateException("not answered: " + name + " " + result);
        }
        if (answer != null && !answer.equals(result.answer())) {
            throw new IllegalStateException("answered in another way than before: " + name + " " + result);
        }
        answer = result.answer();
        answers++;
    }

    private QueryCoordinator.Result ask(final QueryCoordinator coordinator, final String name)
            throws InterruptedException, ExecutionException {
        final long startNs = System.nanoTime();
        final QueryCoordinator.Result result = coordinator
                .ask(plan, this::patience, steps)
                .toCompletableFuture()
                .get();
        Told.line(name + ": " + text(result) + ", after " + Numbers.fixed((System.nanoTime() - startNs) / 1e6, 0)
                + " ms");
        return result;
    }

    private PlacementBuilder patience(final PlacementBuilder builder) {
        return builder.candidates(CANDIDATES)
                .attemptTimeout(attemptTimeout)
                .attemptLimit(ATTEMPT_LIMIT)
                .deadline(Duration.ofSeconds(60));
    }

    private static String text(final QueryCoordinator.Result result) {
        if (result.isAnswered()) {
            return "answered";
        }
        final boolean canHaveRun = result.verdict().canHaveRun();
        return (result.isPlaced() ? "failed after" : "not placed, so lost before") + " the go-ahead, canHaveRun="
                + canHaveRun + ": "
                + (canHaveRun ? "nobody but who has asked may ask again" : "it is safe to ask again");
    }

    /** In the admission thread. */
    private void onStep(final PlacementStep step) {
        if (step.worker() == COORDINATOR) {
            return;
        }
        switch (step.kind()) {
            case REJECTED -> {
                rejected.incrementAndGet();
                Told.line(QuerySteps.text(step));
            }
            case TIMED_OUT -> Told.line(QuerySteps.text(step));
            case ACCEPTED_LATE -> {
                Told.line(QuerySteps.text(step));
                if (killGeneration == 0) {
                    faults.hold(false);
                }
            }
            case ACCEPTED -> {
                if (killGeneration != 0 && step.worker() == QueryFaults.KILLED_BEFORE_GO) {
                    Told.line("worker " + step.worker() + " has accepted, others have not yet; now it is to be killed");
                    Told.kill(QueryFaults.KILLED_BEFORE_GO, killGeneration + 1);
                    killGeneration = 0;
                }
            }
            default -> {}
        }
    }

    private Event result(final int process) throws Exception {
        final Event result = Told.newResult().with("permitsTaken", faults.permitsTaken());
        for (int generation = 1; generation <= GENERATIONS; generation++) {
            result.with("lost" + generation, causes[generation]);
        }
        if (process == COORDINATOR) {
            final String expected = plan.answer(graph);
            Told.line("one thread finds: " + expected);
            result.with("answers", answers)
                    .with("isRight", answer.equals(expected))
                    .with("top", answer)
                    .with("rejected", rejected)
                    .with("timedOut", steps.count(PlacementStep.Kind.TIMED_OUT))
                    .with("acceptedLate", steps.count(PlacementStep.Kind.ACCEPTED_LATE))
                    .with("wentAhead", steps.count(PlacementStep.Kind.WENT))
                    .with("beforeGoPlaced", killedBeforeGo.isPlaced())
                    .with("beforeGoCanHaveRun", killedBeforeGo.verdict().canHaveRun())
                    .with("afterGoCanHaveRun", killedAfterGo.verdict().canHaveRun())
                    .with(
                            "afterGoFailed",
                            killedAfterGo
                                    .outcome()
                                    .map(ScopeOutcome.Failed.class::isInstance)
                                    .orElse(true));
        }
        return result;
    }

    @Override
    void judge(final List<Event> results, final long directLimit, final Figures figures) {
        final Event coordinator = results.get(COORDINATOR);
        final long permitsTaken =
                results.stream().mapToLong(each -> each.number("permitsTaken")).sum();
        final boolean isRight = isTrue(coordinator, "isRight");
        final long tasksOfFourQueries = 4L * (SCANS + AGGREGATORS + 1);
        figures.put("processes", PROCESSES)
                .put("generations", GENERATIONS)
                .put("answers", coordinator.number("answers"))
                .put("sameAsOneThread", isRight)
                .put("top", coordinator.text("top"))
                .put("rejected", coordinator.number("rejected"))
                .put("timedOut", coordinator.number("timedOut"))
                .put("acceptedLate", coordinator.number("acceptedLate"))
                .put("wentAhead", coordinator.number("wentAhead"))
                .put("beforeGoCanHaveRun", isTrue(coordinator, "beforeGoCanHaveRun"))
                .put("afterGoCanHaveRun", isTrue(coordinator, "afterGoCanHaveRun"))
                .put("afterGoFailed", isTrue(coordinator, "afterGoFailed"))
                .put("permitsTaken", permitsTaken);
        figures.expect(isRight, "the answer is not that of one thread");
        figures.expect(coordinator.number("answers") == GENERATIONS, "not each generation has answered");
        figures.expect(coordinator.number("rejected") > 0, "nobody has rejected");
        figures.expect(coordinator.number("acceptedLate") > 0, "nobody has accepted too late");
        figures.expect(
                !isTrue(coordinator, "beforeGoPlaced") && !isTrue(coordinator, "beforeGoCanHaveRun"),
                "before the go-ahead something has happened");
        figures.expect(
                isTrue(coordinator, "afterGoFailed") && isTrue(coordinator, "afterGoCanHaveRun"),
                "after the go-ahead it was no failure");
        figures.expect(
                coordinator.number("wentAhead") == tasksOfFourQueries, "something was tried again after its go-ahead");
        figures.expect(permitsTaken == 0, "a reservation has leaked");
        figures.expect(
                isCause(results, 1, QueryFaults.KILLED_BEFORE_GO) && isCause(results, 2, QueryFaults.KILLED_AFTER_GO),
                "the survivors do not know who died");
    }

    /** Whether all name the same process who have lived from that generation on to the last. */
    private static boolean isCause(final List<Event> results, final int generation, final int killed) {
        for (int process = 0; process < PROCESSES; process++) {
            final boolean isNew = process == killed || process == QueryFaults.KILLED_AFTER_GO;
            if (!isNew && !results.get(process).text("lost" + generation).equals("process " + killed)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isTrue(final Event event, final String name) {
        return Boolean.parseBoolean(event.text(name));
    }
}
