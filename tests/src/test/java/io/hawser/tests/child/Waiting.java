package io.hawser.tests.child;

import io.hawser.allocator.Channel;
import io.hawser.allocator.Codecs;
import io.hawser.allocator.Worker;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Work that is mostly waiting. */
final class Waiting {
    static final int CHANNEL = 1;
    private static final long POLL_INTERVAL_NS = TimeUnit.MICROSECONDS.toNanos(200);

    private Waiting() {}

    static Long park(final Worker worker, final ClusterRun run) {
        final Channel<byte[]> channel = worker.allocate(CHANNEL, Codecs.bytes());
        run.atWork(worker);
        while (true) {
            worker.park();
            drain(channel, run);
        }
    }

    static Long pull(final Worker worker, final ClusterRun run) {
        final Channel<byte[]> channel = worker.allocate(CHANNEL, Codecs.bytes());
        run.atWork(worker);
        while (true) {
            drain(channel, run);
            Thread.yield();
        }
    }

    static Long poll(final Worker worker, final ClusterRun run) throws Exception {
        final Channel<byte[]> channel = worker.allocate(CHANNEL, Codecs.bytes());
        run.atWork(worker);
        while (true) {
            drain(channel, run);
            run.misdeed(worker);
            LockSupport.parkNanos(POLL_INTERVAL_NS);
        }
    }

    static void drain(final Channel<byte[]> channel, final ClusterRun run) {
        for (byte[] message = channel.puller().pull();
                message != null;
                message = channel.puller().pull()) {
            run.count(message.length);
        }
    }
}
