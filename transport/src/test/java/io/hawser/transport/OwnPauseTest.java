package io.hawser.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.fate.Clock;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** A process blames itself only for a pause that it has really had (L2). */
class OwnPauseTest {
    @Test
    void shouldKnowOfNoPauseWhenTheWatchHasNotRunYet() throws Exception {
        ClusterConfig config = config();
        MeshCore mesh = new MeshCore(config, new CollectingReceiver());
        Watch watch = new Watch(mesh, config);

        long nowNs = config.clock().nanoTime();
        assertThat(watch.ownPauseNs(nowNs, nowNs)).isZero();
        assertThat(watch.ownPauseNs(nowNs + config.silenceTimeoutNs(), nowNs)).isPositive();
    }

    @Test
    void shouldNotBlameAPauseForTheEndOfALinkThatCameAfterIt() throws Exception {
        ClusterConfig config = config();
        Watch watch = new Watch(new MeshCore(config, new CollectingReceiver()), config);
        long wokenNs = config.clock().nanoTime();
        watch.onOwnPause(config.silenceTimeoutNs(), wokenNs);

        assertThat(watch.ownPauseNs(wokenNs + 1, wokenNs - 1)).isEqualTo(config.silenceTimeoutNs());
        assertThat(watch.ownPauseNs(wokenNs + 2, wokenNs + 1)).isZero();
    }

    /** Case G7: on Linux the monotonic clock stands still while the machine sleeps. */
    @Test
    void shouldKnowOfASleepThatTheMonotonicClockDoesNotCount() throws Exception {
        AtomicLong sleptNs = new AtomicLong(-5);
        Clock clock = new Clock() {
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
        ClusterConfig config = config().toBuilder().clock(clock).build();
        Watch watch = new Watch(new MeshCore(config, new CollectingReceiver()), config);
        long nowNs = clock.nanoTime();
        long earlierNs = nowNs - TimeUnit.SECONDS.toNanos(1);
        sleptNs.addAndGet(config.silenceTimeoutNs() - 1);
        assertThat(watch.ownPauseNs(nowNs, earlierNs)).isZero();
        sleptNs.addAndGet(TimeUnit.HOURS.toNanos(8));
        assertThat(watch.ownPauseNs(nowNs, nowNs + 1))
                .as("on a link that came about after the last look, perhaps after the sleep")
                .isZero();
        assertThat(watch.ownPauseNs(nowNs, earlierNs))
                .isEqualTo(TimeUnit.HOURS.toNanos(8) + config.silenceTimeoutNs() - 1);
    }

    /** A short pause soon after a long one does not make that forgotten. */
    @Test
    void shouldRememberTheLongestOfRecentPauses() throws Exception {
        ClusterConfig config = config();
        Watch watch = new Watch(new MeshCore(config, new CollectingReceiver()), config);
        long nowNs = config.clock().nanoTime();
        long earlierNs = nowNs - TimeUnit.SECONDS.toNanos(1);
        watch.onOwnPause(2 * config.silenceTimeoutNs(), nowNs);
        watch.onOwnPause(config.silenceTimeoutNs() / 4, nowNs + 1_000_000);
        assertThat(watch.ownPauseNs(nowNs + 2_000_000, earlierNs)).isEqualTo(2 * config.silenceTimeoutNs());
    }

    private static ClusterConfig config() {
        return ClusterConfig.builder()
                .processIndex(0)
                .addresses(List.of(new Endpoint("127.0.0.1", 7_000), new Endpoint("127.0.0.1", 7_001)))
                .build();
    }
}
