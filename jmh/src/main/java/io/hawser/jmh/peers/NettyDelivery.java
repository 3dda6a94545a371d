package io.hawser.jmh.peers;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/**
 * Delivers each message that the pipeline has decoded.
 *
 * <p><em>Threading:</em> the event loop.
 */
final class NettyDelivery extends ChannelInboundHandlerAdapter {
    private final Receiver receiver;

    NettyDelivery(final Receiver receiver) {
        this.receiver = receiver;
    }

    @Override
    public void channelRead(final ChannelHandlerContext context, final Object message) {
        final ByteBuf buffer = (ByteBuf) message;
        try {
            final int offset = buffer.readerIndex();
            final int length = buffer.readableBytes();
            receiver.onMessage(buffer.getLongLE(offset), buffer.getLongLE(offset + length - Long.BYTES), length);
        } finally {
            buffer.release();
        }
    }

    @Override
    public void channelReadComplete(final ChannelHandlerContext context) {
        receiver.onBatchEnd();
    }

    @Override
    public void exceptionCaught(final ChannelHandlerContext context, final Throwable cause) {
        Threads.fail(cause);
    }
}
