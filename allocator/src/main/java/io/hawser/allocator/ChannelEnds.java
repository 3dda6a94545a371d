package io.hawser.allocator;

/**
 * What closing a channel takes.
 *
 * <p><em>Threading:</em> the worker's thread.
 *
 * @param worker that has allocated the channel
 * @param out    its sending half
 * @param queue  its receiving half
 */
record ChannelEnds(Worker worker, ChannelOut out, ChannelQueue queue) {
    void flush() {
        worker.flush();
    }

    void close() {
        worker.close(out, queue, false);
    }

    void drop() {
        worker.close(out, queue, true);
    }
}
