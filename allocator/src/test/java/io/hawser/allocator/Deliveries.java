package io.hawser.allocator;

import io.hawser.framing.FragmentDescriptor;
import io.hawser.framing.FrameFlags;
import io.hawser.framing.RecordDescriptor;
import io.hawser.transport.MemoryAccount;
import io.hawser.transport.Slab;
import io.hawser.transport.SlabPool;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicLong;

/** Makes deliveries of 8-byte messages, as a receive thread or another worker would. For one thread. */
final class Deliveries implements AutoCloseable {
    static final int SLAB_LENGTH = 4_096;
    static final int CHARGE = 100;

    private final MemoryAccount account;
    private final SlabPool pool;
    private final AtomicLong consumedBytes = new AtomicLong();
    private long count;

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
        return deliver(slab, channelId, sourceWorker, FrameFlags.RECORDS, end);
    }

    /** A fragment of a message whose bytes are those of {@link Pattern}, in a slab of its own. */
    Delivery fragment(
            final int channelId,
            final int sourceWorker,
            final long seed,
            final long messageLength,
            final long position,
            final int length) {
        final Slab slab = pool.acquire();
        final int prefix = position == 0 ? FragmentDescriptor.PREFIX_LENGTH : 0;
        if (prefix != 0) {
            slab.buffer().putLong(0, messageLength, ByteOrder.LITTLE_ENDIAN);
        }
        Pattern.fill(seed, position, slab.buffer(), prefix, length);
        final int flags =
                (position == 0 ? FrameFlags.BEGIN : 0) | (position + length == messageLength ? FrameFlags.END : 0);
        return deliver(slab, channelId, sourceWorker, flags, prefix + length);
    }

    /** How many have been made. */
    long count() {
        return count;
    }

    private Delivery deliver(
            final Slab slab, final int channelId, final int sourceWorker, final int flags, final int end) {
        count++;
        final Delivery.Row row = new Delivery.Row();
        row.channelId = channelId;
        row.sourceWorker = sourceWorker;
        row.flags = flags;
        row.charge = CHARGE;
        row.lane = (worker, bytes) -> consumedBytes.addAndGet(bytes);
        final Delivery delivery = new Delivery(slab).retain(row, 0, end, 0);
        slab.release();
        return delivery;
    }

    /** What has been given back of the charges. */
    long consumedBytes() {
        return consumedBytes.get();
    }

    long liveBytes() {
        return account.liveBytes();
    }

    @Override
    public void close() {
        pool.close();
    }
}
