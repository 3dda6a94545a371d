package io.hawser.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.fate.Cause;
import io.hawser.fate.CauseKind;
import io.hawser.fate.HealthLostException;
import io.hawser.fate.HealthState;
import java.io.IOException;
import java.io.OutputStream;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Links of their own over loopback in one JVM: making them, the clean end (L1, L6), a fate for each (L2, L3, L12), and strangers (L11). */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class LinksTest {
    private static final String CLUSTER = "links-test";

    /** Ids are used once on a link. */
    private static final AtomicInteger CHANNELS = new AtomicInteger();

    /** One process as others see it: its links, and what they bring. */
    private static final class Node {
        final List<PeerLink> accepted = Collections.synchronizedList(new ArrayList<>());
        final List<CollectingLinkReceiver> receivers = Collections.synchronizedList(new ArrayList<>());
        Links links;

        /** Whether it hangs up what others have dialled and hang up. */
        volatile boolean isPolite;

        LinkReceiver accept(PeerLink link) {
            CollectingLinkReceiver receiver =
                    new CollectingLinkReceiver(isPolite && !link.isDialled() ? link::hangUp : () -> {});
            receivers.add(receiver);
            accepted.add(link);
            return receiver;
        }

        PeerLink awaitAccepted(int index) {
            await("accepted links of " + links.address(), () -> accepted.size() > index);
            return accepted.get(index);
        }

        CollectingLinkReceiver receiver(int index) {
            awaitAccepted(index);
            return receivers.get(index);
        }
    }

    private final List<Node> nodes = new ArrayList<>();

    private static ClusterConfig settings(Endpoint at, UnaryOperator<ClusterConfigBuilder> change) {
        return change.apply(ClusterConfig.builder()
                        .clusterId(CLUSTER)
                        .addresses(List.of(at))
                        .heartbeatInterval(Duration.ofMillis(100))
                        .silenceTimeout(Duration.ofSeconds(2))
                        .formationTimeout(Duration.ofSeconds(5))
                        .sendRingLength(256 * 1024)
                        .frameLimit(64 * 1024)
                        .slabLength(128 * 1024))
                .build();
    }

    private static LinkConfig config(String name, UnaryOperator<ClusterConfigBuilder> change) {
        return LinkConfig.of(name, settings(new Endpoint("127.0.0.1", 1), change))
                .atAnyPort();
    }

    private Node node(String name) throws IOException {
        return node(config(name, builder -> builder));
    }

    private Node node(LinkConfig config) throws IOException {
        Node node = new Node();
        node.links = Links.open(config, node::accept);
        nodes.add(node);
        return node;
    }

    @AfterEach
    void closeAll() {
        nodes.forEach(node -> node.links.close());
        for (Node node : nodes) {
            assertThat(node.links.memory().liveBytes()).isZero();
            node.receivers.forEach(receiver -> {
                assertThat(receiver.endings()).as("each link ends once").isEqualTo(1);
                assertThat(receiver.afterTheEnd()).isEmpty();
            });
        }
        assertThat(LoopbackMeshes.threadsNamed("hawser-" + CLUSTER)).isEmpty();
    }

    private static void await(String what, java.util.function.BooleanSupplier condition) {
        long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadlineNs > 0) {
                throw new AssertionError("not within 10 s: " + what);
            }
            java.util.concurrent.locks.LockSupport.parkNanos(1_000_000);
        }
    }

    private static PeerLink made(CompletionStage<PeerLink> dial) {
        return dial.toCompletableFuture().join();
    }

    private static LinkException failure(CompletionStage<PeerLink> dial) {
        try {
            throw new AssertionError("a link was made: " + made(dial));
        } catch (CompletionException e) {
            return (LinkException) e.getCause();
        }
    }

    private static void push(PeerLink link, long first, long count) {
        try (SendRing ring = link.openRing(0)) {
            SendLane lane = ring.openLane(SendRing.NO_DATAFLOW, CHANNELS.incrementAndGet(), link.firstPeerWorker(), 1);
            UnsafeBuffer number = new UnsafeBuffer(new byte[Long.BYTES]);
            for (long i = first; i < first + count; i++) {
                number.putLong(0, i);
                ring.push(lane, number, 0, Long.BYTES);
            }
        }
    }

    private static List<Long> numbers(long first, long count) {
        return LongStream.range(first, first + count).boxed().toList();
    }

    // ---- the clean end

    @Test
    void shouldBringAllBothWaysAndEndCleanlyL1L6() throws Exception {
        Node tm1 = node("tm-1");
        Node tm2 = node("tm-2");
        PeerLink there = made(tm1.links.dial(tm2.links.address(), tm1::accept));
        PeerLink here = tm2.awaitAccepted(0);
        assertThat(there.peer().name()).isEqualTo("tm-2");
        assertThat(there.peer().address()).isEqualTo(tm2.links.address().toString());
        assertThat(here.peer().name()).isEqualTo("tm-1");
        assertThat(here.isDialled()).isFalse();
        assertThat(tm1.links.links()).containsExactly(there);
        push(there, 0, 50_000);
        push(here, 1_000_000, 50_000);
        assertThat(there.offer(7, 42, "hello".getBytes(StandardCharsets.UTF_8))).isTrue();
        await("the notice", () -> tm2.receiver(0).notices().size() == 1);
        assertThat(tm2.receiver(0).notices().get(0).kind()).isEqualTo(42);
        there.hangUp();
        await("the hang-up", () -> tm2.receiver(0).hasHungUp());
        here.hangUp();
        assertThat(tm1.receiver(0).awaitEnded()).isEmpty();
        assertThat(tm2.receiver(0).awaitEnded()).isEmpty();
        assertThat(tm2.receiver(0).numbers()).isEqualTo(numbers(0, 50_000));
        assertThat(tm1.receiver(0).numbers()).isEqualTo(numbers(1_000_000, 50_000));
        assertThat(there.health().state()).isEqualTo(HealthState.ENDED);
        assertThat(there.awaitClosed(Duration.ofSeconds(5))).isTrue();
        await(
                "no link left",
                () -> tm1.links.links().isEmpty() && tm2.links.links().isEmpty());
    }

    @Test
    void shouldHaveSeveralLinksBetweenTheSameTwoAndToItself() throws Exception {
        Node tm1 = node("tm-1");
        Node tm2 = node("tm-2");
        PeerLink first = made(tm1.links.dial(tm2.links.address(), tm1::accept));
        PeerLink second = made(tm2.links.dial(tm1.links.address(), tm2::accept));
        PeerLink self = made(tm1.links.dial(tm1.links.address(), tm1::accept));
        push(first, 0, 10);
        push(second, 100, 10);
        push(self, 200, 10);
        await(
                "all",
                () -> received(tm1).containsAll(numbers(100, 10))
                        && received(tm1).containsAll(numbers(200, 10))
                        && received(tm2).containsAll(numbers(0, 10)));
        first.close();
        push(second, 300, 10);
        push(self, 400, 10);
        await(
                "the others",
                () -> received(tm1).containsAll(numbers(300, 10))
                        && received(tm1).containsAll(numbers(400, 10)));
    }

    private static List<Long> received(Node node) {
        synchronized (node.receivers) {
            return node.receivers.stream()
                    .flatMap(receiver -> receiver.numbers().stream())
                    .toList();
        }
    }

    // ---- a fate for each

    @Test
    void shouldTellTheSameFirstCauseOnBothSidesAndNobodyElseL2L12() throws Exception {
        Node tm1 = node("tm-1");
        Node tm2 = node("tm-2");
        Node tm3 = node("tm-3");
        PeerLink to2 = made(tm1.links.dial(tm2.links.address(), tm1::accept));
        PeerLink to3 = made(tm1.links.dial(tm3.links.address(), tm1::accept));
        SendRing ring = to2.openRing(0);
        to2.close();
        Cause here = tm1.receiver(0).awaitEnded().orElseThrow();
        Cause there = tm2.receiver(0).awaitEnded().orElseThrow();
        assertThat(here.kind()).isEqualTo(CauseKind.CLOSED_BY_USER);
        assertThat(there.sameEvent(here)).as("%s and %s", here, there).isTrue();
        assertThat(there.describe("")).contains("tm-1@" + tm1.links.address()).contains("PeerLink.close");
        SendLane lane = null;
        try {
            lane = ring.openLane(SendRing.NO_DATAFLOW, 1, to2.firstPeerWorker(), 1);
            SendLane open = lane;
            assertThatThrownBy(() -> ring.push(open, new UnsafeBuffer(new byte[8]), 0, 8))
                    .isInstanceOf(HealthLostException.class);
        } finally {
            ring.close();
        }
        push(to3, 0, 1_000);
        await("the neighbour's data", () -> tm3.receiver(0).numbers().size() == 1_000);
        assertThat(to3.health().isLost()).isFalse();
    }

    @Test
    void shouldLoseOnlyTheLinkWhoseReceiverThrows() throws Exception {
        Node tm1 = node("tm-1");
        Node tm2 = node("tm-2");
        PeerLink good = made(tm1.links.dial(tm2.links.address(), tm1::accept));
        CollectingLinkReceiver ending = new CollectingLinkReceiver();
        PeerLink bad = made(tm2.links.dial(tm1.links.address(), link -> new LinkReceiver() {
            @Override
            public void onData(io.hawser.framing.FrameHeaderFlyweight header, Slab slab, int offset, ReceiveLane lane) {
                throw new IllegalStateException("a bug of the engine");
            }

            @Override
            public void onNotice(Notice notice, ConsumptionListener books) {
                throw new AssertionError("none was sent");
            }

            @Override
            public void onHangUp() {
                // maybe
            }

            @Override
            public void onEnded(Optional<Cause> cause) {
                ending.onEnded(cause);
            }
        }));
        assertThat(bad.isDialled()).isTrue();
        push(tm1.awaitAccepted(1), 0, 1);
        Cause cause = ending.awaitEnded().orElseThrow();
        assertThat(cause.kind()).isEqualTo(CauseKind.THREAD_FAILED);
        assertThat(cause.seen()).contains("a bug of the engine");
        assertThat(tm1.receiver(1).awaitEnded().orElseThrow().sameEvent(cause)).isTrue();
        push(good, 0, 1_000);
        await("the good link's data", () -> tm2.receiver(0).numbers().size() == 1_000);
    }

    @Test
    void shouldFailTheDialAndTellTheOtherSideWhenTheAcceptorThrows() throws Exception {
        Node tm1 = node("tm-1");
        Node tm2 = node("tm-2");
        LinkException failure = failure(tm1.links.dial(tm2.links.address(), link -> {
            throw new IllegalStateException("no room for " + link.peer().name());
        }));
        assertThat(failure).hasMessageContaining("no room for tm-2");
        assertThat(failure.isFinal()).isTrue();
        await("no link left", () -> tm2.links.links().isEmpty());
        made(tm1.links.dial(tm2.links.address(), tm1::accept));
    }

    @Test
    void shouldEndAllWithTheUserAsTheCauseWhenClosed() throws Exception {
        Node tm1 = node("tm-1");
        Node tm2 = node("tm-2");
        for (int i = 0; i < 5; i++) {
            made(tm1.links.dial(tm2.links.address(), tm1::accept));
        }
        tm2.awaitAccepted(4);
        tm1.links.close();
        for (int i = 0; i < 5; i++) {
            assertThat(tm1.receiver(i).awaitEnded().orElseThrow().kind()).isEqualTo(CauseKind.CLOSED_BY_USER);
            assertThat(tm2.receiver(i).awaitEnded().orElseThrow().seen()).contains("Links.close");
        }
        assertThatThrownBy(() -> tm1.links.dial(tm2.links.address(), tm1::accept))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("tm-1");
        assertThat(failure(tm2.links.dial(tm1.links.address(), tm2::accept, Duration.ZERO)))
                .hasMessageContaining("refused");
    }

    /** The thread that tells of an end may end everything. */
    @Test
    void shouldBearToBeClosedByItsOwnThreads() throws Exception {
        Node tm1 = node("tm-1");
        Node tm2 = node("tm-2");
        CountDownLatch closed = new CountDownLatch(1);
        PeerLink link = made(tm1.links.dial(tm2.links.address(), made -> {
            CollectingLinkReceiver receiver = (CollectingLinkReceiver) tm1.accept(made);
            return new LinkReceiver() {
                @Override
                public void onData(
                        io.hawser.framing.FrameHeaderFlyweight header, Slab slab, int offset, ReceiveLane lane) {
                    receiver.onData(header, slab, offset, lane);
                }

                @Override
                public void onNotice(Notice notice, ConsumptionListener books) {
                    receiver.onNotice(notice, books);
                }

                @Override
                public void onHangUp() {
                    receiver.onHangUp();
                }

                @Override
                public void onEnded(Optional<Cause> cause) {
                    receiver.onEnded(cause);
                    tm1.links.close();
                    closed.countDown();
                }
            };
        }));
        link.close();
        assertThat(closed.await(10, TimeUnit.SECONDS)).isTrue();
        tm1.links.close();
    }

    // ---- dials that come to nothing

    @Test
    void shouldKnowAtOnceThatNobodyIsThereWhenAskedToTryOnce() throws Exception {
        Node tm1 = node("tm-1");
        Endpoint nobody = LoopbackMeshes.freeEndpoints(1).get(0);
        LinkException failure = failure(tm1.links.dial(nobody, tm1::accept, Duration.ZERO));
        assertThat(failure.isFinal()).isFalse();
        assertThat(failure).hasMessageContaining(nobody.toString()).hasMessageContaining("1 attempt:");
    }

    @Test
    void shouldDialUntilSomebodyIsThere() throws Exception {
        Node tm1 = node("tm-1");
        Endpoint later = LoopbackMeshes.freeEndpoints(1).get(0);
        CompletionStage<PeerLink> dial = tm1.links.dial(later, tm1::accept);
        CompletionStage<PeerLink> hopeless =
                tm1.links.dial(LoopbackMeshes.freeEndpoints(1).get(0), tm1::accept, Duration.ofMillis(300));
        assertThat(failure(hopeless)).hasMessageContaining("attempts:");
        assertThat(dial.toCompletableFuture()).isNotDone();
        Node tm2 = node(LinkConfig.of("tm-2", settings(later, builder -> builder)));
        assertThat(made(dial).peer().name()).isEqualTo("tm-2");
        assertThat(tm2.links.address()).isEqualTo(later);
    }

    @Test
    void shouldBeRefusedForGoodBetweenThoseThatDoNotFit() throws Exception {
        Node tm1 = node("tm-1");
        Node other = node(config("tm-2", builder -> builder.clusterId(CLUSTER + "-other")));
        Node wide = node(config("tm-3", builder -> builder.workersPerProcess(2)));
        Node slow = node(config("tm-4", builder -> builder.silenceTimeout(Duration.ofSeconds(3))));
        for (Node unfit : List.of(other, wide, slow)) {
            LinkException failure = failure(tm1.links.dial(unfit.links.address(), tm1::accept));
            assertThat(failure.isFinal()).isTrue();
        }
        assertThat(failure(tm1.links.dial(other.links.address(), tm1::accept)))
                .hasMessageContaining("CLUSTER")
                .hasMessageContaining(CLUSTER + "-other");
        assertThat(tm1.links.links()).isEmpty();
    }

    @Test
    void shouldBeRefusedForGoodByAMesh() throws Exception {
        Node tm1 = node("tm-1");
        try (LoopbackMeshes meshes = LoopbackMeshes.form(2, (process, builder) -> builder.clusterId(CLUSTER))) {
            LinkException failure =
                    failure(tm1.links.dial(meshes.mesh(0).config().addresses().get(0), tm1::accept));
            assertThat(failure).hasMessageContaining("belongs to a mesh");
            assertThat(failure.isFinal()).isTrue();
            assertThat(meshes.mesh(0).health().isLost()).isFalse();
        }
    }

    @Test
    void shouldHaveNoMoreLinksThanItMay() throws Exception {
        Node tm1 = node("tm-1");
        Node small = node(config("tm-2", builder -> builder).withLinkLimit(2));
        PeerLink first = made(tm1.links.dial(small.links.address(), tm1::accept));
        made(tm1.links.dial(small.links.address(), tm1::accept));
        LinkException failure = failure(tm1.links.dial(small.links.address(), tm1::accept, Duration.ZERO));
        assertThat(failure).hasMessageContaining("OVERLOADED").hasMessageContaining("linkLimit=2");
        assertThat(failure.isFinal()).isFalse();
        assertThat(failure(small.links.dial(tm1.links.address(), small::accept)))
                .hasMessageContaining("linkLimit=2");
        first.close();
        made(tm1.links.dial(small.links.address(), tm1::accept));
    }

    @Test
    void shouldTellInOneLineWhyItCannotListen() throws Exception {
        Node tm1 = node("tm-1");
        assertThatThrownBy(() -> Links.open(
                        LinkConfig.of("tm-2", settings(tm1.links.address(), builder -> builder)), tm1::accept))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(tm1.links.address().toString())
                .hasMessageContaining("held by another process");
    }

    // ---- strangers

    @Test
    void shouldNotMindStrangersL11() throws Exception {
        Node tm1 = node("tm-1");
        Node tm2 = node("tm-2");
        PeerLink link = made(tm1.links.dial(tm2.links.address(), tm1::accept));
        SplittableRandom random = new SplittableRandom(7);
        for (int i = 0; i < 100; i++) {
            try (Socket stranger = new Socket("127.0.0.1", tm2.links.address().port())) {
                byte[] bytes = new byte[random.nextInt(200)];
                random.nextBytes(bytes);
                OutputStream out = stranger.getOutputStream();
                out.write(i % 2 == 0 ? "GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII) : bytes);
            } catch (IOException closedMeanwhile) {
                continue; // as strangers are treated
            }
        }
        push(link, 0, 1_000);
        await("the data", () -> tm2.receiver(0).numbers().size() == 1_000);
        await("all strangers are counted", () -> count(tm2.links.strangers()) == 100);
        try (ServerSocket strange = new ServerSocket(0)) {
            Thread speaker = new Thread(() -> {
                try (Socket caller = strange.accept()) {
                    caller.getOutputStream().write("SSH-2.0-OpenSSH\r\n".getBytes(StandardCharsets.US_ASCII));
                    caller.getInputStream().readAllBytes();
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            });
            speaker.start();
            assertThat(failure(tm1.links.dial(
                            new Endpoint("127.0.0.1", strange.getLocalPort()), tm1::accept, Duration.ZERO)))
                    .hasMessageContaining("wrong port?");
            speaker.join();
        }
    }

    private static long count(StrangerCounts counts) {
        return counts.closedBeforeHello() + counts.strange() + counts.timedOut() + counts.evicted() + counts.refused();
    }

    // ---- all at once

    /** Links come and go at random; each ends once on both sides, cleanly or with one cause. */
    @Test
    void shouldKeepEachLinksFateApartWhateverComesAndGoes() throws Exception {
        long seed = Long.getLong("hawser.seed", System.nanoTime());
        System.out.println("LinksTest: seed=" + seed);
        SplittableRandom random = new SplittableRandom(seed);
        List<Node> all = List.of(node("tm-1"), node("tm-2"), node("tm-3"));
        all.forEach(node -> node.isPolite = true);
        List<PeerLink> open = new ArrayList<>();
        List<PeerLink> hungUp = new ArrayList<>();
        for (int step = 0; step < 150; step++) {
            if (open.isEmpty() || random.nextInt(3) > 0 && open.size() < 12) {
                Node from = all.get(random.nextInt(all.size()));
                Node to = all.get(random.nextInt(all.size()));
                open.add(made(from.links.dial(to.links.address(), from::accept)));
            } else {
                PeerLink link = open.remove(random.nextInt(open.size()));
                push(link, step * 1_000L, random.nextInt(1, 200));
                if (random.nextBoolean()) {
                    link.close();
                } else {
                    hungUp.add(link);
                    link.hangUp();
                }
            }
        }
        for (PeerLink link : hungUp) {
            assertThat(link.awaitClosed(Duration.ofSeconds(10))).isTrue();
            assertThat(link.health().state()).as("%s", link).isEqualTo(HealthState.ENDED);
        }
    }
}
