package io.hawser.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.hawser.fate.CauseKind;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.platform.launcher.EngineFilter;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** The extension, used here as by anybody; where it has to fail a test, that is run by a launcher of its own. */
@Isolated("captures what is printed")
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
        final Result result = run(Quiet.class);
        assertThat(result.failures()).isEmpty();
        assertThat(result.succeeded()).isEqualTo(2);
        assertThat(Quiet.last.describe())
                .contains("closed by its user: the test is over")
                .doesNotContain("-worker-");
        assertThat(FreePorts.isFree(Quiet.last.port(0))).isTrue();
    }

    @Test
    void shouldFailTestThatLeavesAThread() {
        final Result result = run(Leaking.class);
        assertThat(result.failures()).hasSize(1);
        assertThat(result.failures().get(0))
                .hasMessageContaining("nothing is left")
                .hasMessageContaining("-worker-");
        Leaking.OVER.countDown();
    }

    @Test
    void shouldPrintStateWhenTestFails() {
        final Result result = run(Failing.class);
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
        assertThat(run(Hasty.class).failures()).hasSize(1);
    }

    private record Result(long succeeded, List<Throwable> failures, String printed) {}

    private static Result run(final Class<?> testClass) {
        final LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(selectClass(testClass))
                .filters(EngineFilter.includeEngines("junit-jupiter"))
                .build();
        final SummaryGeneratingListener listener = new SummaryGeneratingListener();
        final PrintStream before = System.out;
        final ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            LauncherFactory.create().execute(request, listener);
        } finally {
            System.setOut(before);
        }
        final TestExecutionSummary summary = listener.getSummary();
        return new Result(
                summary.getTestsSucceededCount(),
                summary.getFailures().stream()
                        .map(TestExecutionSummary.Failure::getException)
                        .toList(),
                printed.toString(StandardCharsets.UTF_8));
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
            cluster.configure((settings, process) -> settings.abortTimeout(Duration.ofMillis(200)))
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
