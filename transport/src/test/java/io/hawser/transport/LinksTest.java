package io.hawser.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.fate.Cause;
import io.hawser.fate.CauseKind;
import io.hawser.fate.Clock;
import io.hawser.fate.HealthLostException;
import io.hawser.fate.HealthState;
import java.io.IOException;
import java.io.OutputStream;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

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

        volatile Runnable whenHungUp = () -> {};
        volatile Runnable whenEnded = () -> {};

        LinkReceiver accept(PeerLink link) {
            CollectingLinkReceiver receiver =
                    new CollectingLinkReceiver(isPolite && !link.isDialled() ? link::hangUp : whenHungUp, whenEnded);
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
        return dial.toCompletableFuture().copy().orTimeout(20, TimeUnit.SECONDS).join();
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
        assertThat(there.describe(""))
                .contains("tm-1 (at " + tm1.links.address())
                .contains("PeerLink.close");
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

    /** The pool is that of all links: what an ended one has borrowed would be missed by those that come. */
    @Test
    void shouldGiveFloatingCreditBackHoweverALinkEnds() throws Exception {
        UnaryOperator<ClusterConfigBuilder> narrow =
                builder -> builder.channelWindow(64 * 1024).frameLimit(16 * 1024);
        Node tm1 = node(config("tm-1", narrow));
        Node tm2 = node(config("tm-2", narrow));
        tm2.isPolite = true;
        WindowPool pool = tm2.links.windows();
        long all = pool.freeBytes();
        for (boolean isClean : new boolean[] {true, false}) {
            PeerLink link = made(tm1.links.dial(tm2.links.address(), tm1::accept));
            long first = 0;
            while (pool.freeBytes() == all) {
                push(link, first, 20_000);
                first += 20_000;
            }
            if (isClean) {
                link.hangUp();
            } else {
                link.close();
            }
            assertThat(link.awaitClosed(Duration.ofSeconds(10))).isTrue();
            await("what was lent", () -> pool.freeBytes() == all);
        }
    }

    /** A name is looked up by a thread of its own, which may not be had. */
    @Test
    void shouldLoseADialAndNoLinkWhenNoThreadIsToBeHadToLookANameUp() throws Exception {
        AtomicBoolean isSpent = new AtomicBoolean();
        Node tm1 = node(config(
                "tm-1",
                builder -> builder.threadFactory(body -> {
                    if (isSpent.get()) {
                        throw new OutOfMemoryError("unable to create native thread, as a test wants it");
                    }
                    return new Thread(body);
                })));
        Node tm2 = node("tm-2");
        PeerLink link = made(tm1.links.dial(tm2.links.address(), tm1::accept));
        Endpoint byName = new Endpoint("localhost", tm2.links.address().port());
        isSpent.set(true);
        LinkException failure = failure(tm1.links.dial(byName, tm1::accept, Duration.ZERO));
        assertThat(failure).hasMessageContaining("unable to create native thread");
        assertThat(failure.isFinal()).isFalse();
        isSpent.set(false);
        assertThat(link.health().isLost()).isFalse();
        made(tm1.links.dial(byName, tm1::accept));
    }

    /** Who is told of ends one after the other may take time for each. */
    @Test
    void shouldHaveRoomForOthersWhileOnEndedTakesItsTime() throws Exception {
        Node tm1 = node("tm-1");
        Node tm2 = node(config("tm-2", builder -> builder).withLinkLimit(2));
        CountDownLatch canGoOn = new CountDownLatch(1);
        tm2.whenEnded = () -> awaitQuietly(canGoOn);
        try {
            made(tm1.links.dial(tm2.links.address(), tm1::accept)).close();
            made(tm1.links.dial(tm2.links.address(), tm1::accept)).close();
            tm2.receiver(0).awaitEnded();
            await("no link left", () -> tm2.links.links().isEmpty());
            made(tm1.links.dial(tm2.links.address(), tm1::accept));
            made(tm1.links.dial(tm2.links.address(), tm1::accept));
        } finally {
            canGoOn.countDown();
        }
    }

    @Test
    void shouldNotWaitForItselfWhenClosedByAReceiveThread() throws Exception {
        Node tm1 = node("tm-1");
        Node tm2 = node("tm-2");
        CountDownLatch isBack = new CountDownLatch(1);
        tm2.whenHungUp = () -> {
            tm2.links.close();
            isBack.countDown();
        };
        made(tm1.links.dial(tm2.links.address(), tm1::accept)).hangUp();
        assertThat(isBack.await(1, TimeUnit.SECONDS))
                .as("it would wait for the abort time-out and 2 s")
                .isTrue();
        assertThat(tm1.receiver(0).awaitEnded().orElseThrow().kind()).isEqualTo(CauseKind.CLOSED_BY_USER);
    }

    /** Such as for want of memory. */
    @Test
    void shouldGoOnWatchingWhenTheSharedWatchFails() throws Exception {
        AtomicInteger failures = new AtomicInteger();
        Clock frail = clock(() -> {
            boolean isWatch = StackWalker.getInstance()
                    .walk(frames -> frames.skip(2).findFirst().orElseThrow())
                    .getClassName()
                    .equals(LinksWatch.class.getName());
            if (isWatch && failures.incrementAndGet() == 3) {
                throw new OutOfMemoryError("as a test wants it");
            }
        });
        Node tm1 = node(config("tm-1", builder -> builder.clock(frail)));
        Node tm2 = node("tm-2");
        PeerLink link = made(tm1.links.dial(tm2.links.address(), tm1::accept));
        await("the failure", () -> failures.get() >= 3);
        link.close();
        tm1.receiver(0).awaitEnded();
        assertThat(link.awaitClosed(Duration.ofSeconds(5))).isTrue();
    }

    @Test
    void shouldMakeNoLinkAnyMoreWhenTheProcessEnds() throws Exception {
        Node tm1 = node("tm-1");
        Node tm2 = node("tm-2");
        made(tm1.links.dial(tm2.links.address(), tm1::accept));
        tm2.awaitAccepted(0);
        tm1.links.exitHook().run();
        Cause cause = tm2.receiver(0).awaitEnded().orElseThrow();
        assertThat(cause.kind()).isEqualTo(CauseKind.PROCESS_EXITING);
        await(
                "the end of its greet thread",
                () -> LoopbackMeshes.threadsNamed("hawser-" + CLUSTER + "-tm-1-greet")
                        .isEmpty());
        assertThat(failure(tm2.links.dial(tm1.links.address(), tm2::accept, Duration.ZERO)))
                .hasMessageContaining("refused");
        assertThat(failure(tm1.links.dial(tm2.links.address(), tm1::accept))).hasMessageContaining("closed");
        assertThat(tm1.receiver(0).awaitEnded().orElseThrow().sameEvent(cause)).isTrue();
    }

    /** As the settings of a process that has been of a mesh may have it. */
    @Test
    void shouldMakeLinksOfTheFirstGenerationWhateverTheSettingsSay() throws Exception {
        Node tm1 = node(config("tm-1", builder -> builder.generation(7)));
        Node tm2 = node("tm-2");
        made(tm1.links.dial(tm2.links.address(), tm1::accept));
    }

    @Test
    void shouldDialForEverWhenAskedTo() throws Exception {
        Node tm1 = node("tm-1");
        Endpoint later = LoopbackMeshes.freeEndpoints(1).get(0);
        CompletionStage<PeerLink> dial =
                tm1.links.dial(later, tm1::accept, java.time.temporal.ChronoUnit.FOREVER.getDuration());
        Node tm2 = node(LinkConfig.of("tm-2", settings(later, builder -> builder)));
        assertThat(made(dial).peer().name()).isEqualTo("tm-2");
        tm2.awaitAccepted(0);
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
    @EnabledOnOs(OS.LINUX)
    void shouldLeaveNoDescriptorWhenItCannotOpen() throws Exception {
        node("tm-1").links.close(); // whatever the JDK opens once
        int before = descriptors();
        for (int i = 0; i < 10; i++) {
            assertThatThrownBy(() -> node(config(
                            "tm-2",
                            builder -> builder.memoryLimit(1L << 30)
                                    .sendRingLength(1 << 29)
                                    .workersPerProcess(2))))
                    .hasMessageContaining("memoryLimit");
            assertThatThrownBy(() -> node(config("tm-2", builder -> builder.threadFactory(new OneThread()))))
                    .hasMessageContaining("no more threads");
        }
        assertThat(descriptors()).isLessThan(before + 10);
    }

    /** The second one asked for, which is the greet thread's, is not to be had. */
    private static final class OneThread implements ThreadFactory {
        private boolean isSpent;

        @Override
        public Thread newThread(Runnable body) {
            if (isSpent) {
                throw new OutOfMemoryError("no more threads, as a test wants it");
            }
            isSpent = true;
            return new Thread(body);
        }
    }

    private static int descriptors() {
        return new java.io.File("/proc/self/fd").list().length;
    }

    @Test
    void shouldRefuseMoreLinksThanMemoryMayBeTakenForL7() throws Exception {
        LinkConfig ten = config("tm-1", builder -> builder).withLinkLimit(10);
        long each = (ten.directMemoryLimit() - 2 * ten.settings().floatingWindow()) / 10;
        assertThat(ten.withLinkLimit(11).directMemoryLimit()).isEqualTo(ten.directMemoryLimit() + each);
        LinkConfig bounded = config("tm-1", builder -> builder.memoryLimit(ten.directMemoryLimit()));
        node(bounded.withLinkLimit(10));
        assertThatThrownBy(() -> node(bounded.withLinkLimit(11)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("linkLimit=11")
                .hasMessageContaining("memoryLimit=" + ten.directMemoryLimit());
    }

    /** Cut off, the address would lead elsewhere. */
    @Test
    void shouldRefuseANameThatLeavesNoRoomForTheAddress() {
        String host = ("a".repeat(30) + ".").repeat(5) + "example";
        assertThatThrownBy(() -> LinkConfig.of("n".repeat(100), settings(new Endpoint(host, 1), builder -> builder)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(host)
                .hasMessageContaining("length=");
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

    /** The clock is asked once the dial has found that the links are open. */
    @Test
    void shouldAnswerADialThatIsOnItsWayWhileSomebodyElseCloses() throws Exception {
        Node tm1 = new Node();
        Thread dialler = Thread.currentThread();
        AtomicBoolean isClosing = new AtomicBoolean();
        Clock clock = clock(() -> {
            if (Thread.currentThread() == dialler && isClosing.compareAndSet(true, false)) {
                tm1.links.close();
            }
        });
        tm1.links = Links.open(config("tm-1", builder -> builder.clock(clock)), tm1::accept);
        nodes.add(tm1);
        isClosing.set(true);
        CompletionStage<PeerLink> late = tm1.links.dial(tm1.links.address(), tm1::accept);
        await("an answer", late.toCompletableFuture()::isDone);
        assertThat(failure(late)).hasMessageContaining("closed");
    }

    private static Clock clock(Runnable whenAsked) {
        Clock system = Clock.system();
        return new Clock() {
            @Override
            public long nanoTime() {
                whenAsked.run();
                return system.nanoTime();
            }

            @Override
            public long epochMs() {
                return system.epochMs();
            }
        };
    }

    @Test
    void shouldAnswerEveryDialWhenTheGreetThreadFails(@TempDir Path directory) throws Exception {
        Path trigger = directory.resolve("fail");
        System.setProperty("hawser.test.fault", "greet:java.lang.OutOfMemoryError@" + trigger);
        Node tm1;
        try {
            tm1 = node("tm-1");
        } finally {
            System.clearProperty("hawser.test.fault");
        }
        Node tm2 = node("tm-2");
        made(tm1.links.dial(tm2.links.address(), tm1::accept));
        CompletionStage<PeerLink> pending =
                tm1.links.dial(LoopbackMeshes.freeEndpoints(1).get(0), tm1::accept);
        Files.createFile(trigger);
        assertThat(failure(pending)).hasMessageContaining("OutOfMemoryError");
        assertThat(tm1.receiver(0).awaitEnded().orElseThrow().kind()).isEqualTo(CauseKind.THREAD_FAILED);
        assertThat(failure(tm1.links.dial(tm2.links.address(), tm1::accept)).isFinal())
                .isTrue();
    }

    /** It is not told to be patient, and the dial before it has the only place. */
    @Test
    void shouldGoOnWhenSomebodyDialsAgainAsSoonAsADialHasFailed() throws Exception {
        Node tm1 = node(config("tm-1", builder -> builder).withLinkLimit(1));
        Node tm2 = node("tm-2");
        CompletionStage<PeerLink> first = tm1.links.dial(tm2.links.address(), tm1::accept);
        CompletableFuture<PeerLink> next = new CompletableFuture<>();
        dialAgainAndAgain(tm1, tm2.links.address(), next);
        made(first).close();
        assertThat(made(next).isDialled()).isTrue();
    }

    private static void dialAgainAndAgain(Node from, Endpoint to, CompletableFuture<PeerLink> made) {
        from.links.dial(to, from::accept).whenComplete((link, failure) -> {
            if (link != null) {
                made.complete(link);
            } else if (!((LinkException) failure).isFinal()) {
                dialAgainAndAgain(from, to, made);
            }
        });
    }

    /** Its place is taken by the link that it is about to become. */
    @Test
    void shouldCountADialOnceWhileItWaitsForReady() throws Exception {
        Node tm1 = node(config("tm-1", builder -> builder).withLinkLimit(2));
        CountDownLatch canSpeak = new CountDownLatch(1);
        ThreadFactory reluctant = body -> new Thread(() -> {
            if (Thread.currentThread().getName().contains("-send-to-")) {
                awaitQuietly(canSpeak);
            }
            body.run();
        });
        Node slow = node(config("slow", builder -> builder.threadFactory(reluctant)));
        Node tm2 = node("tm-2");
        try {
            CompletionStage<PeerLink> pending = tm1.links.dial(slow.links.address(), tm1::accept);
            await(
                    "the HELLO of the slow one",
                    () -> !LoopbackMeshes.threadsNamed("hawser-" + CLUSTER + "-tm-1-link-0-")
                            .isEmpty());
            made(tm1.links.dial(tm2.links.address(), tm1::accept));
            canSpeak.countDown();
            assertThat(made(pending).peer().name()).isEqualTo("slow");
        } finally {
            canSpeak.countDown();
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
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
