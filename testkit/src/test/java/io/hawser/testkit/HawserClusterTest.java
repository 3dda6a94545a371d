package io.hawser.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.fate.CauseKind;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The extension, used here as by anybody; where it has to fail a test, that is run by a launcher of its own. */
@HawserCluster(processes = 3, workers = 2)
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class HawserClusterTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private LoopbackCluster beforeEach;

    @BeforeEach
    void takeClusterOfTest(final LoopbackCluster cluster) {
        beforeEach = cluster;
    }

    @Test
    void shouldInjectClusterOfClass(final LoopbackCluster cluster) throws Exception {
        assertThat(cluster).isSameAs(beforeEach);
        assertThat(cluster.run(Work::sum).values(PATIENCE)).hasSize(6).containsOnly(15L);
    }

    @Test
    @HawserCluster(processes = 2, proxies = true)
    void shouldPreferAnnotationOfMethod(final LoopbackCluster cluster) throws Exception {
        final LoopbackRun<Long> run = cluster.run(Work::forEver);
        cluster.sever(1, Cut.RST);
        assertThat(run.join(PATIENCE).get(0).cause().kind()).isEqualTo(CauseKind.PEER_LOST);
    }

    @Nested
    class Inner {
        @Test
        void shouldInheritAnnotationOfClassAround(final LoopbackCluster cluster) {
            assertThat(cluster.processCount()).isEqualTo(3);
            assertThat(cluster.workersPerProcess()).isEqualTo(2);
        }
    }

    @Test
    void shouldCloseClusterAfterTest() {
        final TestRun result = TestRun.of(Quiet.class);
        assertThat(result.failures()).isEmpty();
        assertThat(result.succeeded()).isEqualTo(2);
        assertThat(Quiet.last.describe())
                .contains("closed by its user: the test is over")
                .doesNotContain("-worker-");
        assertThat(FreePorts.isFree(Quiet.last.port(0))).isTrue();
    }

    @Test
    void shouldFailTestThatLeavesAThread() {
        final TestRun result = TestRun.of(Leaking.class);
        assertThat(result.failures()).hasSize(1);
        assertThat(result.failures().get(0))
                .hasMessageContaining("nothing is left")
                .hasMessageContaining("-worker-");
        Leaking.OVER.countDown();
    }

    @Test
    void shouldPrintStateWhenTestFails() {
        final TestRun result = TestRun.of(Failing.class);
        assertThat(result.failures()).hasSize(1);
        assertThat(result.failures().get(0)).hasMessage("wrong");
        assertThat(result.printed())
                .contains("shouldFail(LoopbackCluster) failed; cluster loopback-")
                .contains("process 0, running")
                .contains("PeerStats")
                .contains("-worker-");
    }

    @Test
    void shouldFailTestThatAsksInConstructor() {
        assertThat(TestRun.of(Hasty.class).failures()).hasSize(1);
    }

    /** Ends nothing by itself; one of its tests asks for no cluster. */
    @HawserCluster
    static class Quiet {
        static LoopbackCluster last;

        @Test
        void shouldRun(final LoopbackCluster cluster) throws Exception {
            last = cluster;
            cluster.run(Work::forEver);
        }

        @Test
        void shouldRunWithoutCluster() {}
    }

    static class Leaking {
        static final CountDownLatch OVER = new CountDownLatch(1);

        @Test
        @HawserCluster
        void shouldLeak(final LoopbackCluster cluster) throws Exception {
            cluster.tidyWithin(Duration.ofMillis(300))
                    .configure((settings, process) -> settings.abortTimeout(Duration.ofMillis(200)))
                    .run(worker -> {
                        OVER.await();
                        return 0L;
                    });
        }
    }

    static class Failing {
        @Test
        @HawserCluster
        void shouldFail(final LoopbackCluster cluster) throws Exception {
            cluster.run(Work::forEver);
            throw new AssertionError("wrong");
        }
    }

    @HawserCluster
    static class Hasty {
        Hasty(final LoopbackCluster cluster) {}

        @Test
        void shouldNotGetHere() {}
    }
}
