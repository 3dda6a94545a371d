package io.hawser.testkit;

import io.hawser.allocator.Channel;
import io.hawser.allocator.Codecs;
import io.hawser.allocator.Worker;

/** What workers do in these tests. */
final class Work {
    private Work() {}

    /** Sends its index to all workers; the sum of all that come. */
    static long sum(final Worker worker) {
        final Channel<Long> numbers = worker.allocate(0, Codecs.int64());
        for (int target = 0; target < worker.peers(); target++) {
            numbers.pusher(target).push((long) worker.index());
        }
        long sum = 0;
        for (int received = 0; received < worker.peers(); ) {
            final Long number = numbers.puller().pull();
            if (number == null) {
                worker.park();
            } else {
                sum += number;
                received++;
            }
        }
        return sum;
    }

    /** Waits until the cluster ends. */
    static long forEver(final Worker worker) {
        worker.allocateRaw(0);
        while (true) {
            worker.park();
        }
    }
}
