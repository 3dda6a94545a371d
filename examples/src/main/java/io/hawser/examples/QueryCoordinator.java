package io.hawser.examples;

import io.hawser.allocator.Cluster;
import io.hawser.allocator.PlacementBuilder;
import io.hawser.allocator.PlacementListener;
import io.hawser.allocator.PlacementVerdict;
import io.hawser.fate.ScopeOutcome;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;

/**
 * Asks queries in one generation: has them placed, and waits for the answer, which worker 0 of this process collects. It tries nothing again: before the go-ahead the placement does, within the generation, and after it nobody may.
 *
 * <p><em>Threading:</em> any thread.
 */
final class QueryCoordinator {
    private static final int COLLECTOR = 0;

    private final Cluster<?> cluster;
    private final QueryServer server;
    private long lastId;

    /**
     * How a query went.
     *
     * @param verdict what became of its placement
     * @param outcome of its dataflow; empty if worker 0 has not begun it
     * @param answer  empty unless it was answered
     */
    record Result(PlacementVerdict verdict, Optional<ScopeOutcome> outcome, String answer) {
        boolean isAnswered() {
            return !answer.isEmpty();
        }

        boolean isPlaced() {
            return verdict.kind() == PlacementVerdict.Kind.PLACED;
        }
    }

    /**
     * Begins to ask in a generation.
     *
     * @param cluster of this process
     * @param server  what worker 0 does
     */
    QueryCoordinator(final Cluster<?> cluster, final QueryServer server) {
        this.cluster = cluster;
        this.server = server;
    }

    /**
     * Asks a query. Does not wait.
     *
     * @param plan     what is asked
     * @param settings where it may run, and how patient the placement is
     * @param listener told of each step
     * @return the result, never exceptionally unless the placement cannot be
     */
    CompletionStage<Result> ask(
            final QueryPlan plan, final UnaryOperator<PlacementBuilder> settings, final PlacementListener listener) {
        final long id = nextId();
        final PlacementBuilder placement = settings.apply(plan.placement(id, COLLECTOR));
        return cluster.place(placement.build(), listener)
                .thenCompose(verdict -> verdict.kind() == PlacementVerdict.Kind.PLACED
                        ? server.opened(id).thenCompose(job -> result(verdict, job))
                        : notBegun(verdict))
                .whenComplete((result, thrown) -> server.forget(id));
    }

    private static CompletionStage<Result> result(final PlacementVerdict verdict, final QueryJob job) {
        return job == null
                ? notBegun(verdict)
                : job.whenOver()
                        .thenApply(outcome ->
                                new Result(verdict, Optional.of(outcome), outcome.isCompleted() ? job.answer() : ""));
    }

    private static CompletionStage<Result> notBegun(final PlacementVerdict verdict) {
        return CompletableFuture.completedFuture(new Result(verdict, Optional.empty(), ""));
    }

    private synchronized long nextId() {
        return ++lastId;
    }
}
