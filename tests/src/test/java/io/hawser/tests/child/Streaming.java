package io.hawser.tests.child;

import io.hawser.allocator.Channel;
import io.hawser.allocator.Codecs;
import io.hawser.allocator.EndOfStreamException;
import io.hawser.allocator.Worker;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Work that moves a counted number of bytes one way. */
final class Streaming {
    private Streaming() {}

    /** Sends {@code bytes} bytes to worker {@code to} in messages of {@code length}, then ends at once. */
    static Long send(final Worker worker, final ClusterRun run) {
        final Channel<byte[]> channel = worker.allocate(Waiting.CHANNEL, Codecs.bytes());
        final byte[] message = new byte[run.number("length", 10_000)];
        final int target = run.number("to");
        long left = run.number("bytes");
        run.atWork(worker);
        for (byte stamp = 0; left > 0; stamp++) {
            Arrays.fill(message, stamp);
            final int length = (int) Math.min(left, message.length);
            channel.pusher(target).push(length == message.length ? message : Arrays.copyOf(message, length));
            left -= length;
        }
        return (long) run.number("bytes");
    }

    /** Counts bytes, slowly if told so, and checks each and the order of messages; ends when nothing can come any more. */
    static Long receive(final Worker worker, final ClusterRun run) {
        final Channel<byte[]> channel = worker.allocate(Waiting.CHANNEL, Codecs.bytes());
        final long pauseNs = TimeUnit.MICROSECONDS.toNanos(run.number("pauseMicros", 0));
        final byte[] expected = new byte[worker.peers()];
        long bytes = 0;
        run.atWork(worker);
        while (true) {
            byte[] message = channel.puller().pull();
            while (message == null) {
                try {
                    worker.park();
                } catch (final EndOfStreamException over) {
                    return bytes;
                }
                message = channel.puller().pull();
            }
            check(message, expected[channel.puller().sourceWorker()]++);
            bytes += message.length;
            run.count(message.length);
            if (pauseNs > 0) {
                LockSupport.parkNanos(pauseNs);
            }
        }
    }

    private static void check(final byte[] message, final byte stamp) {
        for (final byte each : message) {
            if (each != stamp) {
                throw new AssertionError("a message is lost, repeated or spoilt: expected=" + stamp + " found=" + each);
            }
        }
    }
}
