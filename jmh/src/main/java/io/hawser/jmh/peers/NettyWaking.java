package io.hawser.jmh.peers;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.AttributeKey;
import java.util.concurrent.locks.LockSupport;

/**
 * Wakes the thread that waits until a channel can be written to again.
 *
 * <p><em>Threading:</em> the event loop; {@link #awaitWritable} the sending thread.
 */
final class NettyWaking extends ChannelInboundHandlerAdapter {
    private static final AttributeKey<Thread> WAITING = AttributeKey.valueOf("bench-waiting");

    static void awaitWritable(final Channel channel) {
        while (!channel.isWritable()) {
            channel.attr(WAITING).set(Thread.currentThread());
            if (!channel.isWritable()) {
                LockSupport.park(channel);
            }
        }
    }

    @Override
    public void channelWritabilityChanged(final ChannelHandlerContext context) {
        final Thread waiting = context.channel().attr(WAITING).get();
        if (waiting != null && context.channel().isWritable()) {
            LockSupport.unpark(waiting);
        }
    }
}
