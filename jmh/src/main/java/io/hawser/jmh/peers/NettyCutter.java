package io.hawser.jmh.peers;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/**
 * Cuts messages out of what was read, without the pipeline's help. Only a message that lies in two reads is copied.
 *
 * <p><em>Threading:</em> the event loop.
 */
final class NettyCutter extends ChannelInboundHandlerAdapter {
    private final Receiver receiver;

    /** The beginning of a message whose end has not been read; of no length if there is none. */
    private final byte[] head;

    private int headLength;

    NettyCutter(final Receiver receiver) {
        this.receiver = receiver;
        head = new byte[Integer.BYTES + Payload.SMALL_LENGTH];
    }

    @Override
    public void channelRead(final ChannelHandlerContext context, final Object message) {
        final ByteBuf buffer = (ByteBuf) message;
        try {
            completeHead(buffer);
            while (buffer.readableBytes() >= head.length) {
                final int offset = buffer.readerIndex();
                checkLength(buffer.getInt(offset));
                receiver.onMessage(
                        buffer.getLongLE(offset + Integer.BYTES),
                        buffer.getLongLE(offset + head.length - Long.BYTES),
                        Payload.SMALL_LENGTH);
                buffer.skipBytes(head.length);
            }
            final int rest = buffer.readableBytes();
            buffer.readBytes(head, headLength, rest);
            headLength += rest;
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

    private void completeHead(final ByteBuf buffer) {
        if (headLength == 0) {
            return;
        }
        final int missing = Math.min(head.length - headLength, buffer.readableBytes());
        buffer.readBytes(head, headLength, missing);
        headLength += missing;
        if (headLength == head.length) {
            headLength = 0;
            checkLength(head[0] << 24 | (head[1] & 0xFF) << 16 | (head[2] & 0xFF) << 8 | head[3] & 0xFF);
            receiver.onMessage(Payload.first(head, Integer.BYTES), Payload.last(head), Payload.SMALL_LENGTH);
        }
    }

    private static void checkLength(final int length) {
        if (length != Payload.SMALL_LENGTH) {
            throw new BadMessageException("all messages have one length here: length=" + length);
        }
    }
}
