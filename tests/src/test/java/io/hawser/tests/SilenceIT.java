package io.hawser.tests;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.allocator.Channel;
import io.hawser.allocator.Cluster;
import io.hawser.allocator.Codecs;
import io.hawser.allocator.Outcomes;
import io.hawser.fate.Cause;
import io.hawser.fate.CauseKind;
import io.hawser.fate.Clock;
import io.hawser.testkit.Cut;
import io.hawser.testkit.Deadline;
import io.hawser.testkit.FaultProxy;
import io.hawser.testkit.FreePorts;
import io.hawser.testkit.Nursery;
import io.hawser.testkit.Signal;
import io.hawser.tests.harness.ChildCluster;
import io.hawser.tests.harness.Joined;
import io.hawser.tests.harness.Pause;
import io.hawser.transport.ClusterConfigBuilder;
import io.hawser.transport.Endpoint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * L3 and cases 46, 48, 49, 50, 53, 55, 56, 57, 58, 59, 60, 62, 74, 83: silence is noticed after the configured time, neither much later nor earlier,
 * whatever the kernel thinks of the connection.
 */
@Timeout(value = 100, unit = TimeUnit.SECONDS)
class SilenceIT {
    private static final Duration HEARTBEAT = Duration.ofMillis(100);
    private static final Duration SILENCE = Duration.ofMillis(1_200);
    private static final long SLACK_MS = 1_000;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @RegisterExtension
    final Nursery nursery = Nursery.forEachTest();

    private final List<Integer> ports = FreePorts.take(3);
    private final List<Member> members = new ArrayList<>();
    private final List<FaultProxy> proxies = new ArrayList<>();

    @AfterEach
    void close() {
        members.forEach(Member::close);
        proxies.forEach(FaultProxy::close);
        Member.assertNoThreads();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldEndAfterTimeoutWhenLinkIsABlackHoleCase49(final boolean isBusy) throws Exception {
        final FaultProxy proxy = proxyBefore(0);
        form(2, proxy, isBusy);
        if (isBusy) {
            awaitFlow(proxy);
        }
        final long startNs = System.nanoTime();
        proxy.blackHole();
        for (int process = 0; process < 2; process++) {
            final Cause cause = joined(process);
            assertThat(cause.kind()).isEqualTo(CauseKind.PEER_SILENT);
            assertThat(cause.subjectProcess()).isEqualTo(1 - process);
            assertThat(cause.observerProcess()).isEqualTo(process);
        }
        assertTook(startNs, SILENCE, SILENCE.plus(HEARTBEAT));
        // case 60: listener, port and process are good for the next generation
        proxies.forEach(FaultProxy::close);
        members.clear();
        members.add(Member.start(config(0, 2).generation(2)));
        members.add(Member.start(config(1, 2).generation(2)));
        for (final Member member : members) {
            assertThat(member.formed().generation()).isEqualTo(2);
        }
    }

    @Test
    void shouldNameSettingAndMeasuredSilenceCases46And83() throws Exception {
        final FaultProxy proxy = proxyBefore(0);
        form(2, proxy, false);
        proxy.blackHole();
        final Cause cause = joined(0);
        assertThat(cause.elapsedNs())
                .isBetween(SILENCE.toNanos(), SILENCE.plus(HEARTBEAT).toNanos() + SLACK_MS * 1_000_000);
        assertThat(cause.describe())
                .contains("process 1")
                .contains("fell silent for 1.")
                .contains("silenceTimeout")
                .contains("1200");
        System.out.println("silence reads: " + cause.describe());
    }

    @Test
    void shouldSendHeartbeatsBothWaysWhenIdleCase50() throws Exception {
        final FaultProxy proxy = proxyBefore(0);
        form(2, proxy, false);
        final long there = proxy.toTarget().passedBytes();
        final long back = proxy.toDialler().passedBytes();
        final long startNs = System.nanoTime();
        final int heartbeats = 8;
        Deadline.await(
                PATIENCE,
                "heartbeats",
                () -> proxy.toTarget().passedBytes() >= there + heartbeats * 96L
                        && proxy.toDialler().passedBytes() >= back + heartbeats * 96L);
        assertThat(System.nanoTime() - startNs)
                .isBetween(
                        HEARTBEAT.multipliedBy(heartbeats - 1L).toNanos(),
                        HEARTBEAT.multipliedBy(heartbeats * 3L).toNanos());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldEndBothWhenOneDirectionIsCutCase57(final boolean isToTargetCut) throws Exception {
        final FaultProxy proxy = proxyBefore(0);
        form(2, proxy, false);
        final long startNs = System.nanoTime();
        // process 1 dials process 0; who hears nothing is deaf
        (isToTargetCut ? proxy.toTarget() : proxy.toDialler()).swallow();
        final int deaf = isToTargetCut ? 0 : 1;
        final Cause cause = joined(deaf);
        assertThat(cause.kind()).isEqualTo(CauseKind.PEER_SILENT);
        assertThat(cause.subjectProcess()).isEqualTo(1 - deaf);
        final Cause other = joined(1 - deaf);
        assertTook(startNs, SILENCE, SILENCE.multipliedBy(2));
        assertThat(other.sameEvent(cause))
                .as("one event: %s and %s", cause, other)
                .isTrue();
    }

    @Test
    void shouldReachOneVerdictOnAllWhenOneLinkOfThreeIsCutCase58() throws Exception {
        final FaultProxy proxy = proxyBefore(0);
        form(3, proxy, false);
        final long startNs = System.nanoTime();
        proxy.blackHole();
        final List<Cause> causes = List.of(joined(0), joined(1), joined(2));
        assertTook(startNs, SILENCE, SILENCE.plus(HEARTBEAT));
        final Cause first = causes.get(0);
        assertThat(first.kind()).isEqualTo(CauseKind.PEER_SILENT);
        assertThat(List.of(first.subjectProcess(), first.observerProcess())).containsExactlyInAnyOrder(0, 1);
        assertThat(causes).allMatch(first::sameEvent, "tells of " + first.describe());
    }

    @Test
    void shouldNotDieWhenLinkIsSlowAndFullCases52And55() throws Exception {
        final FaultProxy proxy = proxyBefore(0);
        proxy.toDialler().trickle(4_096, Duration.ofMillis(2));
        form(2, proxy, true);
        awaitFlow(proxy);
        final long startNs = System.nanoTime();
        Deadline.await(PATIENCE, "three time-outs", () -> System.nanoTime() - startNs > 3 * SILENCE.toNanos());
        for (final Member member : members) {
            assertThat(member.formed().health().isLost()).isFalse();
        }
    }

    @Test
    void shouldNotDieWhenWorkerDoesNotPullForLongCase55() throws Exception {
        final int messages = 500;
        for (int process = 0; process < 2; process++) {
            members.add(Member.start(config(process, 2).build(), worker -> {
                final Channel<byte[]> channel = worker.allocate(0, Codecs.bytes());
                if (worker.index() == 0) {
                    for (int i = 0; i < messages; i++) {
                        channel.pusher(1).push(new byte[20_000]);
                    }
                    return 0L;
                }
                Pause.of(SILENCE.multipliedBy(3));
                long count = 0;
                while (count < messages) {
                    worker.park();
                    count += channel.puller().pull() == null ? 0 : 1;
                }
                return count;
            }));
        }
        for (final Member member : members) {
            assertThat(member.joined().isClean()).as("%s", member.joined()).isTrue();
        }
    }

    /** However often a peer says that it lives, that is no offence. */
    @Test
    void shouldNotMindManyHeartbeatsCase62() throws Exception {
        for (int process = 0; process < 2; process++) {
            members.add(Member.start(
                    config(process, 2).heartbeatInterval(Duration.ofMillis(1)).silenceTimeout(Duration.ofSeconds(5))));
        }
        final Cluster<Long> zero = members.get(0).formed();
        members.get(1).formed();
        Deadline.await(PATIENCE, "thousands of heartbeats", () -> zero.stats(1).bytesIn() > 2_000 * 96L);
        for (final Member member : members) {
            assertThat(member.formed().health().isLost()).isFalse();
        }
    }

    /** Case 56, too: the send thread to the stuck peer waits in its socket, and it is judged all the same. */
    @Test
    void shouldNoticeOneStuckPeerAndServeOthersCase53() throws Exception {
        final FaultProxy proxy = proxyBefore(0);
        form(3, proxy, true);
        awaitFlow(proxy);
        final long startNs = System.nanoTime();
        proxy.blackHole();
        for (int process = 0; process < 3; process++) {
            final Cause cause = joined(process);
            assertThat(cause.kind()).isEqualTo(CauseKind.PEER_SILENT);
            assertThat(cause.subjectProcess())
                    .as("process 2 was never late: %s", cause)
                    .isNotEqualTo(2);
        }
        assertTook(startNs, SILENCE, SILENCE.plus(HEARTBEAT));
    }

    @Test
    void shouldNotNoticeWhenWallClockJumpsCase59() throws Exception {
        final AtomicLong offsetMs = new AtomicLong();
        final Clock jumping = new Clock() {
            @Override
            public long nanoTime() {
                return Clock.system().nanoTime();
            }

            @Override
            public long epochMs() {
                return Clock.system().epochMs() + offsetMs.get();
            }
        };
        for (int process = 0; process < 2; process++) {
            members.add(Member.start(config(process, 2).clock(jumping)));
        }
        for (final Member member : members) {
            member.formed();
        }
        for (final long hours : new long[] {1, -1, 1_000, -1_000}) {
            offsetMs.set(TimeUnit.HOURS.toMillis(hours));
            final long startNs = System.nanoTime();
            Deadline.await(PATIENCE, "a time-out", () -> System.nanoTime() - startNs > SILENCE.toNanos() / 2);
        }
        for (final Member member : members) {
            assertThat(member.formed().health().isLost()).isFalse();
        }
    }

    /** Case G7: the lid of the laptop was closed; that the others have given it up since is not their failure. */
    @Test
    void shouldBlameItsOwnSleepForLinksThatHaveEndedMeanwhile() throws Exception {
        final AtomicLong sleptNs = new AtomicLong();
        final Clock sleeping = new Clock() {
            @Override
            public long nanoTime() {
                return Clock.system().nanoTime();
            }

            @Override
            public long epochMs() {
                return Clock.system().epochMs();
            }

            @Override
            public long sleptNs() {
                return sleptNs.get();
            }
        };
        final FaultProxy proxy = proxyBefore(0);
        members.add(Member.start(config(0, 2)));
        members.add(Member.start(config(1, 2).clock(sleeping).address(0, new Endpoint("127.0.0.1", proxy.port()))));
        for (final Member member : members) {
            member.formed();
        }
        final Cluster<Long> sleeper = members.get(1).formed();
        Deadline.await(
                PATIENCE, "a second of heartbeats", () -> sleeper.stats(0).bytesIn() > 15 * 96L);
        sleptNs.set(TimeUnit.HOURS.toNanos(8));
        proxy.cut(Cut.RST);
        final Cause cause = joined(1);
        assertThat(cause.kind()).isEqualTo(CauseKind.PROCESS_SUSPENDED);
        assertThat(cause.subjectProcess()).isEqualTo(1);
        assertThat(cause.elapsedNs()).isEqualTo(TimeUnit.HOURS.toNanos(8));
    }

    @Test
    void shouldSurvivePausesShorterThanTimeoutAndDieOnceOfALongerOneCase48() {
        final ChildCluster cluster =
                new ChildCluster(nursery, 3, 1).set("heartbeatMs", 100).set("silenceMs", 2_000);
        cluster.launchMissing();
        final ChildCluster.Run run = cluster.newRun();
        cluster.all().forEach(process -> run.start(process, "rounds", "pauseMicros", 1_000));
        run.awaitAtWork(cluster.all());
        for (int pause = 0; pause < 4; pause++) {
            freezeFor(cluster, Duration.ofMillis(1_000));
            final long counted = cluster.inspect(0, false).number("counted");
            Deadline.await(
                    PATIENCE, "the job goes on", () -> cluster.inspect(0, false).number("counted") > counted + 10);
        }
        freezeFor(cluster, Duration.ofMillis(3_500));
        final Joined joined = new Joined(run.joined(cluster.allBut(1), PATIENCE));
        joined.assertCause("PEER_SILENT", 1).assertNothingLeft();
        run.joined(1, PATIENCE);
        for (final int process : cluster.allBut(1)) {
            assertThat(cluster.child(process).errorLines().stream().filter(line -> line.contains(" WARN ")))
                    .as("one line for one failure")
                    .hasSize(1);
        }
    }

    private static void freezeFor(final ChildCluster cluster, final Duration time) {
        cluster.child(1).signal(Signal.STOP);
        Pause.of(time);
        cluster.child(1).signal(Signal.CONT);
    }

    /** Between process 1 and process 0. */
    private FaultProxy proxyBefore(final int process) {
        final FaultProxy proxy = FaultProxy.to(ports.get(process));
        proxies.add(proxy);
        return proxy;
    }

    private ClusterConfigBuilder config(final int index, final int count) {
        return Member.config(index, ports.subList(0, count))
                .heartbeatInterval(HEARTBEAT)
                .silenceTimeout(SILENCE)
                .abortTimeout(Duration.ofMillis(500));
    }

    private void form(final int count, final FaultProxy before0, final boolean isBusy) throws Exception {
        for (int process = 0; process < count; process++) {
            final ClusterConfigBuilder config = config(process, count);
            if (process == 1) {
                config.address(0, new Endpoint("127.0.0.1", before0.port()));
            }
            members.add(isBusy ? Member.start(config.build(), Flood::run) : Member.start(config));
        }
        for (final Member member : members) {
            member.formed();
        }
    }

    private static void awaitFlow(final FaultProxy proxy) {
        Deadline.await(
                PATIENCE,
                "data both ways",
                () -> proxy.toTarget().passedBytes() > 1 << 18
                        && proxy.toDialler().passedBytes() > 1 << 18);
    }

    private Cause joined(final int process) throws Exception {
        final Outcomes<Long> outcomes = members.get(process).joined();
        assertThat(outcomes.isClean()).isFalse();
        assertThat(outcomes.perWorker()).allMatch(outcome -> outcome.isFailed());
        return outcomes.cause();
    }

    private static void assertTook(final long startNs, final Duration least, final Duration most) {
        final long tookMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs);
        System.out.println("silence noticed, joined after ms: " + tookMs);
        // a heartbeat may have come just before the cut; after the loss join may take the abort time-out
        assertThat(tookMs).isBetween(least.minus(HEARTBEAT).toMillis(), most.toMillis() + 500 + SLACK_MS);
    }
}
