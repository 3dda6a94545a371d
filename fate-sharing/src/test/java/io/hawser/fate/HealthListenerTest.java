package io.hawser.fate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Case 125: listeners of the user throw, block, close and exit; nobody else notices. */
class HealthListenerTest {
    private static final long DEADLINE_MS = 10_000;

    private final List<Thread> threads = new CopyOnWriteArrayList<>();
    private final Health health = Health.root("cluster", this::newThread);
    private final Cause cause = CauseFixture.number(0);
    private final BlockingQueue<Cause> told = new LinkedBlockingQueue<>();

    @AfterEach
    void endAllThreads() throws InterruptedException {
        health.close();
        awaitThreads();
    }

    @Test
    void shouldTellTheRootCauseOnceWhenHealthIsLost() throws InterruptedException {
        health.onLost("a", told::add);

        health.lose(cause);

        assertThat(poll()).isSameAs(cause);
        awaitThreads();
        assertThat(told).isEmpty();
    }

    @Test
    void shouldTellAtOnceWhenRegisteredTooLate() throws InterruptedException {
        health.lose(CauseFixture.number(1));
        health.consider(cause);

        health.onLost("a", told::add);

        assertThat(poll()).isSameAs(cause);
    }

    @Test
    void shouldTellAChildsListenerWhenTheParentIsLost() throws InterruptedException {
        health.child("query").onLost("a", told::add);

        health.lose(cause);

        assertThat(poll()).isSameAs(cause);
    }

    /** Case G2: names that explain a thread dump, and daemons. */
    @Test
    void shouldHaveItsOwnNamedDaemonThreadWhenRegistered() {
        health.onLost("pager", told::add);
        health.onLost("web", told::add);

        assertThat(threads)
                .extracting(Thread::getName)
                .containsExactly("hawser-cluster-listener-pager", "hawser-cluster-listener-web");
        assertThat(threads).allMatch(Thread::isDaemon).allMatch(Thread::isAlive);
    }

    @Test
    void shouldNotDelayAnybodyWhenAListenerBlocks() throws InterruptedException {
        CompletableFuture<Void> release = new CompletableFuture<>();
        health.onLost("blocks", lost -> release.join());
        health.onLost("waits", told::add);

        assertThat(health.lose(cause)).isTrue();

        assertThat(poll()).isSameAs(cause);
        assertThat(threads.get(0).isAlive()).isTrue();
        release.complete(null);
    }

    @Test
    void shouldLogOnceAndTellTheOthersWhenAListenerThrows() throws InterruptedException {
        PrintStream err = System.err;
        ByteArrayOutputStream log = new ByteArrayOutputStream();
        System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
        try {
            health.onLost("throws", lost -> {
                throw new OutOfMemoryError("on purpose");
            });
            health.onLost("waits", told::add);
            health.lose(cause);
            assertThat(poll()).isSameAs(cause);
            awaitThreads();
        } finally {
            System.setErr(err);
        }

        assertThat(log.toString(StandardCharsets.UTF_8))
                .containsOnlyOnce("listener throws of scope cluster threw")
                .containsOnlyOnce("OutOfMemoryError: on purpose");
        assertThat(health.secondaryCount()).isZero();
    }

    /** Cases 92, 99 and 125: close from within, twice, of everything. */
    @Test
    void shouldReturnWhenAListenerClosesItselfAndItsScope() throws InterruptedException {
        AtomicReference<Registration> own = new AtomicReference<>();
        own.set(health.onLost("closes", lost -> {
            own.get().close();
            own.get().close();
            health.close();
            told.add(lost);
        }));

        health.lose(cause);

        assertThat(poll()).isSameAs(cause);
        awaitThreads();
    }

    @Test
    void shouldEndTheThreadUncalledWhenTheRegistrationIsClosed() throws InterruptedException {
        Registration registration = health.onLost("a", told::add);
        registration.close();
        registration.close();

        awaitThreads();
        health.lose(cause);
        assertThat(told).isEmpty();
        assertThat(health.wakeupCount()).isZero();
    }

    /** Law L4: no thread is left. */
    @Test
    void shouldEndTheThreadUncalledWhenTheScopeEnds() throws InterruptedException {
        health.onLost("a", told::add);
        health.child("query").onLost("b", told::add);
        health.end();
        health.onLost("c", told::add);

        awaitThreads();
        assertThat(threads).hasSize(3);
        assertThat(told).isEmpty();
    }

    @Test
    void shouldGoOnWaitingWhenInterrupted() throws InterruptedException {
        health.onLost("a", told::add);
        threads.get(0).interrupt();

        health.lose(cause);

        assertThat(poll()).isSameAs(cause);
    }

    @Test
    void shouldLeaveNothingBehindWhenTheThreadCannotStart() {
        Health poor = Health.root("poor", task -> new Thread(task) {
            @Override
            public void start() {
                throw new OutOfMemoryError("unable to create native thread");
            }
        });

        assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> poor.onLost("a", told::add));
        assertThat(poor.wakeupCount()).isZero();
        assertThatNullPointerException()
                .isThrownBy(() -> Health.root("none", task -> null).onLost("a", told::add));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> poor.onLost("", told::add))
                .withMessageEndingWith("listenerName=");
    }

    private Thread newThread(Runnable task) {
        Thread thread = new Thread(task);
        threads.add(thread);
        return thread;
    }

    private Cause poll() throws InterruptedException {
        return told.poll(DEADLINE_MS, TimeUnit.MILLISECONDS);
    }

    private void awaitThreads() throws InterruptedException {
        for (Thread thread : threads) {
            thread.join(DEADLINE_MS);
            assertThat(thread.isAlive()).as(thread.getName()).isFalse();
        }
    }
}
