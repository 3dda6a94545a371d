package io.hawser.allocator;

/**
 * Every worker sends a row of numbers to every worker, itself included, and checks that from each it receives the very row, in order
 * (L6). Ends with how many messages it has received.
 */
final class Exchange implements WorkerFunction<Long> {
    private static final int BURST = 97;

    private final int messagesPerPair;

    Exchange(final int messagesPerPair) {
        this.messagesPerPair = messagesPerPair;
    }

    @Override
    public Long apply(final Worker worker) {
        final RawChannel channel = worker.allocateRaw(0);
        final long[] next = new long[worker.peers()];
        final MessageHandler checker = (buffer, offset, length, source) -> {
            final long number = buffer.getLong(offset);
            if (number != next[source]++) {
                throw new IllegalStateException(
                        "from worker " + source + ": expected=" + (next[source] - 1) + " received=" + number);
            }
        };
        long received = 0;
        for (int sent = 0; sent < messagesPerPair; ) {
            final int burst = Math.min(BURST, messagesPerPair - sent);
            for (int target = 0; target < worker.peers(); target++) {
                push(channel.pusher(target), sent, burst);
            }
            sent += burst;
            received += channel.puller().poll(checker, Integer.MAX_VALUE);
        }
        while (received < (long) messagesPerPair * worker.peers()) {
            worker.park();
            received += channel.puller().poll(checker, Integer.MAX_VALUE);
        }
        return received;
    }

    private static void push(final RawPusher pusher, final long first, final int count) {
        for (long number = first; number < first + count; number++) {
            final int offset = pusher.claim(Long.BYTES);
            pusher.buffer().putLong(offset, number);
            pusher.commit();
        }
    }
}
