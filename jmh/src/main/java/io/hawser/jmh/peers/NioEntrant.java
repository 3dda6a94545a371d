package io.hawser.jmh.peers;

import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/**
 * Framing by hand over a {@link SocketChannel}: an int in front of each message says its length. What is practically possible in Java.
 *
 * <p><em>Threading:</em> a thread for each connection receives.
 */
final class NioEntrant extends LaneEntrant {
    /** How it sends and waits. */
    enum Style {
        /** The sending thread fills a buffer and writes it. */
        DIRECT,

        /** The sending thread hands over to another, which writes. */
        QUEUE,

        /** As {@link #DIRECT}, and the receiving thread never sleeps. */
        SPIN
    }

    private final Style style;

    NioEntrant(final Style style) {
        this.style = style;
    }

    @Override
    void listen(final Lane lane, final Acceptor acceptor) throws Exception {
        final ServerSocketChannel server = Sockets.listen(lane);
        Threads.start("receive-" + lane.number(), () -> {
            final SocketChannel channel = Sockets.accept(server);
            final Outlet outlet = lane.isTwoWay() ? outlet(lane, channel) : Outlet.NONE;
            new NioReader(lane, channel, acceptor.connected(outlet)).run();
        });
    }

    @Override
    Outlet connect(final Lane lane, final Receiver receiver) throws Exception {
        final SocketChannel channel = Sockets.connect(lane);
        final Outlet outlet = outlet(lane, channel);
        if (lane.isTwoWay()) {
            Threads.start("receive-" + lane.number(), new NioReader(lane, channel, receiver)::run);
        }
        return outlet;
    }

    private Outlet outlet(final Lane lane, final SocketChannel channel) throws Exception {
        if (style == Style.SPIN) {
            channel.configureBlocking(false);
        }
        if (style == Style.QUEUE) {
            final NioQueue queue = new NioQueue(lane.isBulk());
            Threads.start("send-" + lane.number(), () -> queue.writeTo(channel));
            return new NioQueueOutlet(lane, queue);
        }
        return new NioOutlet(lane, channel);
    }
}
