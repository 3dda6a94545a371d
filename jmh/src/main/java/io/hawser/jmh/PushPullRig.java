package io.hawser.jmh;

import io.hawser.allocator.Channel;
import io.hawser.allocator.Cluster;
import io.hawser.allocator.Codec;
import io.hawser.allocator.Puller;
import io.hawser.allocator.Pusher;
import io.hawser.allocator.RawChannel;
import io.hawser.allocator.RawPuller;
import io.hawser.allocator.RawPusher;
import io.hawser.allocator.Worker;
import io.hawser.transport.ClusterConfig;
import io.hawser.transport.Endpoint;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.collections.MutableLong;

/**
 * Workers that push and pull so many messages whenever they are asked to: channels are for the threads of workers, and JMH has its own.
 *
 * <p><em>Threading:</em> {@link #round} and {@link #end} for the thread of the benchmark.
 */
final class PushPullRig {
    /** Messages of a round. */
    static final int MESSAGES = 100_000;

    private static final int MESSAGE_LENGTH = 64;

    /** A worker that talks to itself must pull before its channel is full. */
    private static final int BURST = 1_000;

    private static final long PATIENCE_S = 60;

    /** The workers, and who asks them. */
    private final CyclicBarrier barrier;

    private final PushPullBenchmark.Way way;
    private final boolean isTyped;
    private final List<Future<?>> runs = new ArrayList<>();
    private volatile boolean isEnding;

    private PushPullRig(PushPullBenchmark.Way way, boolean isTyped) {
        this.way = way;
        this.isTyped = isTyped;
        this.barrier = new CyclicBarrier(way == PushPullBenchmark.Way.THREAD ? 2 : 3);
    }

    static PushPullRig start(PushPullBenchmark.Way way, boolean isTyped) throws IOException {
        PushPullRig rig = new PushPullRig(way, isTyped);
        if (way == PushPullBenchmark.Way.CLUSTER) {
            List<Endpoint> addresses = List.of(freeEndpoint(), freeEndpoint());
            for (int process = 0; process < addresses.size(); process++) {
                rig.run(ClusterConfig.builder()
                        .addresses(addresses)
                        .processIndex(process)
                        .build());
            }
        } else {
            rig.run(ClusterConfig.local(way == PushPullBenchmark.Way.THREAD ? 1 : 2));
        }
        return rig;
    }

    private static Endpoint freeEndpoint() throws IOException {
        try (ServerSocket probe = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return new Endpoint("127.0.0.1", probe.getLocalPort());
        }
    }

    private void run(ClusterConfig config) {
        runs.add(CompletableFuture.runAsync(
                () -> {
                    try {
                        Cluster.execute(config, this::work).join().values();
                    } catch (Exception failed) {
                        throw new IllegalStateException("the workers have failed: way=" + way, failed);
                    }
                },
                body -> new Thread(body, "push-pull-run").start()));
    }

    /** Has a round pushed and pulled. */
    void round() throws Exception {
        await();
        await();
    }

    private void await() throws Exception {
        barrier.await(PATIENCE_S, TimeUnit.SECONDS);
    }

    void end() throws Exception {
        isEnding = true;
        await();
        for (Future<?> run : runs) {
            run.get(PATIENCE_S, TimeUnit.SECONDS);
        }
    }

    private Void work(Worker worker) {
        Half half = isTyped ? new TypedHalf(worker) : new RawHalf(worker);
        try {
            await();
            while (!isEnding) {
                round(worker, half);
                await();
                await();
            }
        } catch (BrokenBarrierException othersFailed) {
            throw new IllegalStateException("another worker has failed", othersFailed);
        } catch (Exception failed) {
            throw new IllegalStateException(failed);
        }
        return null;
    }

    private void round(Worker worker, Half half) {
        if (way == PushPullBenchmark.Way.THREAD) {
            for (int done = 0; done < MESSAGES; done += BURST) {
                half.push(BURST);
                half.pull(BURST);
            }
        } else if (worker.index() == 0) {
            half.push(MESSAGES);
        } else {
            half.pull(MESSAGES);
        }
    }

    /** What one worker does of it. */
    private interface Half {
        void push(int count);

        void pull(int count);
    }

    private static void check(long sum, int count) {
        if (sum != (long) count * (count - 1) / 2) {
            throw new IllegalStateException("other messages came than were pushed: sum=" + sum + " count=" + count);
        }
    }

    private static int target(Worker worker) {
        return worker.peers() - 1;
    }

    private static final class RawHalf implements Half {
        private final Worker worker;
        private final RawChannel channel;
        private final RawPusher pusher;
        private final RawPuller puller;
        private long sum;

        RawHalf(Worker worker) {
            this.worker = worker;
            channel = worker.allocateRaw(1);
            pusher = channel.pusher(target(worker));
            puller = channel.puller();
        }

        @Override
        public void push(int count) {
            for (int i = 0; i < count; i++) {
                int index = pusher.claim(MESSAGE_LENGTH);
                pusher.buffer().putLong(index, i);
                pusher.commit();
            }
            channel.flush();
        }

        @Override
        public void pull(int count) {
            sum = 0;
            int pulled = 0;
            while (pulled < count) {
                int now = puller.poll(this::onMessage, BURST);
                pulled += now;
                if (now == 0) {
                    worker.park();
                }
            }
            check(sum, count);
        }

        private void onMessage(DirectBuffer buffer, int offset, int length, int source) {
            sum += buffer.getLong(offset);
        }
    }

    private static final class TypedHalf implements Half {
        private final Worker worker;
        private final Channel<MutableLong> channel;
        private final Pusher<MutableLong> pusher;
        private final Puller<MutableLong> puller;
        private final MutableLong message = new MutableLong();
        private long sum;

        TypedHalf(Worker worker) {
            this.worker = worker;
            channel = worker.allocate(1, new LongCodec());
            pusher = channel.pusher(target(worker));
            puller = channel.puller();
        }

        @Override
        public void push(int count) {
            for (int i = 0; i < count; i++) {
                message.set(i);
                pusher.push(message);
            }
            channel.flush();
        }

        @Override
        public void pull(int count) {
            sum = 0;
            int pulled = 0;
            while (pulled < count) {
                MutableLong next = puller.pull();
                if (next == null) {
                    worker.park();
                } else {
                    sum += next.get();
                    pulled++;
                }
            }
            check(sum, count);
        }
    }

    /** Reads into one object, which is valid until the next message. */
    private static final class LongCodec implements Codec<MutableLong> {
        private final MutableLong read = new MutableLong();

        @Override
        public int encodedLength(MutableLong message) {
            return MESSAGE_LENGTH;
        }

        @Override
        public void encode(MutableLong message, MutableDirectBuffer buffer, int offset, int length) {
            buffer.putLong(offset, message.get());
        }

        @Override
        public MutableLong decode(DirectBuffer buffer, int offset, int length) {
            read.set(buffer.getLong(offset));
            return read;
        }
    }
}
