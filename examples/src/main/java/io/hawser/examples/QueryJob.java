package io.hawser.examples;

import io.hawser.allocator.Channel;
import io.hawser.allocator.Codecs;
import io.hawser.allocator.Dataflow;
import io.hawser.allocator.GoAhead;
import io.hawser.allocator.Worker;
import io.hawser.fate.Escalation;
import io.hawser.fate.ScopeOutcome;
import io.hawser.transport.ScopeMembers;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;

/**
 * What one worker does for one query: all tasks of it that were placed there, in one dataflow.
 *
 * <p><em>Threading:</em> the worker's thread, except {@link #whenOver()} and {@link #answer()}, which are for any.
 */
final class QueryJob {
    private static final int ROWS = 0;
    private static final int TOTALS = 1;

    /** No row: one task of the stage before has sent all. */
    private static final long END = -1;

    /** So many classes are read before others have their turn. */
    private static final int CLASSES_PER_STEP = 64;

    private final PackageGraph graph;
    private final QueryPlan plan;
    private final GoAhead placement;
    private final int worker;
    private final Dataflow dataflow;
    private final Channel<Long> rows;
    private final Channel<Long> totals;
    private final Deque<Scan> scans = new ArrayDeque<>();
    private final int[] sums;
    private final Ranking ranking = new Ranking();
    private int tasksAwaited;
    private int rowEndsAwaited;
    private int totalEndsAwaited;

    /** Written by the worker before it ends the dataflow. */
    private volatile String answer = "";

    /** A task of the first stage, and how far it is. */
    private static final class Scan {
        private final int[] counts;
        private int next;

        Scan(final int first, final int packageCount) {
            next = first;
            counts = new int[packageCount];
        }
    }

    /** Opens the dataflow; what is to be done in it is told by {@link #begin}. */
    QueryJob(final Worker worker, final PackageGraph graph, final GoAhead goAhead) {
        this.graph = graph;
        this.worker = worker.index();
        placement = goAhead;
        plan = QueryPlan.decode(goAhead.plan());
        sums = new int[graph.packageCount()];
        final int[] members =
                IntStream.range(0, goAhead.taskCount()).map(goAhead::workerOf).toArray();
        dataflow = worker.dataflow(goAhead.request().dataflowId(), ScopeMembers.of(members), Escalation.CONTAINED);
        rows = dataflow.allocate(ROWS, Codecs.int64());
        totals = dataflow.allocate(TOTALS, Codecs.int64());
        for (int task = 0; task < members.length; task++) {
            if (members[task] == this.worker) {
                tasksAwaited++;
                rowEndsAwaited += plan.isAggregator(task) ? plan.scans() : 0;
                totalEndsAwaited += task == plan.collector() ? plan.aggregators() : 0;
            }
        }
    }

    /** The go-ahead for one of its tasks has come. */
    void begin(final GoAhead goAhead) {
        tasksAwaited--;
        if (plan.isScan(goAhead.task())) {
            scans.add(new Scan(plan.firstClass() + goAhead.task(), graph.packageCount()));
        }
    }

    /**
     * Does a part of what there is to do. What that throws fails this query, and no other.
     *
     * @return whether there is more to be done, whether something arrives or not
     */
    boolean step() {
        return dataflow.run(() -> {
                    scanSome();
                    addUp();
                    collect();
                    if (tasksAwaited == 0 && scans.isEmpty() && rowEndsAwaited == 0 && totalEndsAwaited == 0) {
                        dataflow.close();
                    }
                })
                && !scans.isEmpty();
    }

    private void scanSome() throws IOException {
        final Scan scan = scans.peek();
        if (scan == null) {
            return;
        }
        final int end = plan.firstClass() + plan.classCount();
        for (int i = 0; i < CLASSES_PER_STEP && scan.next < end; i++) {
            graph.countReferences(scan.next, scan.counts);
            scan.next += plan.scans();
        }
        if (scan.next >= end) {
            scans.remove();
            send(scan.counts);
        }
    }

    private void send(final int[] counts) {
        for (int id = 0; id < counts.length; id++) {
            if (counts[id] > 0) {
                rows.pusher(placement.workerOf(plan.aggregatorOf(id))).push(Ranking.row(id, counts[id]));
            }
        }
        for (int aggregator = 0; aggregator < plan.aggregators(); aggregator++) {
            rows.pusher(placement.workerOf(plan.scans() + aggregator)).push(END);
        }
    }

    private void addUp() {
        for (Long row = rows.puller().pull(); row != null; row = rows.puller().pull()) {
            if (row != END) {
                sums[Ranking.packageId(row)] += Ranking.count(row);
            } else if (--rowEndsAwaited == 0) {
                sendTotals();
            }
        }
    }

    private void sendTotals() {
        final int collector = placement.workerOf(plan.collector());
        Ranking.of(sums).top().forEach(totals.pusher(collector)::push);
        for (int task = plan.scans(); task < plan.collector(); task++) {
            if (placement.workerOf(task) == worker) {
                totals.pusher(collector).push(END);
            }
        }
    }

    private void collect() {
        for (Long row = totals.puller().pull();
                row != null;
                row = totals.puller().pull()) {
            if (row != END) {
                ranking.add(row);
            } else if (--totalEndsAwaited == 0) {
                answer = ranking.toText(graph);
            }
        }
    }

    boolean isOver() {
        return dataflow.outcome().isPresent();
    }

    CompletionStage<ScopeOutcome> whenOver() {
        return dataflow.whenOver();
    }

    /** The answer, once it has completed, on the worker that collects; empty before, and elsewhere. */
    String answer() {
        return answer;
    }
}
