package io.hawser.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.fate.Clock;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.channels.Selector;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The port: looked up elsewhere, tried again until it is free (case 2). Hand-driven, the look-up included. */
class ListenerTest {
    private static final long LATE_NS = Long.MAX_VALUE;

    private final Endpoint endpoint = LoopbackMeshes.freeEndpoints(1).get(0);
    private final List<Thread> lookUps = new ArrayList<>();
    private final Queue<Runnable> posts = new ArrayDeque<>();
    private final CountDownLatch answer = new CountDownLatch(1);
    private final ManualClock clock = new ManualClock();
    private Selector selector;
    private Listener listener;

    /** Stands until it is advanced. */
    private static final class ManualClock implements Clock {
        private long nowNs = Long.MAX_VALUE / 2;

        @Override
        public long nanoTime() {
            return nowNs;
        }

        @Override
        public long epochMs() {
            return 0;
        }
    }

    private Listener listener(Endpoint bindAddress) throws Exception {
        ThreadFactory remembering = body -> {
            lookUps.add(new Thread(() -> {
                await(answer);
                body.run();
            }));
            return lookUps.get(lookUps.size() - 1);
        };
        ClusterConfig config = ClusterConfig.builder()
                .addresses(List.of(endpoint, new Endpoint("127.0.0.1", 9)))
                .bindAddress(bindAddress)
                .build();
        selector = Selector.open();
        Resolver resolver = new Resolver(remembering, new Names("test-"));
        listener = new Listener(config, clock, selector, new StrangerLog(), resolver, posts::add, clock.nanoTime());
        return listener;
    }

    @AfterEach
    void close() throws Exception {
        listener.close();
        selector.close();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private void cycle() {
        listener.tick(clock.nanoTime());
        for (Runnable post = posts.poll(); post != null; post = posts.poll()) {
            post.run();
        }
    }

    @Test
    void shouldLookTheNameUpInAThreadOfItsOwn() throws Exception {
        listener(new Endpoint("localhost", endpoint.port()));
        cycle();
        cycle();
        assertThat(listener.isBound()).as("while nobody has looked it up").isFalse();
        assertThat(listener.nextNs(LATE_NS)).as("nothing is due meanwhile").isEqualTo(LATE_NS);
        assertThat(lookUps).hasSize(1);
        answer.countDown();
        lookUps.get(0).join();
        cycle();
        assertThat(listener.isBound()).isTrue();
        assertThat(listener.bindError()).isEmpty();
    }

    @Test
    void shouldTryAgainUntilThePortIsFree() throws Exception {
        listener(null);
        try (ServerSocket holder = new ServerSocket(endpoint.port(), 1, InetAddress.getByName(endpoint.host()))) {
            cycle();
            assertThat(listener.isBound()).isFalse();
            assertThat(listener.bindError())
                    .contains("cannot listen at " + endpoint)
                    .contains("another process");
            assertThat(holder.isBound()).isTrue();
        }
        cycle();
        assertThat(listener.isBound()).as("not before the pause is over").isFalse();
        clock.nowNs = listener.nextNs(LATE_NS);
        cycle();
        assertThat(listener.isBound()).isTrue();
        assertThat(listener.bindError()).isEmpty();
        assertThat(lookUps).as("for a literal address").isEmpty();
    }

    @Test
    void shouldSayThatTheNameIsUnknown() throws Exception {
        listener(new Endpoint("no-such-host.invalid", endpoint.port()));
        answer.countDown();
        cycle();
        lookUps.get(0).join();
        cycle();
        assertThat(listener.isBound()).isFalse();
        assertThat(listener.bindError()).contains("unknown host no-such-host.invalid");
    }
}
