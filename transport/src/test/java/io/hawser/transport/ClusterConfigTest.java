package io.hawser.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class ClusterConfigTest {
    private static final Duration TINY = Duration.ofNanos(999);
    private static final Duration HUGE = Duration.ofDays(7).plusNanos(1);

    @Test
    void shouldHaveTheDocumentedDefaults() {
        final ClusterConfig config = ClusterConfig.builder().build();

        assertThat(config)
                .hasToString("ClusterConfig{clusterId=hawser processIndex=0 addresses=[] bindAddress=none"
                        + " workersPerProcess=1 directory=none generation=1 former=" + Former.NONE
                        + " formationTimeoutNs=30000000000 helloTimeoutNs=5000000000"
                        + " dialBackoffMinNs=5000000 dialBackoffMaxNs=500000000 heartbeatIntervalNs=500000000"
                        + " silenceTimeoutNs=10000000000 abortTimeoutNs=500000000 frameLimit=262144"
                        + " sendRingLength=1048576 slabLength=1048576 socketSendBufferLength=0 channelWindow=262144 channelLimit=64"
                        + " floatingWindow=67108864 channelWindowMax=16777216 memoryLimit=9223372036854775807 messageLimit=67108864 assemblyLimit=67108864"
                        + " spillDirectory=" + System.getProperty("java.io.tmpdir")
                        + " spillLimit=17179869184 standstillTimeoutNs=10000000000 stallTimeoutNs=10000000000 stallLimitNs=none reservationLimit=1024 reservationTimeoutNs=10000000000 payloadChecks=true unidentifiedLimit=256"
                        + " clock=" + config.clock() + " threadFactory=" + config.threadFactory() + " seed=none}");
    }

    @Test
    void shouldBeOneProcessWithoutAddressWhenLocal() {
        final ClusterConfig config = ClusterConfig.local(3);

        assertThat(config.processCount()).isEqualTo(1);
        assertThat(config.workerCount()).isEqualTo(3);
        assertThat(config.firstWorker(0)).isZero();
        assertThatThrownBy(config::bindAddress).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> config.firstWorker(1)).hasMessage("process=1 processCount=1");
    }

    @Test
    void shouldNumberWorkersAcrossProcesses() {
        final ClusterConfig config =
                cluster("a:1", "b:1", "c:1").workersPerProcess(4).build();

        assertThat(config.workerCount()).isEqualTo(12);
        assertThat(config.firstWorker(2)).isEqualTo(8);
    }

    @Test
    void shouldBindToItsOwnAddressUnlessToldOtherwise() {
        final ClusterConfig config = cluster("a:1", "b:2").processIndex(1).build();
        final Endpoint any = Endpoint.parse("0.0.0.0:7000");

        assertThat(config.bindAddress()).hasToString("b:2");
        assertThat(config.withAddress(1, Endpoint.parse("b:3")).bindAddress()).hasToString("b:3");
        assertThat(config.toBuilder().bindAddress(any).build().bindAddress()).isEqualTo(any);
    }

    @Test
    void shouldKeepEverythingElseWhenOneThingChanges() {
        final ClusterConfig config = everythingChanged();
        final ClusterConfig next = config.withGeneration(9);

        assertThat(next.generation()).isEqualTo(9);
        assertThat(next.withGeneration(config.generation())).hasToString(config.toString());
        assertThat(config.toBuilder().build()).hasToString(config.toString());
        assertThat(config.withAddress(0, Endpoint.parse("[::1]:9")).addresses()).hasToString("[[::1]:9, b:2]");
        assertThatThrownBy(() -> config.withAddress(2, Endpoint.parse("x:1")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("process=2");
    }

    @Test
    void shouldNotFollowTheCallersListOfAddresses() {
        final List<Endpoint> addresses = new ArrayList<>(List.of(Endpoint.parse("a:1")));
        final ClusterConfig config =
                ClusterConfig.builder().addresses(addresses).build();
        addresses.clear();

        assertThat(config.addresses()).hasSize(1);
        assertThatThrownBy(() -> config.addresses().clear()).isInstanceOf(UnsupportedOperationException.class);
    }

    @ParameterizedTest
    @MethodSource
    void shouldAcceptTheLimits(final String name, final UnaryOperator<ClusterConfigBuilder> change) {
        assertThat(change.apply(cluster("a:1", "b:2")).build()).isNotNull();
    }

    static Stream<Arguments> shouldAcceptTheLimits() {
        return Stream.of(
                accepted("longest id", b -> b.clusterId("ß".repeat(127) + "x")),
                accepted(
                        "most workers",
                        b -> b.workersPerProcess(4_096)
                                .channelWindow(4_096 + 512 * 4_096)
                                .channelWindowMax(1 << 22)
                                .channelLimit(1)),
                accepted(
                        "least frame",
                        b -> b.frameLimit(1_024).sendRingLength(2_048).slabLength(65_536)),
                accepted(
                        "largest frame",
                        b -> b.frameLimit(1 << 24).sendRingLength(1 << 25).slabLength(1 << 25)),
                accepted("least window", b -> b.channelWindow(4_096 + 512).channelWindowMax(4_096 + 512)),
                accepted("no floating credit", b -> b.floatingWindow(0)),
                accepted("no credit at all", b -> b.channelWindow(ClusterConfig.UNBOUNDED)),
                accepted("most channels", b -> b.channelLimit(1 << 20)),
                accepted("any message", b -> b.messageLimit(Long.MAX_VALUE)),
                accepted("least message", b -> b.messageLimit(1)),
                accepted("no spilling", b -> b.spillLimit(0)),
                accepted("largest memory", b -> b.sendRingLength(1 << 30).slabLength(1 << 30)),
                accepted(
                        "silence",
                        b -> b.heartbeatInterval(Duration.ofSeconds(1)).silenceTimeout(Duration.ofSeconds(3))),
                accepted("equal back-offs", b -> b.dialBackoffMin(Duration.ofMillis(500))),
                accepted("most processes", b -> b.addresses(many(65_536))));
    }

    @ParameterizedTest
    @MethodSource
    void shouldNameTheSettingsWhenOneIsOutOfRange(
            final UnaryOperator<ClusterConfigBuilder> change, final String[] named) {
        final ClusterConfigBuilder builder = change.apply(cluster("a:1", "b:2"));

        assertThatThrownBy(builder::build)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll(named);
    }

    static Stream<Arguments> shouldNameTheSettingsWhenOneIsOutOfRange() {
        return Stream.of(
                refused(b -> b.clusterId(""), "clusterId="),
                refused(b -> b.clusterId("ß".repeat(128)), "255", "clusterId=ß"),
                refused(b -> b.clusterId("a\nb"), "control", "clusterId="),
                refused(b -> b.clusterId("\ud800"), "clusterId="),
                refused(b -> b.processIndex(-1), "processIndex=-1", "addresses=[a:1, b:2]"),
                refused(b -> b.processIndex(2), "processIndex=2", "addresses=[a:1, b:2]"),
                refused(b -> b.addresses(List.of()).processIndex(1), "processIndex=1", "addresses=[]"),
                refused(b -> b.addresses(endpoints("a:1", "A:1")), "process=0", "process=1", "address=A:1"),
                refused(b -> b.addresses(endpoints("a:1", "[::]:1")), "bindAddress", "process=1", "address=[::]:1"),
                refused(
                        b -> b.addresses(List.of()).bindAddress(Endpoint.parse("a:1")),
                        "bindAddress=a:1",
                        "addresses=[]"),
                refused(b -> b.workersPerProcess(0), "workersPerProcess=0"),
                refused(b -> b.workersPerProcess(4_097), "workersPerProcess=4097"),
                refused(
                        b -> b.addresses(many(65)).workersPerProcess(1_024),
                        "65,536",
                        "workersPerProcess=1024",
                        "processCount=65"),
                refused(b -> b.generation(0), "generation=0"),
                refused(b -> b.formationTimeout(HUGE), "formationTimeoutNs=604800000000001"),
                refused(b -> b.formationTimeout(Duration.ofDays(1_000_000)), "formationTimeoutNs="),
                refused(b -> b.formationTimeout(Duration.ofDays(-1_000_000)), "formationTimeoutNs=-"),
                refused(b -> b.helloTimeout(TINY), "helloTimeoutNs=999"),
                refused(b -> b.dialBackoffMin(TINY), "dialBackoffMinNs=999"),
                refused(b -> b.dialBackoffMax(HUGE), "dialBackoffMaxNs="),
                refused(
                        b -> b.dialBackoffMin(Duration.ofMillis(501)),
                        "dialBackoffMaxNs=500000000",
                        "dialBackoffMinNs=501000000"),
                refused(b -> b.heartbeatInterval(TINY), "heartbeatIntervalNs=999"),
                refused(b -> b.silenceTimeout(HUGE), "silenceTimeoutNs="),
                refused(
                        b -> b.silenceTimeout(Duration.ofMillis(1_499)),
                        "3 ×",
                        "silenceTimeoutNs=1499000000",
                        "heartbeatIntervalNs=500000000"),
                refused(b -> b.abortTimeout(TINY), "abortTimeoutNs=999"),
                refused(
                        b -> b.abortTimeout(Duration.ofSeconds(11)),
                        "abortTimeoutNs=11000000000",
                        "silenceTimeoutNs=10000000000"),
                refused(b -> b.frameLimit(1_016), "frameLimit=1016"),
                refused(b -> b.frameLimit((1 << 24) + 8), "frameLimit=16777224"),
                refused(b -> b.frameLimit(1_028), "multiple of 8", "frameLimit=1028"),
                refused(b -> b.sendRingLength(262_144), "2 ×", "sendRingLength=262144", "frameLimit=262144"),
                refused(b -> b.sendRingLength(1_000_000), "power of two", "sendRingLength=1000000"),
                refused(b -> b.sendRingLength(Integer.MIN_VALUE), "sendRingLength=-2147483648"),
                refused(b -> b.slabLength(524_280), "2 ×", "slabLength=524280", "frameLimit=262144"),
                refused(b -> b.frameLimit(1_024).slabLength(32_768), "slabLength=32768"),
                refused(b -> b.slabLength(1_000_004), "multiple of 8", "slabLength=1000004"),
                refused(b -> b.slabLength(Integer.MAX_VALUE - 7), "slabLength=2147483640"),
                refused(b -> b.channelWindow(4_088), "channelWindow=4088"),
                refused(b -> b.channelWindow((1L << 30) + 8).channelWindowMax(1L << 40), "channelWindow=1073741832"),
                refused(b -> b.channelWindow(8_196), "multiple of 8", "channelWindow=8196"),
                refused(
                        b -> b.workersPerProcess(10).channelWindow(4_096 + 5_120 - 8),
                        "for each worker",
                        "channelWindow=9208",
                        "workersPerProcess=10"),
                refused(
                        b -> b.channelWindowMax(32_760),
                        "must not be below",
                        "channelWindowMax=32760",
                        "channelWindow=262144"),
                refused(b -> b.channelLimit(0), "channelLimit=0"),
                refused(b -> b.channelLimit((1 << 20) + 1), "channelLimit=1048577"),
                refused(
                        b -> b.channelLimit(1 << 20).workersPerProcess(40).channelWindow(1 << 20),
                        "2^50",
                        "channelWindow=1048576",
                        "channelLimit=1048576",
                        "workersPerProcess=40"),
                refused(b -> b.floatingWindow(-1), "floatingWindow=-1"),
                refused(b -> b.floatingWindow((1L << 50) + 1), "floatingWindow=1125899906842625"),
                refused(
                        b -> b.memoryLimit(1 << 20),
                        "memoryLimit=1048576",
                        "directMemoryLimit=",
                        "linkWindow=",
                        "floatingWindow="),
                refused(b -> b.messageLimit(0), "messageLimit=0"),
                refused(b -> b.assemblyLimit(262_143), "assemblyLimit=262143", "frameLimit=262144"),
                refused(b -> b.spillLimit(-1), "spillLimit=-1"),
                refused(b -> b.standstillTimeout(TINY), "standstillTimeoutNs=999"),
                refused(b -> b.reservationTimeout(TINY), "reservationTimeoutNs=999"),
                refused(b -> b.reservationLimit(0), "reservationLimit=0"),
                refused(b -> b.unidentifiedLimit(0), "unidentifiedLimit=0"),
                refused(b -> b.unidentifiedLimit(65_537), "unidentifiedLimit=65537"));
    }

    /** One for each pair of workers, and one to all of a process. */
    @ParameterizedTest
    @CsvSource({"1, 1, 262144", "2, 3, 1572864", "10, 11, 28835840"})
    void shouldDeriveTheLinkWindowFromChannelsAndWorkers(int workers, int lanes, long forOneChannel) {
        final ClusterConfig config =
                cluster("a:1", "b:2").workersPerProcess(workers).channelLimit(4).build();
        assertThat(config.lanesPerWorker()).isEqualTo(lanes);
        assertThat(config.linkWindow()).isEqualTo(4 * forOneChannel);
        assertThat(config.receiveMemoryLimit())
                .isEqualTo((1 + workers) * (10L * config.slabLength() + 8L * config.frameLimit())
                        + (3 + 2) * config.linkWindow()
                        + 2 * (64L << 20));
    }

    @Test
    void shouldBoundNothingWithoutWindows() {
        final ClusterConfig config =
                cluster("a:1", "b:2").channelWindow(ClusterConfig.UNBOUNDED).build();
        assertThat(config.linkWindow()).isEqualTo(ClusterConfig.UNBOUNDED);
        assertThat(config.receiveMemoryLimit()).isEqualTo(ClusterConfig.UNBOUNDED);
    }

    private static ClusterConfig everythingChanged() {
        return cluster("a:1", "b:2")
                .clusterId("other")
                .processIndex(1)
                .bindAddress(Endpoint.parse("[::]:7"))
                .workersPerProcess(2)
                .generation(5)
                .formationTimeout(Duration.ofSeconds(1))
                .helloTimeout(Duration.ofSeconds(2))
                .dialBackoffMin(Duration.ofMillis(3))
                .dialBackoffMax(Duration.ofMillis(4))
                .heartbeatInterval(Duration.ofMillis(5))
                .silenceTimeout(Duration.ofMillis(60))
                .abortTimeout(Duration.ofMillis(7))
                .frameLimit(2_048)
                .sendRingLength(8_192)
                .slabLength(72_000)
                .channelWindow(8_192)
                .channelLimit(3)
                .floatingWindow(77)
                .channelWindowMax(9_000)
                .messageLimit(5_000)
                .assemblyLimit(4_000)
                .spillDirectory(Path.of("elsewhere"))
                .spillLimit(6_000)
                .standstillTimeout(Duration.ofMillis(8))
                .reservationLimit(9)
                .reservationTimeout(Duration.ofMillis(10))
                .payloadChecks(false)
                .unidentifiedLimit(8)
                .threadFactory(Thread::new)
                .seed(-9)
                .build();
    }

    private static ClusterConfigBuilder cluster(final String... addresses) {
        return ClusterConfig.builder().addresses(endpoints(addresses));
    }

    private static List<Endpoint> endpoints(final String... addresses) {
        return Arrays.stream(addresses).map(Endpoint::parse).toList();
    }

    private static List<Endpoint> many(final int count) {
        final List<Endpoint> addresses = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            addresses.add(new Endpoint("node-" + i, 7000));
        }
        return addresses;
    }

    private static Arguments accepted(final String name, final UnaryOperator<ClusterConfigBuilder> change) {
        return Arguments.of(name, change);
    }

    private static Arguments refused(final UnaryOperator<ClusterConfigBuilder> change, final String... named) {
        return Arguments.of(change, named);
    }
}
