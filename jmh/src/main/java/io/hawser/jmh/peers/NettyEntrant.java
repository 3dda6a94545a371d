package io.hawser.jmh.peers;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import io.netty.handler.flush.FlushConsolidationHandler;

/**
 * Netty with its native transport, one event loop in each process. Either each message goes through the pipeline, as Netty is meant to be used, or it
 * only carries bytes: messages are packed before they are given to it, and cut by hand after.
 *
 * <p><em>Threading:</em> the sending thread writes to the channel from outside; the event loop delivers, and answers.
 */
final class NettyEntrant extends LaneEntrant {
    private static final int LOW_WATER_MARK = 256 * 1024;
    private static final int HIGH_WATER_MARK = 1024 * 1024;
    private static final int FRAME_LIMIT = 1024 * 1024;
    private static final int FLUSHES_TOGETHER = 256;

    private final boolean isPacked;
    private final EventLoopGroup loops = new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());

    NettyEntrant(final boolean isPacked) {
        this.isPacked = isPacked;
    }

    @Override
    void listen(final Lane lane, final Acceptor acceptor) throws Exception {
        new ServerBootstrap()
                .group(loops)
                .channel(EpollServerSocketChannel.class)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.RECVBUF_ALLOCATOR, NettyBuffers.forReading(lane))
                .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, waterMarks())
                .childHandler(initializer(false, channel -> acceptor.connected(new NettyOutlet(lane, channel))))
                .bind(lane.address())
                .sync();
    }

    @Override
    Outlet connect(final Lane lane, final Receiver receiver) throws Exception {
        final Channel channel = new Bootstrap()
                .group(loops)
                .channel(EpollSocketChannel.class)
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.RECVBUF_ALLOCATOR, NettyBuffers.forReading(lane))
                .option(ChannelOption.WRITE_BUFFER_WATER_MARK, waterMarks())
                .handler(initializer(lane.isPaced(), any -> receiver))
                .connect(lane.address())
                .sync()
                .channel();
        return isPacked ? new NettyPackedOutlet(lane, channel) : new NettyOutlet(lane, channel);
    }

    private ChannelInitializer<Channel> initializer(final boolean isFlushedOften, final ReceiverSource receivers) {
        return new ChannelInitializer<>() {
            @Override
            protected void initChannel(final Channel channel) {
                final Receiver receiver = receivers.receiverOf(channel);
                if (isFlushedOften) {
                    channel.pipeline().addLast(new FlushConsolidationHandler(FLUSHES_TOGETHER, true));
                }
                if (isPacked) {
                    channel.pipeline().addLast(new NettyCutter(receiver));
                } else {
                    channel.pipeline()
                            .addLast(new LengthFieldBasedFrameDecoder(FRAME_LIMIT, 0, Integer.BYTES, 0, Integer.BYTES))
                            .addLast(new NettyDelivery(receiver));
                }
                channel.pipeline().addLast(new NettyWaking());
            }
        };
    }

    private static WriteBufferWaterMark waterMarks() {
        return new WriteBufferWaterMark(LOW_WATER_MARK, HIGH_WATER_MARK);
    }

    /** Who is delivered to by a new channel. */
    @FunctionalInterface
    private interface ReceiverSource {
        Receiver receiverOf(Channel channel);
    }
}
