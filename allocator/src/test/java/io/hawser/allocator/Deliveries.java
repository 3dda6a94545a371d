package io.hawser.allocator;

import io.hawser.framing.RecordDescriptor;
import io.hawser.transport.MemoryAccount;
import io.hawser.transport.Slab;
import io.hawser.transport.SlabPool;

/** Makes deliveries of 8-byte messages, as a receive thread or another worker would. For one thread. */
final class Deliveries implements AutoCloseable {
    static final int SLAB_LENGTH = 4_096;

    private final MemoryAccount account;
    private final SlabPool pool;

    Deliveries(final MemoryAccount account) {
        this.account = account;
        this.pool = new SlabPool(SLAB_LENGTH, 8, account);
    }

    /** A delivery in a slab of its own, whose only reference goes with it. */
    Delivery of(final int channelId, final int sourceWorker, final long... messages) {
        final Slab slab = pool.acquire();
        int end = 0;
        for (final long message : messages) {
            final int offset = RecordDescriptor.begin(slab.buffer(), end, Long.BYTES);
            slab.buffer().putLong(offset, message);
            end += RecordDescriptor.recordLength(Long.BYTES);
        }
        final Delivery delivery = new Delivery(slab).retain(0, end, channelId, sourceWorker);
        slab.release();
        return delivery;
    }

    long liveBytes() {
        return account.liveBytes();
    }

    @Override
    public void close() {
        pool.close();
    }
}
