package io.hawser.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Case 70: what is known of workers of other processes that stand still, whatever these say (L7, L11). */
class ToldStallsTest {
    private static final int WORKER = 3;
    private static final long MS = 1_000_000;

    private final ToldStalls told = new ToldStalls(ClusterConfig.builder()
            .clusterId("ropes")
            .addresses(List.of(new Endpoint("127.0.0.1", 7_000), new Endpoint("127.0.0.1", 7_001)))
            .workersPerProcess(2)
            .build());

    private List<WorkerStall> stalls(long nowNs) {
        told.tick(7, nowNs);
        List<WorkerStall> stalls = new ArrayList<>();
        told.addTo(stalls, 7, nowNs);
        return stalls;
    }

    private static WaitNews stalled(long number) {
        return WaitNews.stalled(WORKER, number, 100 * MS, "a.B.c(B.java:1)\u0007\r\nd.E.f(E.java:2)");
    }

    @Test
    void shouldKnowOfAStallUntilItIsOver() {
        told.onNews(stalled(0), 10 * MS);
        assertThat(stalls(15 * MS))
                .containsExactly(new WorkerStall(
                        WORKER,
                        1,
                        "hawser-ropes-p1-g7-worker-3",
                        Duration.ofMillis(105),
                        List.of("a.B.c(B.java:1)?", "d.E.f(E.java:2)")));
        told.onNews(stalled(0).over(), 20 * MS);
        assertThat(stalls(20 * MS)).isEmpty();
    }

    @Test
    void shouldGoByTheHighestNumberWhateverComesLate() {
        told.onNews(stalled(4), 0);
        told.onNews(stalled(3).over(), 0);
        assertThat(stalls(0)).as("that was another one").hasSize(1);
        told.onNews(stalled(5).over(), 0);
        assertThat(stalls(0))
                .as("the end of a later one is that of an earlier, too")
                .isEmpty();
        told.onNews(stalled(5), 0);
        assertThat(stalls(0)).as("it is over").isEmpty();
        told.onNews(stalled(6), 0);
        told.onNews(stalled(7), 0);
        assertThat(stalls(0)).hasSize(1);
        told.onNews(stalled(7).over(), 0);
        assertThat(stalls(0)).isEmpty();
    }

    @Test
    void shouldForgetTheWorkersOfAProcessThatHasHungUp() {
        told.onNews(stalled(0), 0);
        told.onHungUp(0, 0);
        assertThat(stalls(0)).hasSize(1);
        told.onHungUp(1, 0);
        assertThat(stalls(0)).isEmpty();
    }

    @Test
    void shouldBearAnyAge() {
        told.onNews(WaitNews.stalled(WORKER, Long.MAX_VALUE, Long.MAX_VALUE, ""), -5);
        assertThat(stalls(Long.MAX_VALUE - 6))
                .extracting(WorkerStall::lasted)
                .containsExactly(Duration.ofNanos(Long.MAX_VALUE));
    }
}
