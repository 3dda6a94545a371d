package io.hawser.fate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Law L3: whoever waits comes out. */
class WakeupTest {
    private final Health health = Health.root("cluster");
    private final Cause cause = CauseFixture.number(0);
    private final AtomicInteger wakeCount = new AtomicInteger();

    @Test
    void shouldRunOnceInTheLosingThreadWhenHealthIsLost() {
        List<Thread> threads = new ArrayList<>();
        health.addWakeup(() -> threads.add(Thread.currentThread()));

        health.lose(cause);
        health.lose(CauseFixture.number(1));

        assertThat(threads).containsExactly(Thread.currentThread());
    }

    /** Whoever registers may run it in the same moment as whoever loses health. */
    @Test
    void shouldRunOnceWhenSeveralWantToRunIt() {
        WakeupRegistration registration = health.addWakeup(wakeCount::incrementAndGet);

        assertThat(registration.fire()).isTrue();
        assertThat(registration.fire()).isTrue();
        health.lose(cause);

        assertThat(wakeCount).hasValue(1);
    }

    @Test
    void shouldSeeHealthLostWhenItRuns() {
        List<Cause> seen = new ArrayList<>();
        health.addWakeup(() -> seen.add(health.rootCause()));

        health.lose(cause);

        assertThat(seen).containsExactly(cause);
    }

    @Test
    void shouldRunAtOnceWhenRegisteredTooLate() {
        health.lose(cause);

        health.addWakeup(wakeCount::incrementAndGet).close();

        assertThat(wakeCount).hasValue(1);
        assertThat(health.wakeupCount()).isZero();
    }

    @Test
    void shouldNotRunWhenTheScopeEnds() {
        health.addWakeup(wakeCount::incrementAndGet);
        health.end();
        health.addWakeup(wakeCount::incrementAndGet);

        assertThat(wakeCount).hasValue(0);
        assertThat(health.wakeupCount()).isZero();
    }

    /** Case 99: closing twice, and after the loss. */
    @Test
    void shouldNotRunWhenClosedBefore() {
        WakeupRegistration closed = health.addWakeup(wakeCount::incrementAndGet);
        WakeupRegistration kept = health.addWakeup(wakeCount::incrementAndGet);
        closed.close();
        closed.close();

        health.lose(cause);
        kept.close();

        assertThat(wakeCount).hasValue(1);
    }

    /** Case 125 for wake-ups: one that breaks its contract harms nobody else. */
    @Test
    void shouldRunTheOthersWhenOneThrows() {
        health.addWakeup(() -> {
            throw new StackOverflowError("on purpose");
        });
        health.addWakeup(wakeCount::incrementAndGet);
        Health child = health.child("child");
        child.addWakeup(wakeCount::incrementAndGet);

        assertThat(health.lose(cause)).isTrue();

        assertThat(wakeCount).hasValue(2);
        assertThat(health.wakeupFailureCount()).isEqualTo(1);
        assertThat(child.wakeupFailureCount()).isZero();
    }

    @Test
    void shouldAllowRegisteringClosingAndLosingWhenInsideAWakeup() {
        WakeupRegistration other = health.addWakeup(() -> {});
        health.addWakeup(() -> {
            other.close();
            health.addWakeup(wakeCount::incrementAndGet);
            health.lose(CauseFixture.number(1));
            health.child("late").addWakeup(wakeCount::incrementAndGet);
            health.close();
        });

        health.lose(cause);

        assertThat(wakeCount).hasValue(2);
        assertThat(health.secondaryCount()).isEqualTo(1);
        assertThat(health.wakeupFailureCount()).isZero();
    }

    @Test
    void shouldUnparkTheThreadWhenOneIsRegistered() throws InterruptedException {
        CountDownLatch registered = new CountDownLatch(1);
        Thread parked = new Thread(() -> {
            try (WakeupRegistration registration = health.addThread(Thread.currentThread())) {
                registered.countDown();
                while (!health.isLost()) {
                    LockSupport.park(registration);
                }
            }
        });
        parked.start();
        assertThat(registered.await(10, TimeUnit.SECONDS)).isTrue();

        health.lose(cause);

        parked.join(10_000);
        assertThat(parked.isAlive()).isFalse();
    }
}
