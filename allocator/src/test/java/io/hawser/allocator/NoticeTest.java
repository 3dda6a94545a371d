package io.hawser.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.transport.MessageTooLargeException;
import io.hawser.transport.Notice;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Notices between workers, beside the data (L7, L8). */
@Timeout(60)
class NoticeTest {
    private static final int COUNT = 2_000;
    private static final long DEADLINE_S = 20;

    private final UnsafeBuffer empty = new UnsafeBuffer(0, 0);

    private static UnsafeBuffer body(final long value) {
        final UnsafeBuffer body = new UnsafeBuffer(new byte[Long.BYTES]);
        body.putLong(0, value);
        return body;
    }

    /** Each worker sends many to each, itself included, and shows what has come while it waits for room. */
    @ParameterizedTest
    @EnumSource(Arrangement.class)
    void shouldArriveOnceAndInOrderOfEachSender(final Arrangement arrangement) throws Exception {
        final int workers = arrangement.workerCount();
        final List<Boolean> ends = arrangement.run(Arrangement::tight, worker -> {
            final long[] next = new long[workers];
            worker.onNotice(notice -> {
                assertThat(notice.targetWorker()).isEqualTo(worker.index());
                assertThat(notice.body().getLong(0)).isEqualTo(next[notice.sourceWorker()]++);
            });
            final RawChannel channel = worker.allocateRaw(0);
            for (int i = 0; i < COUNT; i++) {
                final UnsafeBuffer body = body(i);
                for (int target = 0; target < workers; target++) {
                    while (worker.notify(target, Notice.NO_CHANNEL, 1, body, 0, 8) == PushResult.REFUSED) {
                        channel.puller().poll((buffer, offset, length, source) -> {}, 1);
                    }
                }
            }
            for (int target = 0; target < workers; target++) {
                while (next[target] < COUNT) {
                    worker.park(Duration.ofMillis(100));
                }
            }
            return true;
        });
        assertThat(ends).hasSize(workers).containsOnly(true);
    }

    /** Case 108: all windows of data are full in both directions, nobody reads, and notices go to and fro. */
    @ParameterizedTest
    @EnumSource(
            value = Arrangement.class,
            names = {"TWO_PROCESSES", "THREE_PROCESSES"})
    void shouldPassWhereDataIsStuck(final Arrangement arrangement) throws Exception {
        final int workers = arrangement.workerCount();
        final List<Integer> ends = arrangement.run(Arrangement::tight, worker -> {
            final RawChannel channel = worker.allocateRaw(0, OnFull.REFUSE);
            final UnsafeBuffer message = new UnsafeBuffer(new byte[500]);
            for (int target = 0; target < workers; target++) {
                while (channel.pusher(target).push(message, 0, 500) == PushResult.PUSHED) {
                    // until nothing more goes
                }
            }
            final int[] heard = new int[2];
            worker.onNotice(notice -> {
                heard[notice.kind()]++;
                if (notice.kind() == 0) {
                    worker.notify(notice.sourceWorker(), notice.channelId(), 1, empty, 0, 0);
                }
            });
            for (int target = 0; target < workers; target++) {
                worker.notify(target, channel.id(), 0, empty, 0, 0);
            }
            while (heard[0] < workers || heard[1] < workers) {
                worker.awaitNotice(Duration.ofMillis(100)); // nothing is read
            }
            return heard[0] + heard[1];
        });
        assertThat(ends).containsOnly(2 * workers);
    }

    /** Without a handler what comes waits, and no more than a window of it; the senders know. */
    @ParameterizedTest
    @EnumSource(
            value = Arrangement.class,
            names = {"THREADS", "TWO_PROCESSES", "THREE_PROCESSES"})
    void shouldRefuseMoreThanAWindowUntilTheyAreShown(final Arrangement arrangement) throws Exception {
        final int last = arrangement.workerCount() - 1;
        final CountDownLatch refused = new CountDownLatch(1);
        final List<Integer> ends = arrangement.run(Arrangement::tight, worker -> {
            int count = 0;
            if (worker.index() == 0) {
                final UnsafeBuffer body = new UnsafeBuffer(new byte[Notice.LENGTH_MAX]);
                while (worker.notify(last, Notice.NO_CHANNEL, 0, body, 0, body.capacity()) == PushResult.PUSHED) {
                    count++;
                }
                refused.countDown();
                while (worker.notify(last, Notice.NO_CHANNEL, 1, body, 0, 8) == PushResult.REFUSED) {
                    worker.awaitRoom(Duration.ofMillis(1));
                    Thread.onSpinWait();
                }
                return count;
            }
            if (worker.index() == last) {
                assertThat(refused.await(DEADLINE_S, TimeUnit.SECONDS)).isTrue();
                final List<Integer> kinds = new ArrayList<>();
                worker.onNotice(notice -> kinds.add(notice.kind()));
                while (!kinds.contains(1)) {
                    worker.park(Duration.ofMillis(100));
                }
                return kinds.size() - 1;
            }
            return 0;
        });
        final int fit = Notice.WINDOW / (48 + 8 + Notice.LENGTH_MAX + 64);
        assertThat(ends.get(0)).isEqualTo(fit);
        assertThat(ends.get(last)).isEqualTo(fit);
    }

    /** A worker that sleeps is woken by a notice alone, and comes out of park so that its code can look. */
    @ParameterizedTest
    @EnumSource(
            value = Arrangement.class,
            names = {"THREADS", "TWO_PROCESSES", "THREE_PROCESSES"})
    void shouldWakeAParkedWorkerFromOutside(final Arrangement arrangement) throws Exception {
        final int last = arrangement.workerCount() - 1;
        final CountDownLatch allTold = new CountDownLatch(1);
        final WorkerFunction<Long> function = worker -> {
            final long[] stop = new long[1];
            worker.onNotice(notice -> {
                assertThat(notice.sourceWorker()).isEqualTo(Notice.NO_WORKER);
                stop[0] = notice.body().getLong(0);
            });
            while (stop[0] == 0) {
                worker.park();
            }
            assertThat(allTold.await(DEADLINE_S, TimeUnit.SECONDS))
                    .as("whoever is left alone has nothing to park for")
                    .isTrue();
            return stop[0];
        };
        try (Loopback<Long> cluster = arrangement.start(builder -> builder, function)) {
            for (int target = 0; target <= last; target++) {
                assertThat(cluster.process(0).notify(target, Notice.NO_CHANNEL, 3, body(77), 0, 8))
                        .isEqualTo(PushResult.PUSHED);
            }
            allTold.countDown();
            assertThat(cluster.values()).hasSize(last + 1).containsOnly(77L);
        }
    }

    @Test
    void shouldRefuseWhatCannotBe() throws Exception {
        Arrangement.THREADS.run(builder -> builder, worker -> {
            assertThatThrownBy(() -> worker.notify(3, Notice.NO_CHANNEL, 0, empty, 0, 0))
                    .isInstanceOf(IndexOutOfBoundsException.class)
                    .hasMessageContaining("target=3");
            final UnsafeBuffer large = new UnsafeBuffer(new byte[Notice.LENGTH_MAX + 1]);
            assertThatThrownBy(() -> worker.notify(0, Notice.NO_CHANNEL, 0, large, 0, large.capacity()))
                    .isInstanceOf(MessageTooLargeException.class);
            assertThatThrownBy(() -> worker.notify(0, -2, 0, empty, 0, 0))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("channelId=-2");
            return 0;
        });
    }

    /** What a handler throws is its worker's panic, and the books are right all the same. */
    @Test
    void shouldPanicTheWorkerWhenAHandlerThrows() throws Exception {
        try (Loopback<Integer> cluster = Arrangement.TWO_PROCESSES.start(builder -> builder, worker -> {
            worker.onNotice(notice -> {
                throw new IllegalStateException("the handler fails");
            });
            if (worker.index() == 0) {
                worker.notify(3, Notice.NO_CHANNEL, 0, empty, 0, 0);
            }
            while (true) {
                worker.park();
            }
        })) {
            final List<Outcomes<Integer>> outcomes = cluster.join();
            assertThat(outcomes.get(1).perWorker().get(1).isPanicked()).isTrue();
            for (final Outcomes<Integer> each : outcomes) {
                assertThat(each.cause().subjectWorker()).isEqualTo(3);
                assertThat(each.cause().describe()).contains("the handler fails");
            }
        }
    }
}
