package io.hawser.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.allocator.Cluster;
import io.hawser.allocator.Outcomes;
import io.hawser.transport.ClusterConfig;
import io.hawser.transport.Endpoint;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ProcessClusterTest {
    @RegisterExtension
    final Nursery nursery = Nursery.forEachTest();

    private final ProcessCluster cluster = new ProcessCluster(
            nursery,
            2,
            Engine.class.getName(),
            (process, addresses) -> List.of(Integer.toString(process), ProcessCluster.join(addresses)));

    @AfterEach
    void close() {
        cluster.close();
    }

    @Test
    void shouldTellCauseToSurvivorAndFormAgainWithRelaunchedProcess() {
        cluster.launchMissing();
        awaitFormed(0, 1);
        final ChildProcess killed = cluster.child(1);
        killed.signal(Signal.KILL);
        assertThat(killed.awaitExit(ChildProcess.PATIENCE)).isEqualTo(128 + 9);
        awaitLine(0, "PEER_LOST 1");
        final ChildProcess survivor = cluster.child(0);
        cluster.launchMissing();
        assertThat(cluster.child(0)).isSameAs(survivor);
        assertThat(cluster.child(1)).isNotSameAs(killed);
        awaitFormed(0, 2);
        awaitFormed(1, 2);
    }

    @Test
    void shouldNoticeFrozenProcessAndBlackHoleAlike() {
        cluster.launchMissing();
        awaitFormed(0, 1);
        cluster.child(1).signal(Signal.STOP);
        awaitLine(0, "PEER_SILENT 1");
        cluster.child(1).signal(Signal.CONT);
        awaitFormed(1, 2);
        cluster.close();
        try (FaultProxy proxy = cluster.proxyBetween(0, 1)) {
            assertThat(cluster.addresses(1).get(0)).isEqualTo(proxy.endpoint());
            assertThat(cluster.addresses(0).get(0).port()).isEqualTo(cluster.port(0));
            cluster.launchMissing();
            awaitFormed(0, 1);
            proxy.blackHole();
            awaitLine(0, "PEER_SILENT 1");
        }
    }

    @Test
    void shouldRelaunchAtAnotherPort() {
        final int before = cluster.port(1);
        final ChildProcess left = cluster.launch(1);
        cluster.moveAway(1);
        assertThat(cluster.child(1)).isNull();
        assertThat(cluster.port(1)).isNotEqualTo(before);
        cluster.launchMissing();
        awaitFormed(0, 1);
        awaitFormed(1, 1);
        assertThat(left.isAlive()).isTrue();
    }

    @Test
    void shouldPassFlagsAndLetSpareTakePlace() {
        cluster.flags("-Dkit.one=1").launch(0, "-Dkit.two=2");
        awaitLine(0, "flags 1 2");
        final ChildProcess spare = nursery.launch("spare", List.of(), Engine.class.getName(), "0", "none");
        final ChildProcess before = cluster.child(0);
        cluster.replace(0, spare);
        assertThat(before.isAlive()).isFalse();
        assertThat(cluster.child(0)).isSameAs(spare);
    }

    @Test
    void shouldRefuseProxyInTheWrongOrder() {
        assertThatThrownBy(() -> cluster.proxyBetween(1, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageEndingWith("lower=1 higher=0");
    }

    private void awaitFormed(final int process, final int generation) {
        cluster.child(process)
                .awaitLine(
                        "formed",
                        ChildProcess.PATIENCE,
                        line -> line.startsWith("formed ") && Integer.parseInt(line.substring(7)) >= generation);
    }

    private void awaitLine(final int process, final String line) {
        cluster.child(process).awaitLine(line, ChildProcess.PATIENCE, line::equals);
    }

    /** Forms one generation after the other, and tells how each ends. */
    static final class Engine {
        private Engine() {}

        public static void main(final String[] arguments) throws Exception {
            System.out.println("flags " + System.getProperty("kit.one") + " " + System.getProperty("kit.two"));
            endWithInput();
            ClusterConfig config = ClusterConfig.builder()
                    .clusterId("engine")
                    .processIndex(Integer.parseInt(arguments[0]))
                    .addresses(Stream.of(arguments[1].split(","))
                            .map(Endpoint::parse)
                            .toList())
                    .heartbeatInterval(Duration.ofMillis(100))
                    .silenceTimeout(Duration.ofSeconds(1))
                    .build();
            while (true) {
                try (Cluster<Long> cluster = Cluster.execute(config, Work::forEver)) {
                    System.out.println("formed " + cluster.generation());
                    final Outcomes<Long> outcomes = cluster.join();
                    System.out.println(
                            outcomes.cause().kind() + " " + outcomes.cause().subjectProcess());
                    config = config.withGeneration(cluster.generation() + 1);
                }
            }
        }

        private static void endWithInput() {
            final Thread input = new Thread(() -> {
                try {
                    while (System.in.read() >= 0) {}
                } catch (final java.io.IOException ended) {
                    ended.printStackTrace();
                }
                Runtime.getRuntime().halt(99);
            });
            input.setDaemon(true);
            input.start();
        }
    }
}
