package io.hawser.jmh.peers;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;

/**
 * Packs small messages into large buffers, and writes those.
 *
 * <p><em>Threading:</em> the sending thread.
 */
@SuppressWarnings("FutureReturnValueIgnored") // void promises: failures go down the pipeline, which ends the process
final class NettyPackedOutlet implements Outlet {
    private static final int PACK_LENGTH = 64 * 1024;

    private final Channel channel;
    private final byte[] message;
    private ByteBuf pack;

    NettyPackedOutlet(final Lane lane, final Channel channel) {
        this.channel = channel;
        message = Payload.blank(lane.messageLength());
        pack = newPack();
    }

    @Override
    public void send(final long first, final long last) {
        if (pack.writableBytes() < Integer.BYTES + message.length) {
            flush();
        }
        Payload.stamp(message, first, last);
        pack.writeInt(message.length).writeBytes(message);
    }

    @Override
    public void sendBulk(final int number) {
        throw new IllegalStateException("large messages need no packing: number=" + number);
    }

    @Override
    public void flush() {
        NettyWaking.awaitWritable(channel);
        channel.writeAndFlush(pack, channel.voidPromise());
        pack = newPack();
    }

    private ByteBuf newPack() {
        return channel.alloc().directBuffer(PACK_LENGTH, PACK_LENGTH);
    }
}
