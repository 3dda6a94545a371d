package io.hawser.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The arithmetic of the distributed form, without a cluster: messages are handed from worker to worker by the test. */
class DistributedRankTest {
    private static final int ITERATIONS = 20;
    private static final int PAIRS_PER_MESSAGE = 7;

    @ParameterizedTest
    @CsvSource({"1, 50", "2, 50", "3, 50", "8, 50", "8, 5", "8, 0", "5, 300"})
    void shouldRankAsOneThreadDoes(final int peers, final int nodeCount) {
        final long seed = 31L * peers + nodeCount;
        final int[][] graph = Graphs.random(new Random(seed), nodeCount);
        final double[] expected = PageRank.rank(Graphs.of(graph), ITERATIONS);
        final double[] actual = rank(graph, peers, new Random(seed));
        assertThat(Check.of(actual, expected).isRight()).as("seed=%d", seed).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"4, 100"})
    void shouldNotDependOnTheOrderOfArrival(final int peers, final int nodeCount) {
        final int[][] graph = Graphs.random(new Random(1), nodeCount);
        assertThat(rank(graph, peers, new Random(2))).isEqualTo(rank(graph, peers, new Random(3)));
    }

    private static double[] rank(final int[][] graph, final int peers, final Random order) {
        final List<OneWorker> workers = new ArrayList<>();
        for (int worker = 0; worker < peers; worker++) {
            workers.add(new OneWorker(Graphs.portion(graph, worker, peers)));
        }
        for (int iteration = 0; iteration < ITERATIONS; iteration++) {
            final List<OneWorker> senders = new ArrayList<>(workers);
            Collections.shuffle(senders, order);
            senders.forEach(sender -> workers.forEach(sender::sendTo));
            workers.forEach(OneWorker::apply);
        }
        final double[] ranks = new double[graph.length];
        for (int node = 0; node < ranks.length; node++) {
            ranks[node] = workers.get(node % peers).ranks[node / peers];
        }
        return ranks;
    }

    private static final class OneWorker {
        private final Portion portion;
        private final Shares shares;
        private final Contributions contributions;
        private final double[] ranks;

        OneWorker(final Portion portion) {
            this.portion = portion;
            shares = new Shares(portion);
            contributions = new Contributions(portion.peers(), portion.slotCount());
            ranks = PageRank.initial(portion.slotCount(), portion.nodeCount());
        }

        void sendTo(final OneWorker target) {
            shares.share(ranks);
            int remaining = shares.receiverCount(target.portion.worker());
            int node = target.portion.worker();
            do {
                final int count = Math.min(remaining, PAIRS_PER_MESSAGE);
                remaining -= count;
                final int length = ContributionsFlyweight.length(count);
                final ContributionsFlyweight message =
                        new ContributionsFlyweight().wrap(new UnsafeBuffer(new byte[length + 4]), 4, length);
                message.header(0, count, remaining, shares.dangling());
                node = shares.fill(message, node, count);
                target.contributions.add(portion.worker(), message);
            } while (remaining > 0);
        }

        void apply() {
            assertThat(contributions.isComplete()).isTrue();
            contributions.applyTo(ranks, portion.nodeCount());
        }
    }
}
