package io.hawser.tools;

import io.hawser.allocator.OnFull;
import io.hawser.allocator.RawChannel;
import io.hawser.allocator.RawPusher;
import io.hawser.allocator.Worker;
import org.agrona.DirectBuffer;

/**
 * One worker's part of a distributed {@link PageRank}, and an example of how an engine uses the library: allocate a
 * channel, push to everybody, pull until everybody's messages are there, again and again, and return the result.
 *
 * <p>In each iteration the worker gives every other worker, and itself, its contributions to the nodes that they own, in as
 * many messages as it takes; with none to give it still sends one, so that a worker that has heard the last of everybody
 * knows that it has all. Then it ranks its own nodes anew.
 *
 * <p>A worker can be one iteration ahead of another, never two: for the second it needs what the other has yet to send. So
 * two sets of contributions are enough, one for even iterations and one for odd.
 *
 * <p>There is nothing here about failures: once the cluster is lost, whichever call the worker is in, or makes next, throws; the
 * exception passes through, and whoever joins the cluster is told the cause.
 *
 * <p><em>Threading:</em> the worker's thread.
 */
final class PageRankWorker {
    private static final int CHANNEL_ID = 0;

    private final Worker worker;
    private final Portion portion;
    private final RawChannel channel;
    /** Some messages for each lane and iteration, each far below what a channel takes at once. */
    private static final int MESSAGE_LENGTH = 16 * 1024;

    private final int pairsPerMessage;
    private final Shares shares;
    private final Contributions[] received = new Contributions[2];
    private final ContributionsFlyweight outgoing = new ContributionsFlyweight();
    private final ContributionsFlyweight incoming = new ContributionsFlyweight();
    private final double[] ranks;
    private long messageCount;

    /** Told when an iteration begins. */
    @FunctionalInterface
    interface Observer {
        /**
         * An iteration begins. What is thrown here is thrown by the worker.
         *
         * @param worker    that begins it.
         * @param iteration counted from 0.
         * @throws InterruptedException if the thread is interrupted.
         */
        void onIteration(Worker worker, int iteration) throws InterruptedException;
    }

    /**
     * What a worker ends with.
     *
     * @param ranks        of its own nodes, by slot.
     * @param messageCount how many messages it has sent.
     */
    record Result(double[] ranks, long messageCount) {}

    /**
     * Allocates the channel.
     *
     * @param worker  whose part this is.
     * @param portion of the graph that it owns.
     */
    PageRankWorker(final Worker worker, final Portion portion) {
        this.worker = worker;
        this.portion = portion;
        channel = worker.allocateRaw(CHANNEL_ID, OnFull.REFUSE);
        pairsPerMessage = ContributionsFlyweight.capacity(MESSAGE_LENGTH);
        shares = new Shares(portion);
        for (int i = 0; i < received.length; i++) {
            received[i] = new Contributions(worker.peers(), portion.slotCount());
        }
        ranks = PageRank.initial(portion.slotCount(), portion.nodeCount());
    }

    /**
     * Ranks the nodes that this worker owns, while all other workers do the same.
     *
     * @param iterations how often ranks are passed on.
     * @param observer   is told of each iteration.
     * @return the ranks.
     * @throws InterruptedException if the observer was interrupted.
     */
    Result run(final int iterations, final Observer observer) throws InterruptedException {
        for (int iteration = 0; iteration < iterations; iteration++) {
            observer.onIteration(worker, iteration);
            shares.share(ranks);
            for (int target = 0; target < worker.peers(); target++) {
                send(iteration, target);
            }
            final Contributions contributions = received[iteration % received.length];
            while (!contributions.isComplete()) {
                if (channel.puller().poll(this::onMessage, Integer.MAX_VALUE) == 0) {
                    worker.park();
                }
            }
            contributions.applyTo(ranks, portion.nodeCount());
        }
        return new Result(ranks, messageCount);
    }

    /** Sends what the nodes of one worker are given: those are target, target + peers, target + 2 peers, … */
    private void send(final int iteration, final int target) {
        int remaining = shares.receiverCount(target);
        int node = target;
        do {
            final int count = Math.min(remaining, pairsPerMessage);
            remaining -= count;
            final RawPusher pusher = claim(target, ContributionsFlyweight.length(count));
            outgoing.header(iteration, count, remaining, shares.dangling());
            node = shares.fill(outgoing, node, count);
            pusher.commit();
            messageCount++;
        } while (remaining > 0);
        channel.flush();
    }

    private RawPusher claim(final int target, final int length) {
        final RawPusher pusher = channel.pusher(target);
        int offset = pusher.claim(length);
        while (offset
                == RawPusher.REFUSED) { // who would only wait for the others to pull could wait in a circle with them
            if (channel.puller().poll(this::onMessage, Integer.MAX_VALUE) == 0) {
                worker.park();
            }
            offset = pusher.claim(length);
        }
        outgoing.wrap(pusher.buffer(), offset, length);
        return pusher;
    }

    private void onMessage(final DirectBuffer buffer, final int offset, final int length, final int sourceWorker) {
        incoming.wrap(buffer, offset, length);
        received[incoming.iteration() % received.length].add(sourceWorker, incoming);
    }
}
