package io.hawser.jmh.peers;

import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.RecvByteBufAllocator;

/**
 * How much Netty reads at a time.
 *
 * <p><em>Threading:</em> safe; no state.
 */
final class NettyBuffers {
    private static final int BULK_READ_LENGTH = 128 * 1024;
    private static final int LEAST_READ_LENGTH = 64;
    private static final int FIRST_READ_LENGTH = 16 * 1024;
    private static final int GREATEST_READ_LENGTH = 256 * 1024;

    private NettyBuffers() {}

    static RecvByteBufAllocator forReading(final Lane lane) {
        return lane.isBulk()
                ? new FixedRecvByteBufAllocator(BULK_READ_LENGTH)
                : new AdaptiveRecvByteBufAllocator(LEAST_READ_LENGTH, FIRST_READ_LENGTH, GREATEST_READ_LENGTH);
    }
}
