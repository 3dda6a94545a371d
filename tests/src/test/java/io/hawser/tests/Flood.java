package io.hawser.tests;

import io.hawser.allocator.Channel;
import io.hawser.allocator.Codecs;
import io.hawser.allocator.OnFull;
import io.hawser.allocator.PushResult;
import io.hawser.allocator.Worker;

/** A worker that exchanges as much as it can with all others, and checks what it gets. */
final class Flood {
    private static final int LENGTH = 8_192;

    private Flood() {}

    static Long run(final Worker worker) {
        final Channel<byte[]> channel = worker.allocate(0, Codecs.bytes(), OnFull.REFUSE);
        final byte[] message = new byte[LENGTH];
        while (true) {
            for (int target = 0; target < worker.peers(); target++) {
                while (target != worker.index() && channel.pusher(target).push(message) == PushResult.REFUSED) {
                    if (drain(channel) == 0) {
                        worker.park();
                    }
                }
            }
            drain(channel);
        }
    }

    private static int drain(final Channel<byte[]> channel) {
        int count = 0;
        for (byte[] heard = channel.puller().pull();
                heard != null;
                heard = channel.puller().pull()) {
            if (heard.length != LENGTH) {
                throw new AssertionError("length=" + heard.length);
            }
            count++;
        }
        return count;
    }
}
