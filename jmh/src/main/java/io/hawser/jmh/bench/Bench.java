package io.hawser.jmh.bench;

import io.hawser.jmh.peers.ResultLine;
import io.hawser.jmh.peers.Workload;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Runs a plan: work by work, round by round, all entrants of a round one after the other, so that what changes on the machine meanwhile meets all of them.
 *
 * <p><em>Threading:</em> the main thread.
 */
final class Bench {
    private final Plan plan;
    private final RunProcesses processes;
    private final List<String> prefix;
    private final Consumer<String> out;
    private final List<Sample> samples = new ArrayList<>();

    /**
     * Prepares.
     *
     * @param plan      what to run
     * @param processes to start processes among
     * @param prefix    what their commands begin with
     * @param out       receives a line for each run, and the tables
     */
    Bench(final Plan plan, final RunProcesses processes, final List<String> prefix, final Consumer<String> out) {
        this.plan = plan;
        this.processes = processes;
        this.prefix = prefix;
        this.out = out;
    }

    /**
     * Runs everything.
     *
     * @return a row for each work, metric and entrant
     * @throws IOException          if processes cannot be started
     * @throws InterruptedException if the thread is interrupted
     */
    List<Row> run() throws IOException, InterruptedException {
        final List<Row> rows = new ArrayList<>();
        final Budget budget = new Budget(plan, System::nanoTime);
        for (final Workload workload : plan.workloads()) {
            for (int round = 1; round <= plan.rounds(); round++) {
                for (final String entrant : plan.entrantsOf(workload)) {
                    if (!budget.allows(workload, entrant)) {
                        out.accept(workload + " round " + round + " " + entrant + ": left out for lack of time");
                        continue;
                    }
                    final Sample sample = sample(workload, entrant, round);
                    out.accept(SampleText.of(sample));
                    samples.add(sample);
                    budget.count();
                }
            }
            final List<Row> own = Row.of(workload, samples);
            RowTable.lines(own).forEach(out);
            out.accept("");
            rows.addAll(own);
        }
        return rows;
    }

    private Sample sample(final Workload workload, final String entrant, final int round)
            throws IOException, InterruptedException {
        try (SharedDirectory directory = new SharedDirectory()) {
            final Run run = new Run(plan, workload, entrant, processes, prefix, directory.path());
            final ResultLine result = run.execute();
            return new Sample(workload, entrant, round, result, null);
        } catch (final RunFailedException e) {
            return new Sample(workload, entrant, round, null, e.getMessage());
        }
    }
}
