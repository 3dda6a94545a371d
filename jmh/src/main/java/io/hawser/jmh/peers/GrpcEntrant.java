package io.hawser.jmh.peers;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerCall;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollIoHandler;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollServerSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollSocketChannel;
import java.util.concurrent.CountDownLatch;

/**
 * gRPC: one call for each lane, a stream in both directions, whose messages are plain bytes. The event loop itself delivers.
 *
 * <p><em>Threading:</em> the sending thread hands messages to the event loop, which delivers, and answers.
 */
final class GrpcEntrant extends LaneEntrant {
    private static final int FLOW_WINDOW_LENGTH = 4 * 1024 * 1024;
    private static final int READY_THRESHOLD = 256 * 1024;
    private static final int MESSAGE_LIMIT = 1024 * 1024;

    private static final MethodDescriptor<byte[], byte[]> METHOD = MethodDescriptor.newBuilder(
                    new GrpcBytes(), new GrpcBytes())
            .setType(MethodType.BIDI_STREAMING)
            .setFullMethodName("bench/exchange")
            .build();

    @Override
    void listen(final Lane lane, final Acceptor acceptor) throws Exception {
        NettyServerBuilder.forAddress(lane.address())
                .directExecutor()
                .channelType(EpollServerSocketChannel.class)
                .bossEventLoopGroup(loop())
                .workerEventLoopGroup(loop())
                .flowControlWindow(FLOW_WINDOW_LENGTH)
                .maxInboundMessageSize(MESSAGE_LIMIT)
                .addService(ServerServiceDefinition.builder("bench")
                        .addMethod(METHOD, (call, headers) -> accept(lane, call, acceptor))
                        .build())
                .build()
                .start();
    }

    @Override
    Outlet connect(final Lane lane, final Receiver receiver) throws Exception {
        final ManagedChannel channel = NettyChannelBuilder.forAddress(lane.address())
                .usePlaintext()
                .directExecutor()
                .channelType(EpollSocketChannel.class)
                .eventLoopGroup(loop())
                .flowControlWindow(FLOW_WINDOW_LENGTH)
                .maxInboundMessageSize(MESSAGE_LIMIT)
                .build();
        final ClientCall<byte[], byte[]> call =
                channel.newCall(METHOD, CallOptions.DEFAULT.withOnReadyThreshold(READY_THRESHOLD));
        final GrpcOutlet outlet = new GrpcOutlet(lane, call::sendMessage, call::isReady);
        final CountDownLatch open = new CountDownLatch(1);
        call.start(new Answers(call, receiver, outlet, open), new Metadata());
        call.request(GrpcCredit.FIRST);
        open.await();
        return outlet;
    }

    private static ServerCall.Listener<byte[]> accept(
            final Lane lane, final ServerCall<byte[], byte[]> call, final Acceptor acceptor) {
        call.sendHeaders(new Metadata());
        final Receiver receiver = acceptor.connected(new GrpcOutlet(lane, call::sendMessage, () -> true));
        final GrpcCredit credit = new GrpcCredit(call::request);
        call.request(GrpcCredit.FIRST);
        return new ServerCall.Listener<>() {
            @Override
            public void onMessage(final byte[] message) {
                credit.used();
                deliver(receiver, message);
            }
        };
    }

    private static EventLoopGroup loop() {
        return new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
    }

    private static void deliver(final Receiver receiver, final byte[] message) {
        try {
            receiver.onMessage(Payload.first(message), Payload.last(message), message.length);
            receiver.onBatchEnd();
        } catch (final RuntimeException e) {
            Threads.fail(e);
        }
    }

    /** What the caller is told. */
    private static final class Answers extends ClientCall.Listener<byte[]> {
        private final Receiver receiver;
        private final GrpcOutlet outlet;
        private final CountDownLatch open;
        private final GrpcCredit credit;

        Answers(
                final ClientCall<byte[], byte[]> call,
                final Receiver receiver,
                final GrpcOutlet outlet,
                final CountDownLatch open) {
            this.receiver = receiver;
            this.outlet = outlet;
            this.open = open;
            credit = new GrpcCredit(call::request);
        }

        @Override
        public void onHeaders(final Metadata headers) {
            open.countDown();
        }

        @Override
        public void onMessage(final byte[] message) {
            credit.used();
            deliver(receiver, message);
        }

        @Override
        public void onReady() {
            outlet.wake();
        }

        @Override
        public void onClose(final Status status, final Metadata trailers) {
            Threads.fail(status.asException(trailers));
        }
    }
}
