package io.hawser.tests;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hawser.allocator.Channel;
import io.hawser.allocator.Cluster;
import io.hawser.allocator.Codecs;
import io.hawser.allocator.Outcomes;
import io.hawser.fate.CauseKind;
import io.hawser.framing.RefuseReason;
import io.hawser.testkit.Deadline;
import io.hawser.testkit.FaultProxy;
import io.hawser.testkit.FreePorts;
import io.hawser.tests.harness.Pause;
import io.hawser.tests.harness.RawFrame;
import io.hawser.tests.harness.RawHello;
import io.hawser.tests.harness.RawPeer;
import io.hawser.tests.harness.Strangers;
import io.hawser.transport.ClusterConfig;
import io.hawser.transport.ClusterConfigBuilder;
import io.hawser.transport.Endpoint;
import io.hawser.transport.FormationException;
import io.hawser.transport.FormationReport;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Forming a cluster, and failing to: L4, L5 and section A of the cases, as far as no process has to be killed for it. */
class FormationIT {
    private static final Duration SHORT = Duration.ofMillis(1_500);
    private static final long SLACK_MS = 1_500;

    private final List<Integer> ports = FreePorts.take(3);
    private final List<Member> members = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (final Member member : members) {
            member.close();
        }
        Member.assertNoThreads();
    }

    @Test
    void shouldListEveryPeerAtDeadlineWhenOneIsMissingCase1() throws Exception {
        final long startNs = System.nanoTime();
        final Member first = start(config(0, 3).formationTimeout(SHORT));
        final Member second = start(config(1, 3).formationTimeout(SHORT.multipliedBy(2)));
        final FormationException failed = first.failed();
        assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs))
                .isBetween(SHORT.toMillis() - 100, SHORT.toMillis() + SLACK_MS);
        assertThat(failed.isFinal()).isFalse();
        assertThat(failed.report().peers())
                .extracting(FormationReport.Peer::process)
                .containsExactly(1, 2);
        assertThat(peer(failed, 1).state()).contains("connected").doesNotContain("not connected");
        assertThat(peer(failed, 2).state()).contains("not connected");
        assertThat(failed).hasMessageContaining("127.0.0.1:" + ports.get(2));
        assertThat(second.failed().report().peers()).hasSize(2);
        Member.assertNoThreads();
        assertThat(ports).allMatch(FreePorts::isFree);
        formAll(config(0, 3), config(1, 3), config(2, 3));
    }

    @Test
    void shouldNameRefusingPeersWhenAloneCase1() throws Exception {
        final FormationException failed =
                start(config(2, 3).formationTimeout(SHORT)).failed();
        for (int process = 0; process < 2; process++) {
            assertThat(peer(failed, process).lastError()).contains("refused");
            assertThat(peer(failed, process).attempts()).isBetween(3, 100);
        }
    }

    @Test
    void shouldFailClearlyWhenPortIsHeldCase4() throws Exception {
        try (ServerSocket holder = new ServerSocket(ports.get(0), 1, InetAddress.getLoopbackAddress())) {
            assertThat(holder.isBound()).isTrue();
            final FormationException failed =
                    start(config(0, 2).formationTimeout(SHORT)).failed();
            assertThat(failed).hasMessageContaining("127.0.0.1:" + ports.get(0)).hasMessageContaining("held");
            assertThat(failed.isFinal()).isFalse();
        }
    }

    @Test
    void shouldFormWhenHeldPortIsReleasedInTimeCase3() throws Exception {
        final Member first;
        try (ServerSocket holder = new ServerSocket(ports.get(0), 1, InetAddress.getLoopbackAddress())) {
            assertThat(holder.isBound()).isTrue();
            first = start(config(0, 2));
            start(config(1, 2));
            Deadline.await(SHORT, "somebody knocking", () -> accepts(holder));
            assertThat(first.isDone()).isFalse();
        }
        assertAllFormed(2);
    }

    @ParameterizedTest
    @CsvSource({
        "RFB 003.008, false, RFB",
        "'', true, closed",
        "'HTTP/1.0 400 Bad Request\r\n\r\n', true, HTTP",
        "'SSH-2.0-x\r\n', false, SSH"
    })
    void shouldSayWhoAnsweredWhenPortIsSomebodyElsesCases6And8(
            final String greeting, final boolean isClosing, final String named) throws Exception {
        try (FakeService service = new FakeService(ports.get(0), greeting.getBytes(US_ASCII), isClosing)) {
            final FormationException failed =
                    start(config(1, 2).formationTimeout(SHORT)).failed();
            assertThat(peer(failed, 0).lastError()).contains(named);
            assertThat(service.count()).as("dials").isBetween(2, 100);
            assertThat(failed).hasMessageNotContaining("Exception");
        }
    }

    @Test
    void shouldSayThatNobodyAnsweredWhenServiceIsSilentCase6() throws Exception {
        try (FakeService service = new FakeService(ports.get(0), new byte[0], false)) {
            final FormationException failed = start(
                            config(1, 2).formationTimeout(Duration.ofSeconds(2)).helloTimeout(Duration.ofMillis(500)))
                    .failed();
            assertThat(peer(failed, 0).lastError()).isNotEmpty();
            System.out.println("silent service: " + peer(failed, 0).lastError());
            assertThat(service.count()).as("dials").isBetween(2, 10);
        }
    }

    @Test
    void shouldFormWhenProxyAcceptedForPeerThatWasNotThereCase16() throws Exception {
        try (FaultProxy proxy = FaultProxy.to(ports.get(0))) {
            proxy.onAccept(FaultProxy.OnAccept.CLOSE);
            final Member second = start(config(1, 2).address(0, new Endpoint("127.0.0.1", proxy.port())));
            Deadline.await(Member.PATIENCE, "five dials", () -> proxy.acceptedCount() >= 5);
            assertThat(second.isDone()).isFalse();
            proxy.onAccept(FaultProxy.OnAccept.RESET);
            final int before = proxy.acceptedCount();
            Deadline.await(Member.PATIENCE, "two more dials", () -> proxy.acceptedCount() >= before + 2);
            start(config(0, 2));
            proxy.onAccept(FaultProxy.OnAccept.FORWARD);
            assertAllFormed(2);
        }
    }

    @Test
    void shouldNameBothSidesWhenAddressesAreSwappedCase17() throws Exception {
        start(config(0, 3).formationTimeout(SHORT));
        start(config(1, 3).formationTimeout(SHORT));
        final FormationException failed = start(config(2, 3)
                        .formationTimeout(SHORT)
                        .address(0, endpoint(1))
                        .address(1, endpoint(0)))
                .failed();
        assertThat(peer(failed, 0).lastError()).contains("process 0").contains("process 1");
        assertThat(peer(failed, 1).lastError()).contains("process 0").contains("process 1");
    }

    @Test
    void shouldNoticeItselfWhenAddressLeadsBackCase17() throws Exception {
        final FormationException failed = start(
                        config(1, 2).formationTimeout(SHORT).address(0, new Endpoint("localhost", ports.get(1))))
                .failed();
        assertThat(peer(failed, 0).lastError()).contains("processIndex=1").contains("leads back");
    }

    @Test
    void shouldFormWhenBoundElsewhereThanDialledCase18() throws Exception {
        try (FaultProxy portMap = FaultProxy.to(ports.get(0))) {
            start(config(0, 3)
                    .address(0, new Endpoint("localhost", ports.get(0)))
                    .bindAddress(new Endpoint("0.0.0.0", ports.get(0))));
            start(config(1, 3).address(0, new Endpoint("localhost", ports.get(0))));
            start(config(2, 3).address(0, new Endpoint("127.0.0.1", portMap.port())));
            assertAllFormed(3);
        }
    }

    @Test
    void shouldFormOverIpv6Case19() throws Exception {
        assumeTrue(hasIpv6Loopback(), "no IPv6 on the loopback interface");
        for (int process = 0; process < 2; process++) {
            final ClusterConfigBuilder config = config(process, 2);
            config.address(0, Endpoint.parse("[::1]:" + ports.get(0)));
            config.address(1, Endpoint.parse("[::1]:" + ports.get(1)));
            start(config);
        }
        assertAllFormed(2);
    }

    @Test
    void shouldWriteIpv6InBracketsCase19() throws Exception {
        assumeTrue(hasIpv6Loopback(), "no IPv6 on the loopback interface");
        final FormationException failed = start(
                        config(1, 2).formationTimeout(SHORT).address(0, Endpoint.parse("[::1]:" + ports.get(0))))
                .failed();
        assertThat(failed).hasMessageContaining("[::1]:" + ports.get(0));
    }

    @Test
    void shouldReachOthersWhileOneDoesNotAnswerCase82() throws Exception {
        // a listener that never accepts and whose queue is full: further dials get no answer at all
        try (ServerSocket deaf = new ServerSocket(ports.get(0), 1, InetAddress.getLoopbackAddress());
                Strangers queue = new Strangers(ports.get(0))) {
            assertThat(deaf.isBound()).isTrue();
            queue.connectAndStay(2);
            start(config(1, 3));
            final FormationException failed =
                    start(config(2, 3).formationTimeout(SHORT)).failed();
            assertThat(peer(failed, 1).state()).startsWith("connected");
            assertThat(peer(failed, 0).state()).startsWith("not connected");
        }
    }

    @Test
    void shouldLoseNothingWhenDataComesLongBeforeChannelIsOpenedCase29() throws Exception {
        final int messages = 500;
        for (int process = 0; process < 2; process++) {
            members.add(Member.start(config(process, 2).build(), worker -> {
                if (worker.index() == 0) {
                    final Channel<Long> channel = worker.allocate(7, Codecs.int64());
                    for (long i = 0; i < messages; i++) {
                        channel.pusher(1).push(i);
                    }
                    return 0L;
                }
                Pause.of(Duration.ofMillis(500));
                final Channel<Long> channel = worker.allocate(7, Codecs.int64());
                for (long i = 0; i < messages; i++) {
                    Long number = channel.puller().pull();
                    while (number == null) {
                        worker.park();
                        number = channel.puller().pull();
                    }
                    assertThat(number).isEqualTo(i);
                }
                return (long) messages;
            }));
        }
        for (final Member member : members) {
            assertThat(member.joined().isClean()).as("%s", member.joined()).isTrue();
        }
    }

    @Test
    void shouldGoOnTryingWhenHostIsUnknownCase20() throws Exception {
        final FormationException failed = start(config(1, 2)
                        .formationTimeout(SHORT)
                        .address(0, new Endpoint("no-such-host.invalid", ports.get(0))))
                .failed();
        assertThat(failed.isFinal()).isFalse();
        assertThat(peer(failed, 0).lastError()).contains("no-such-host.invalid");
    }

    @Test
    void shouldRejectSecondHolderWhenFirstRunsCase21() throws Exception {
        formAll(config(0, 2), config(1, 2));
        final int elsewhere = FreePorts.next();
        final FormationException failed = start(config(1, 2).address(1, new Endpoint("127.0.0.1", elsewhere)))
                .failed();
        assertThat(failed.isFinal()).isTrue();
        assertThat(failed)
                .hasMessageContaining("processIndex=1")
                .hasMessageContaining("already held")
                .hasMessageContaining("127.0.0.1:" + ports.get(1))
                .hasMessageContaining("generation 1");
        assertThat(members.get(0).formed().health().isLost()).isFalse();
        assertThat(members.get(1).formed().health().isLost()).isFalse();
    }

    @Test
    void shouldLetOneWinOnAllWhenIndexIsTwiceWhileFormingCase21() throws Exception {
        final int elsewhere = FreePorts.next();
        start(config(0, 3));
        final Member one = start(config(1, 3));
        final Member other = start(config(1, 3).address(1, new Endpoint("127.0.0.1", elsewhere)));
        start(config(2, 3));
        Deadline.await(Member.PATIENCE, "both decided", () -> one.isDone() && other.isDone());
        // 2 dials the configured port, so the one who listens there is the only one who can be complete
        one.formed();
        assertThat(other.failed()).hasMessageContaining("already held");
        members.get(0).formed();
        members.get(3).formed();
    }

    /** 0 has heard of everybody and said READY, but 2 waits for the one at the listed address: without him nobody would ever start. */
    @Test
    void shouldLetTheListedOneWinAlsoWhenHeComesAfterReadyCase21() throws Exception {
        final int elsewhere = FreePorts.next();
        start(config(0, 3));
        final Member other = start(config(1, 3).address(1, new Endpoint("127.0.0.1", elsewhere)));
        start(config(2, 3));
        Pause.of(Duration.ofMillis(
                500)); // what is waited for, READY, cannot be seen from outside; too short only tests less
        final Member one = start(config(1, 3));
        one.formed();
        assertThat(other.failed()).hasMessageContaining("already held");
        assertThat(members.get(0).formed().generation()).isGreaterThan(1);
        members.get(2).formed();
    }

    @Test
    void shouldGiveUpAtOnceAndSayBothIdsWhenClusterIsAnotherCase22() throws Exception {
        final Member first = start(config(0, 2));
        final long startNs = System.nanoTime();
        final FormationException failed =
                start(config(1, 2).clusterId("another")).failed();
        assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs)).isLessThan(3_000);
        assertThat(failed.isFinal()).isTrue();
        assertThat(failed).hasMessageContaining("another").hasMessageContaining(Member.CLUSTER_ID);
        assertThat(first.isDone()).isFalse();
        start(config(1, 2));
        first.formed();
    }

    @ParameterizedTest
    @CsvSource({"workers", "heartbeat", "silence"})
    void shouldGiveUpAtOnceWhenSettingsDifferCase22(final String setting) throws Exception {
        start(config(0, 2));
        final ClusterConfigBuilder other = config(1, 2);
        switch (setting) {
            case "workers" -> other.workersPerProcess(2);
            case "heartbeat" -> other.heartbeatInterval(Duration.ofMillis(123));
            default -> other.silenceTimeout(Duration.ofMillis(9_999));
        }
        final FormationException failed = start(other).failed();
        assertThat(failed.isFinal()).isTrue();
        assertThat(failed).hasMessageContaining("differ");
    }

    /** Speaks of another version, or of more than version 1 knows; whether it is let in, or why not. */
    enum Newer {
        VERSIONS_2_TO_3(RefuseReason.VERSION, hello -> {
            hello.lowestVersion = 2;
            hello.highestVersion = 3;
        }),
        VERSION_0(RefuseReason.VERSION, hello -> {
            hello.lowestVersion = 0;
            hello.highestVersion = 0;
        }),
        VERSIONS_1_TO_7(null, hello -> hello.highestVersion = 7),
        ANNOUNCED_EXTENSION(null, hello -> hello.extension = new byte[24]),
        UNANNOUNCED_BYTES(RefuseReason.MALFORMED, hello -> hello.unannounced = new byte[8]),
        UNKNOWN_SETTING(RefuseReason.MALFORMED, hello -> hello.settings |= 1 << 5),
        UNKNOWN_MODE(RefuseReason.MALFORMED, hello -> hello.mode = 9);

        private final RefuseReason refusal;
        private final Consumer<RawHello> change;

        Newer(final RefuseReason refusal, final Consumer<RawHello> change) {
            this.refusal = refusal;
            this.change = change;
        }
    }

    @ParameterizedTest
    @EnumSource(Newer.class)
    void shouldAnswerReadablyWhenVersionOrFormatDiffersCase23(final Newer newer) throws Exception {
        final Member first = start(config(0, 2));
        final RawHello hello = Counterpart.hello(1);
        newer.change.accept(hello);
        try (RawPeer raw = RawPeer.dial(ports.get(0))) {
            raw.send(hello.frame());
            if (newer.refusal == null) {
                raw.await(RawFrame.HELLO);
            } else if (newer.refusal == RefuseReason.VERSION) {
                final RawFrame refusal = raw.next();
                assertThat(refusal.type()).isEqualTo(RawFrame.REFUSE);
                assertThat(refusal.payload().getInt(0)).isEqualTo(newer.refusal.number());
                assertThat(refusal.payload().getShort(4)).isEqualTo((short) 1);
                assertThat(refusal.payload().getShort(6)).isEqualTo((short) 1);
                assertThat(RawPeer.text(refusal)).contains("own=1").contains("peer=" + hello.lowestVersion);
            } else {
                assertThat(raw.isAnsweredByHello()).isFalse();
            }
        }
        assertThat(first.isDone()).isFalse();
        start(config(1, 2));
        assertAllFormed(2);
    }

    @Test
    void shouldTakeOverHigherGenerationWhenAttemptsDifferCase24() throws Exception {
        final Member first = start(config(0, 3).generation(5));
        final Member second = start(config(1, 3).generation(4));
        final Member third = start(config(2, 3));
        assertThat(List.of(
                        first.formed().generation(),
                        second.formed().generation(),
                        third.formed().generation()))
                .containsOnly(5L);
    }

    @Test
    void shouldFormExactlyOneLinkWhenBothStartAtOnceCase26() throws Exception {
        final CyclicBarrier barrier = new CyclicBarrier(2);
        for (int round = 1; round <= Soak.times(100, 10_000); round++) {
            final List<Member> pair = new ArrayList<>();
            for (int process = 0; process < 2; process++) {
                final ClusterConfig config =
                        config(process, 2).generation(round).build();
                pair.add(Member.start(config, worker -> {
                    barrier.await(10, TimeUnit.SECONDS);
                    return worker.generation();
                }));
            }
            for (final Member member : pair) {
                final Outcomes<Long> outcomes = member.joined();
                assertThat(outcomes.isClean())
                        .as("round %d: %s", round, outcomes)
                        .isTrue();
                member.close();
            }
        }
    }

    @Test
    void shouldFormWhenHelloReplyIsSlowCase30() throws Exception {
        try (FaultProxy proxy = FaultProxy.to(ports.get(0))) {
            proxy.toDialler().delay(Duration.ofMillis(900));
            start(config(0, 2).helloTimeout(Duration.ofMillis(600)));
            final Member second = start(config(1, 2)
                    .helloTimeout(Duration.ofMillis(600))
                    .address(0, new Endpoint("127.0.0.1", proxy.port())));
            Deadline.await(Member.PATIENCE, "a second dial", () -> proxy.acceptedCount() >= 2);
            assertThat(second.isDone()).isFalse();
            proxy.heal();
            assertAllFormed(2);
        }
    }

    @Test
    void shouldLeaveNothingWhenInterruptedWhileFormingCase99() throws Exception {
        final Member alone = start(config(0, 2));
        Deadline.await(Member.PATIENCE, "listening", () -> !FreePorts.isFree(ports.get(0)));
        alone.interrupt();
        assertThat(alone.thrown()).isInstanceOf(InterruptedException.class);
        Member.assertNoThreads();
        assertThat(FreePorts.isFree(ports.get(0))).isTrue();
    }

    @Test
    void shouldCloseFromAnyStateAndThreadTwiceCase99() throws Exception {
        formAll(config(0, 2), config(1, 2));
        final Cluster<Long> cluster = members.get(0).formed();
        final List<Thread> closing = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            final Thread thread = new Thread(cluster::close, "closes-" + i);
            thread.start();
            closing.add(thread);
        }
        for (final Thread thread : closing) {
            thread.join(Member.PATIENCE.toMillis());
            assertThat(thread.isAlive()).isFalse();
        }
        cluster.close();
        assertThat(members.get(0).joined().cause().kind()).isEqualTo(CauseKind.CLOSED_BY_USER);
        assertThat(members.get(1)
                        .joined()
                        .cause()
                        .sameEvent(members.get(0).joined().cause()))
                .isTrue();
    }

    private static boolean hasIpv6Loopback() {
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(new InetSocketAddress("::1", 0));
            return true;
        } catch (final IOException without) {
            return false;
        }
    }

    private ClusterConfigBuilder config(final int index, final int processCount) {
        return Member.config(index, ports.subList(0, processCount));
    }

    private Endpoint endpoint(final int process) {
        return new Endpoint("127.0.0.1", ports.get(process));
    }

    private Member start(final ClusterConfigBuilder config) {
        final Member member = Member.start(config);
        members.add(member);
        return member;
    }

    private void formAll(final ClusterConfigBuilder... configs) throws Exception {
        final int before = members.size();
        for (final ClusterConfigBuilder config : configs) {
            start(config);
        }
        for (final Member member : members.subList(before, members.size())) {
            member.formed();
        }
    }

    private void assertAllFormed(final int count) throws Exception {
        assertThat(members).hasSize(count);
        for (final Member member : members) {
            assertThat(member.formed().health().isLost()).isFalse();
        }
    }

    private static FormationReport.Peer peer(final FormationException failed, final int process) {
        return failed.report().peers().stream()
                .filter(peer -> peer.process() == process)
                .findFirst()
                .orElseThrow(() -> new AssertionError("no such peer in " + failed.getMessage()));
    }

    private static boolean accepts(final ServerSocket holder) {
        try {
            holder.setSoTimeout(10);
            holder.accept().close();
            return true;
        } catch (final IOException nobody) {
            return false;
        }
    }
}
