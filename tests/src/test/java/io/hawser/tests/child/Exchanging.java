package io.hawser.tests.child;

import io.hawser.allocator.Channel;
import io.hawser.allocator.Codecs;
import io.hawser.allocator.OnFull;
import io.hawser.allocator.PushResult;
import io.hawser.allocator.Worker;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Work that pushes. */
final class Exchanging {
    private static final Duration REFUSED_PAUSE = Duration.ofMillis(5);
    private static final int BLOCK_MESSAGE_LENGTH = 32 * 1024;

    private Exchanging() {}

    static Long exchange(final Worker worker, final ClusterRun run, final int length, final int atOnce)
            throws Exception {
        final Channel<byte[]> channel = worker.allocate(Waiting.CHANNEL, Codecs.bytes(), OnFull.REFUSE);
        final byte[] message = new byte[length];
        run.atWork(worker);
        while (true) {
            boolean isTaken = false;
            for (int target = 0; target < worker.peers(); target++) {
                for (int i = 0; i < atOnce; i++) {
                    isTaken |= channel.pusher(target).push(message) == PushResult.PUSHED;
                }
            }
            worker.flush();
            Waiting.drain(channel, run);
            run.misdeed(worker);
            if (!isTaken) { // nobody pulls: look for a misdeed now and then
                worker.park(REFUSED_PAUSE);
            }
        }
    }

    /** Pushes to the first worker of a process, and never pulls. */
    static Long pushOn(final Worker worker, final ClusterRun run, final String process) {
        final Channel<byte[]> channel = worker.allocate(Waiting.CHANNEL, Codecs.bytes());
        final int target = run.number(process) * run.number("workers");
        final byte[] message = new byte[BLOCK_MESSAGE_LENGTH];
        run.atWork(worker);
        run.awaitGo(worker);
        while (true) {
            channel.pusher(target).push(message);
            run.count(message.length);
        }
    }

    /**
     * Each worker sends the number of the round to each, and goes on when it has that number of all. After the last round, which is worker 0's to
     * choose and which it marks by a minus sign, all end.
     */
    static Long rounds(final Worker worker, final ClusterRun run) throws Exception {
        final Channel<Long> channel = worker.allocate(Waiting.CHANNEL, Codecs.int64());
        final long limit = run.number("rounds", Integer.MAX_VALUE);
        final Duration pause = Duration.ofNanos(1_000L * run.number("pauseMicros", 0));
        final long[] heard = new long[worker.peers()];
        run.atWork(worker);
        long last = Long.MAX_VALUE;
        long round = 0;
        while (round < last) {
            round++;
            final boolean isMine = worker.index() == 0 && (round >= limit || run.isEndWanted());
            channel.broadcaster().push(isMine ? -round : round);
            last = Math.min(last, hear(worker, channel, heard, round));
            run.count(1);
            run.misdeed(worker);
            pause(worker, pause);
        }
        pause(worker, Duration.ofNanos(1_000L * run.number("lingerMicros", 0)));
        return round;
    }

    /**
     * Hears a number of this round from everybody. Returns which round is the last, if that has been said: a fast worker may say it of the next
     * round already.
     */
    private static long hear(final Worker worker, final Channel<Long> channel, final long[] heard, final long round) {
        long last = Long.MAX_VALUE;
        while (isBehind(heard, round)) {
            final Long number = channel.puller().pull();
            if (number == null) {
                worker.park();
                continue;
            }
            final int source = channel.puller().sourceWorker();
            heard[source]++;
            if (Math.abs(number) != heard[source]) {
                throw new AssertionError(
                        "out of order: source=" + source + " expected=" + heard[source] + " heard=" + number);
            }
            last = number < 0 ? heard[source] : last;
        }
        return last;
    }

    private static boolean isBehind(final long[] heard, final long round) {
        for (final long each : heard) {
            if (each < round) {
                return true;
            }
        }
        return false;
    }

    /** Not in park, which ends early when something can be pulled. */
    private static void pause(final Worker worker, final Duration pause) {
        worker.flush();
        final long startNs = System.nanoTime();
        long leftNs = pause.toNanos();
        while (leftNs > 0 && !worker.health().isLost()) {
            LockSupport.parkNanos(leftNs);
            leftNs = pause.toNanos() - (System.nanoTime() - startNs);
        }
    }
}
