package io.hawser.fate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Case 71 and the races of law L3 with real threads: two threads go over the same fresh scopes at the same pace, so that
 * they meet on many of them. Each test does 100,000 rounds.
 */
class HealthStressTest {
    private static final int BATCH_COUNT = 100;
    private static final int BATCH_SIZE = 1_000;
    private static final long DEADLINE_S = 30;

    private final ExecutorService pool = Executors.newFixedThreadPool(2);
    private final CyclicBarrier start = new CyclicBarrier(2);
    private final Cause cause = CauseFixture.number(1);
    private final Cause other = CauseFixture.number(2);

    @AfterEach
    void endThreads() {
        pool.shutdownNow();
    }

    @Test
    void shouldRunEachWakeupExactlyOnceWhenRegisteringRacesWithLosing() throws Exception {
        for (int batch = 0; batch < BATCH_COUNT; batch++) {
            Health[] scopes = scopes();
            AtomicIntegerArray wakeCounts = new AtomicIntegerArray(BATCH_SIZE);

            race(i -> scopes[i].addWakeup(() -> wakeCounts.incrementAndGet(i)), i -> scopes[i].lose(cause));

            for (int i = 0; i < BATCH_SIZE; i++) {
                assertThat(wakeCounts.get(i)).isEqualTo(1);
                assertThat(scopes[i].wakeupCount()).isZero();
            }
        }
    }

    @Test
    void shouldLoseEachChildWhenMakingItRacesWithLosingTheParent() throws Exception {
        for (int batch = 0; batch < BATCH_COUNT; batch++) {
            Health[] parents = scopes();
            Health[] children = new Health[BATCH_SIZE];
            AtomicIntegerArray wakeCounts = new AtomicIntegerArray(BATCH_SIZE);

            race(
                    i -> {
                        children[i] = parents[i].child("child");
                        children[i].addWakeup(() -> wakeCounts.incrementAndGet(i));
                    },
                    i -> parents[i].lose(cause));

            for (int i = 0; i < BATCH_SIZE; i++) {
                assertThat(children[i].firstCause()).isSameAs(cause);
                assertThat(wakeCounts.get(i)).isEqualTo(1);
                assertThat(parents[i].childCount()).isZero();
            }
        }
    }

    @Test
    void shouldLetExactlyOneWinWhenLosingRacesWithEnding() throws Exception {
        for (int batch = 0; batch < BATCH_COUNT; batch++) {
            Health[] scopes = scopes();
            boolean[] isLost = new boolean[BATCH_SIZE];
            boolean[] isEnded = new boolean[BATCH_SIZE];
            AtomicIntegerArray wakeCounts = new AtomicIntegerArray(BATCH_SIZE);
            IntStream.range(0, BATCH_SIZE).forEach(i -> scopes[i].addWakeup(() -> wakeCounts.incrementAndGet(i)));

            race(i -> isLost[i] = scopes[i].lose(cause), i -> isEnded[i] = scopes[i].end());

            for (int i = 0; i < BATCH_SIZE; i++) {
                assertThat(isLost[i]).isNotEqualTo(isEnded[i]);
                assertThat(scopes[i].state()).isEqualTo(isLost[i] ? HealthState.LOST : HealthState.ENDED);
                assertThat(wakeCounts.get(i)).isEqualTo(isLost[i] ? 1 : 0);
            }
        }
    }

    @Test
    void shouldKeepTheFirstAndAttachTheSecondWhenTwoLose() throws Exception {
        for (int batch = 0; batch < BATCH_COUNT; batch++) {
            Health[] scopes = scopes();
            boolean[] isFirst = new boolean[BATCH_SIZE];
            boolean[] isSecond = new boolean[BATCH_SIZE];

            race(i -> isFirst[i] = scopes[i].lose(cause), i -> isSecond[i] = scopes[i].lose(other));

            for (int i = 0; i < BATCH_SIZE; i++) {
                assertThat(isFirst[i]).isNotEqualTo(isSecond[i]);
                assertThat(scopes[i].rootCause()).isSameAs(isFirst[i] ? cause : other);
                assertThat(scopes[i].secondaryCauses()).containsExactly(isFirst[i] ? other : cause);
            }
        }
    }

    /** Law L2: after settling, every reader sees one root cause, and considering has told the truth about it. */
    @Test
    void shouldFixOneRootCauseWhenSettlingRacesWithConsidering() throws Exception {
        for (int batch = 0; batch < BATCH_COUNT; batch++) {
            Health[] scopes = scopes();
            Cause[] settled = new Cause[BATCH_SIZE];
            boolean[] isRoot = new boolean[BATCH_SIZE];
            IntStream.range(0, BATCH_SIZE).forEach(i -> scopes[i].lose(other));

            race(
                    i -> {
                        scopes[i].settle();
                        settled[i] = scopes[i].rootCause();
                    },
                    i -> isRoot[i] = scopes[i].consider(cause));

            for (int i = 0; i < BATCH_SIZE; i++) {
                assertThat(settled[i]).isSameAs(isRoot[i] ? cause : other);
                assertThat(scopes[i].rootCause()).isSameAs(settled[i]);
                assertThat(scopes[i].secondaryCauses()).containsExactly(isRoot[i] ? other : cause);
            }
        }
    }

    /** Two children that share the cluster's fate fail at once: one root cause for all three. */
    @Test
    void shouldAgreeOnOneRootCauseWhenTwoChildrenEscalateAtOnce() throws Exception {
        for (int batch = 0; batch < BATCH_COUNT; batch++) {
            Health[] parents = scopes();
            Health[] left = new Health[BATCH_SIZE];
            Health[] right = new Health[BATCH_SIZE];
            for (int i = 0; i < BATCH_SIZE; i++) {
                left[i] = parents[i].child("left", Escalation.TO_PARENT);
                right[i] = parents[i].child("right", Escalation.TO_PARENT);
            }

            race(i -> left[i].consider(other), i -> right[i].consider(cause));

            for (int i = 0; i < BATCH_SIZE; i++) {
                Cause root = parents[i].rootCause();
                assertThat(root).isNotNull();
                assertThat(left[i].rootCause()).isSameAs(root);
                assertThat(right[i].rootCause()).isSameAs(root);
            }
        }
    }

    private void race(IntConsumer left, IntConsumer right)
            throws InterruptedException, ExecutionException, TimeoutException {
        Future<?> one = pool.submit(() -> runAll(left));
        Future<?> two = pool.submit(() -> runAll(right));
        one.get(DEADLINE_S, TimeUnit.SECONDS);
        two.get(DEADLINE_S, TimeUnit.SECONDS);
    }

    private Void runAll(IntConsumer action) throws Exception {
        start.await(DEADLINE_S, TimeUnit.SECONDS);
        for (int i = 0; i < BATCH_SIZE; i++) {
            action.accept(i);
        }
        return null;
    }

    private static Health[] scopes() {
        return IntStream.range(0, BATCH_SIZE)
                .mapToObj(i -> Health.root("scope"))
                .toArray(Health[]::new);
    }
}
