package io.hawser.examples;

import io.hawser.allocator.Placement;
import io.hawser.allocator.PlacementBuilder;
import io.hawser.allocator.PlacementTask;
import java.io.IOException;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A query: which packages do some classes refer to most often, not counting their own? It is answered by tasks of two stages, and one that collects:
 *
 * <pre>
 *   task 0 … scans − 1             reads every scans-th of the classes, joins what they refer to with their packages   ──► rows
 *   the next aggregators tasks     adds up the rows of every aggregators-th package, and ranks them                    ──► totals
 *   the last task                  ranks the totals: the answer
 * </pre>
 *
 * <p><em>Threading:</em> immutable.
 *
 * @param scans       how many tasks of the first stage
 * @param aggregators how many tasks of the second stage
 * @param firstClass  id of the first class that is looked at
 * @param classCount  how many classes are looked at
 */
record QueryPlan(int scans, int aggregators, int firstClass, int classCount) {
    private static final int FIELDS = 4;

    static QueryPlan decode(final DirectBuffer plan) {
        return new QueryPlan(
                plan.getInt(0),
                plan.getInt(Integer.BYTES),
                plan.getInt(2 * Integer.BYTES),
                plan.getInt(3 * Integer.BYTES));
    }

    byte[] encode() {
        final byte[] bytes = new byte[FIELDS * Integer.BYTES];
        final UnsafeBuffer buffer = new UnsafeBuffer(bytes);
        buffer.putInt(0, scans);
        buffer.putInt(Integer.BYTES, aggregators);
        buffer.putInt(2 * Integer.BYTES, firstClass);
        buffer.putInt(3 * Integer.BYTES, classCount);
        return bytes;
    }

    boolean isScan(final int task) {
        return task < scans;
    }

    boolean isAggregator(final int task) {
        return task >= scans && task < scans + aggregators;
    }

    /** The task that adds up the rows of a package. */
    int aggregatorOf(final int packageId) {
        return scans + packageId % aggregators;
    }

    /** The task whose worker gets the answer. */
    int collector() {
        return scans + aggregators;
    }

    /**
     * What it takes to place it: all tasks but the last go to whoever takes them.
     *
     * @param dataflowId to run it under
     * @param collector  the worker that gets the answer
     */
    PlacementBuilder placement(final long dataflowId, final int collector) {
        final PlacementTask task = PlacementTask.of(encode());
        final PlacementBuilder builder = Placement.of(dataflowId);
        for (int i = 0; i < scans + aggregators; i++) {
            builder.task(task);
        }
        return builder.task(task.withCandidates(collector));
    }

    /** The answer, found by one thread. */
    String answer(final PackageGraph graph) throws IOException {
        final int[] counts = new int[graph.packageCount()];
        for (int id = firstClass; id < firstClass + classCount; id++) {
            graph.countReferences(id, counts);
        }
        return Ranking.of(counts).toText(graph);
    }
}
