package io.hawser.allocator;

import java.util.concurrent.atomic.AtomicBoolean;
import org.agrona.DirectBuffer;

/**
 * A message that is kept beyond the call of the handler that saw it. Where it makes up a fair part of the memory that it came in, it stays where it lies, and keeps that
 * memory, and the credit of its sender: whoever retains half of a window's worth of such messages stops the channel until some are given back. A message that came with
 * little else, or was put together from fragments, is a copy on the heap, and keeps no credit. To be closed, by any thread, also after the end of the worker; what is left open is never given back.
 *
 * <p><em>Threading:</em> one thread at a time; may be handed to another one.
 */
public final class RetainedMessage implements AutoCloseable {
    private final DirectBuffer buffer;
    private final int offset;
    private final int length;
    private final int sourceWorker;

    /** What to give back; null if the collector does it. */
    private final Delivery delivery;

    private final AtomicBoolean isClosed = new AtomicBoolean();

    RetainedMessage(
            final DirectBuffer buffer,
            final int offset,
            final int length,
            final int sourceWorker,
            final Delivery delivery) {
        this.buffer = buffer;
        this.offset = offset;
        this.length = length;
        this.sourceWorker = sourceWorker;
        this.delivery = delivery;
    }

    /**
     * The memory that holds the message.
     *
     * @return the buffer, to be read only
     * @throws IllegalStateException if it was closed
     */
    public DirectBuffer buffer() {
        if (isClosed.get()) {
            throw new IllegalStateException(
                    "the message was given back: sourceWorker=" + sourceWorker + " length=" + length);
        }
        return buffer;
    }

    /**
     * Where the message starts.
     *
     * @return the offset in {@link #buffer()}
     */
    public int offset() {
        return offset;
    }

    /**
     * How long the message is.
     *
     * @return bytes
     */
    public int length() {
        return length;
    }

    /**
     * Who pushed it.
     *
     * @return global index of the worker
     */
    public int sourceWorker() {
        return sourceWorker;
    }

    /** Gives memory and credit back. Idempotent. */
    @Override
    public void close() {
        if (isClosed.compareAndSet(false, true) && delivery != null) {
            delivery.release();
        }
    }
}
