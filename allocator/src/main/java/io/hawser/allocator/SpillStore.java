package io.hawser.allocator;

import org.agrona.DirectBuffer;

/**
 * Where messages wait that a channel may neither refuse nor keep its worker waiting for: storage outside of the heap and of direct memory, with a
 * limit. Module {@code hawser-spill} has one over memory-mapped files, which is found through {@link java.util.ServiceLoader}.
 *
 * <p><em>Threading:</em> a store is opened and closed by any thread; each of its queues is for one thread at a time, different queues for different ones
 * at once.
 */
public interface SpillStore extends AutoCloseable {
    /**
     * Opens an empty queue. Costs nothing outside of the heap before the first piece.
     *
     * @param name for messages: which channel, from whom to whom
     * @return the queue, to be closed by the caller, or by closing the store
     */
    Queue openQueue(String name);

    /**
     * What all queues together take at the moment.
     *
     * @return bytes, never above {@link #limit()}
     */
    long usedBytes();

    /**
     * What all queues together may take.
     *
     * @return bytes
     */
    long limit();

    /** Closes all queues and leaves nothing behind. Idempotent. */
    @Override
    void close();

    /** Opens stores; what a service provider implements. */
    @FunctionalInterface
    interface Provider {
        /**
         * Opens a store for one cluster of this process. What a process that was killed may have left in the directory is removed.
         *
         * @param directory for its files; made if it does not exist
         * @param name      of the cluster, process and generation, for file names
         * @param limit     bytes that all queues together may take
         * @return the store, to be closed by the caller
         * @throws SpillException        if the directory cannot be used
         * @throws IllegalStateException if the JVM lacks a flag that the implementation needs; the text gives the flag
         */
        SpillStore open(java.nio.file.Path directory, String name, long limit);
    }

    /**
     * Pieces of messages, first in, first out.
     *
     * <p><em>Threading:</em> one thread at a time.
     */
    interface Queue extends AutoCloseable {
        /**
         * Appends a piece: either all of it is in the queue afterwards, or the queue is as before.
         *
         * @param tag    kept with the piece; means nothing here
         * @param source that holds the piece
         * @param offset of its first byte
         * @param length in bytes, 0 or more
         * @throws SpillException if the limit or the disk is full, or the disk fails
         */
        void append(long tag, DirectBuffer source, int offset, int length);

        /**
         * Whether nothing waits.
         *
         * @return true if there is no head
         */
        boolean isEmpty();

        /**
         * How many bytes of pieces wait.
         *
         * @return bytes, without what the store itself adds
         */
        long pendingBytes();

        /**
         * The memory that holds the oldest piece.
         *
         * @return a buffer, valid until {@link #removeHead()}
         * @throws IllegalStateException if the queue is empty
         */
        DirectBuffer headBuffer();

        /**
         * Where the oldest piece starts in {@link #headBuffer()}.
         *
         * @return the offset
         */
        int headOffset();

        /**
         * How long the oldest piece is.
         *
         * @return bytes
         */
        int headLength();

        /**
         * What was kept with the oldest piece.
         *
         * @return the tag
         */
        long headTag();

        /** Drops the oldest piece; its place on the disk is given back soon after. */
        void removeHead();

        /** Drops everything. Idempotent. */
        @Override
        void close();
    }
}
