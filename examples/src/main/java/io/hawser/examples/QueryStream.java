package io.hawser.examples;

import io.hawser.allocator.PlacementStep;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/**
 * A stream of small queries that does not end: some are always under way, unless it is held. Each is about a part of the classes, and its answer is compared with that of one thread.
 *
 * <p><em>Threading:</em> one thread; steps and results come in others.
 */
final class QueryStream {
    private static final int UNDER_WAY = 3;
    private static final int PARTS = 8;
    private static final int CLASSES_PER_QUERY = 512;
    private static final int SCANS = 2;
    private static final int AGGREGATORS = 1;

    private final int[] candidates;
    private final List<QueryPlan> plans = new ArrayList<>();
    private final List<String> expected = new ArrayList<>();
    private final BlockingQueue<Reply> replies = new LinkedBlockingQueue<>();

    /** By worker; written by the admission thread. */
    private final AtomicIntegerArray rejectedBy;

    private final QuerySteps steps = new QuerySteps(this::onStep);
    private QueryCoordinator coordinator;
    private int asked;
    private int underWay;
    private int done;
    private int answered;
    private int failed;
    private int wrong;
    private long lastReplyNs;
    private long pauseNs;

    /** What became of a query, or why it could not be asked. */
    private record Reply(int number, QueryCoordinator.Result result, Throwable thrown) {}

    /** Finds all answers beforehand. */
    QueryStream(final PackageGraph graph, final int processes) throws IOException {
        candidates = IntStream.range(1, processes).toArray();
        rejectedBy = new AtomicIntegerArray(processes);
        for (int part = 0; part < PARTS; part++) {
            final QueryPlan plan = new QueryPlan(SCANS, AGGREGATORS, part * CLASSES_PER_QUERY, CLASSES_PER_QUERY);
            plans.add(plan);
            expected.add(plan.answer(graph));
        }
    }

    /** A generation begins. */
    void begin(final QueryCoordinator newCoordinator) {
        coordinator = newCoordinator;
        done = 0;
    }

    /** Asks, and takes replies, until it is enough. */
    void run(final BooleanSupplier isEnough) throws InterruptedException {
        while (!isEnough.getAsBoolean()) {
            while (underWay < UNDER_WAY) {
                ask();
            }
            take();
        }
    }

    /** Asks no more, and waits for all replies. */
    void hold() throws InterruptedException {
        while (underWay > 0) {
            take();
        }
    }

    private void ask() {
        final int number = asked++;
        underWay++;
        coordinator
                .ask(plans.get(number % PARTS), builder -> builder.candidates(spread(number)), steps)
                .whenComplete((result, thrown) -> replies.add(new Reply(number, result, thrown)));
    }

    /** Another worker is preferred each time. */
    private int[] spread(final int number) {
        return IntStream.range(0, candidates.length)
                .map(i -> candidates[(i + number) % candidates.length])
                .toArray();
    }

    private void take() throws InterruptedException {
        final Reply reply = replies.take();
        underWay--;
        final long nowNs = System.nanoTime();
        if (done == 0) {
            pauseNs = nowNs - lastReplyNs;
        }
        lastReplyNs = nowNs;
        done++;
        if (reply.thrown() != null || !reply.result().isAnswered()) {
            failed++;
            Told.line("query " + reply.number() + " has failed: " + reply);
        } else {
            answered++;
            wrong += reply.result().answer().equals(expected.get(reply.number() % PARTS)) ? 0 : 1;
        }
    }

    private void onStep(final PlacementStep step) {
        if (step.kind() == PlacementStep.Kind.REJECTED) {
            rejectedBy.incrementAndGet(step.worker());
        }
    }

    /** Queries that have been replied to in this generation. */
    int done() {
        return done;
    }

    /** How long nobody was answered while the generation changed. */
    int pauseMs() {
        return (int) TimeUnit.NANOSECONDS.toMillis(pauseNs);
    }

    int sinceLastReplyMs() {
        return (int) TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - lastReplyNs);
    }

    int answered() {
        return answered;
    }

    int failed() {
        return failed;
    }

    /** Answers that are not those of one thread. */
    int wrong() {
        return wrong;
    }

    /** Tasks that a worker has refused. */
    int rejectedBy(final int worker) {
        return rejectedBy.get(worker);
    }

    int rejected() {
        return IntStream.range(0, rejectedBy.length()).map(rejectedBy::get).sum();
    }
}
