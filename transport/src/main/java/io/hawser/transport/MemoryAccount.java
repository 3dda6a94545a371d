package io.hawser.transport;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.BufferUtil;

/**
 * Allocates and frees direct memory, and counts what lives. Once a cluster has ended its account stands at 0: nothing is left to the
 * garbage collector.
 *
 * <p><em>Threading:</em> any thread; memory may be freed by another than the one that allocated it.
 */
public final class MemoryAccount {
    private final AtomicLong liveBytes = new AtomicLong();

    /** Opens an account that stands at 0. */
    public MemoryAccount() {}

    /**
     * Bytes allocated and not yet freed.
     *
     * @return the count; 0 if nothing lives
     */
    public long liveBytes() {
        return liveBytes.get();
    }

    /** Zeroed, little-endian memory; the caller hands it back to {@link #free}. */
    ByteBuffer allocate(final int length) {
        final ByteBuffer memory = ByteBuffer.allocateDirect(length).order(ByteOrder.LITTLE_ENDIAN);
        liveBytes.addAndGet(length);
        return memory;
    }

    /** Frees memory at once. No view of it may be used any more: that would crash the process. */
    void free(final ByteBuffer memory) {
        liveBytes.addAndGet(-memory.capacity());
        BufferUtil.free(memory);
    }
}
