package io.hawser.jmh.peers;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;

/**
 * Writes each message to the channel, in a buffer of its own; a large one as a second reference to what was made beforehand. Flushes now and then.
 *
 * <p><em>Threading:</em> the sending thread, or the event loop, which never waits.
 */
@SuppressWarnings("FutureReturnValueIgnored") // void promises: failures go down the pipeline, which ends the process
final class NettyOutlet implements Outlet {
    private static final int FLUSH_SMALL = 256;
    private static final int FLUSH_BULK = 4;

    private final Channel channel;
    private final byte[] message;
    private final ByteBuf[] bulk;
    private int unflushed;

    NettyOutlet(final Lane lane, final Channel channel) {
        this.channel = channel;
        message = Payload.blank(lane.messageLength());
        bulk = new ByteBuf[lane.isBulk() ? Payload.BULK_COUNT : 0];
        for (int number = 0; number < bulk.length; number++) {
            bulk[number] = Unpooled.directBuffer(Payload.BULK_LENGTH).writeBytes(Payload.bulk(number));
        }
    }

    @Override
    public void send(final long first, final long last) {
        awaitRoom();
        Payload.stamp(message, first, last);
        final ByteBuf buffer = channel.alloc().directBuffer(Integer.BYTES + message.length);
        buffer.writeInt(message.length).writeBytes(message);
        channel.write(buffer, channel.voidPromise());
        flushAfter(FLUSH_SMALL);
    }

    @Override
    public void sendBulk(final int number) {
        awaitRoom();
        channel.write(channel.alloc().directBuffer(Integer.BYTES).writeInt(Payload.BULK_LENGTH), channel.voidPromise());
        channel.write(bulk[number].retainedDuplicate(), channel.voidPromise());
        flushAfter(FLUSH_BULK);
    }

    @Override
    public void flush() {
        unflushed = 0;
        channel.flush();
    }

    private void flushAfter(final int messages) {
        if (++unflushed == messages) {
            flush();
        }
    }

    private void awaitRoom() {
        if (!channel.isWritable() && !channel.eventLoop().inEventLoop()) {
            flush();
            NettyWaking.awaitWritable(channel);
        }
    }
}
