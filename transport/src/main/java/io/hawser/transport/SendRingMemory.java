package io.hawser.transport;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The bytes of a send ring, which belong to its two sides together: they are freed once both have let go, in whatever order.
 *
 * <p><em>Threading:</em> either side may let go in any thread.
 */
final class SendRingMemory {
    static final int PRODUCER = 1;
    static final int CONSUMER = 1 << 1;

    private static final byte[] NOTHING = new byte[0];

    private final MemoryAccount account;
    private final ByteBuffer bytes;
    private final UnsafeBuffer producerBuffer;
    private final UnsafeBuffer consumerBuffer;
    private final AtomicInteger holders = new AtomicInteger(PRODUCER | CONSUMER);

    SendRingMemory(final int length, final MemoryAccount account) {
        this.account = account;
        this.bytes = account.allocate(length);
        this.producerBuffer = new UnsafeBuffer(bytes);
        this.consumerBuffer = new UnsafeBuffer(bytes);
    }

    UnsafeBuffer producerBuffer() {
        return producerBuffer;
    }

    UnsafeBuffer consumerBuffer() {
        return consumerBuffer;
    }

    /** A view for the JDK's channels, with a position and limit of its own. */
    ByteBuffer view() {
        return bytes.duplicate();
    }

    /**
     * One side touches the bytes no more.
     *
     * @return false if it had let go before
     */
    boolean letGo(final int side) {
        int before;
        do {
            before = holders.get();
            if ((before & side) == 0) {
                return false;
            }
        } while (!holders.compareAndSet(before, before & ~side));
        if (before == side) {
            // whoever still looks, against the rules, finds an exception instead of a crash while bounds checks are on
            producerBuffer.wrap(NOTHING);
            consumerBuffer.wrap(NOTHING);
            account.free(bytes);
        }
        return true;
    }
}
