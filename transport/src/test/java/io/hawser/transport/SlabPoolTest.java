package io.hawser.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class SlabPoolTest {
    private static final int SLAB_LENGTH = 4_096;

    private final MemoryAccount account = new MemoryAccount();
    private final SlabPool pool = new SlabPool(SLAB_LENGTH, 2, account);

    @AfterEach
    void shouldLeaveNoMemory() {
        pool.close();
        assertThat(account.liveBytes()).isZero();
    }

    @Test
    void shouldGiveOutOneReferenceToTheWholeLength() {
        final Slab slab = pool.acquire();

        assertThat(slab.references()).isEqualTo(1);
        assertThat(slab.length()).isEqualTo(SLAB_LENGTH);
        assertThat(slab.buffer().capacity()).isEqualTo(SLAB_LENGTH);
        assertThat(slab.byteBuffer().remaining()).isEqualTo(SLAB_LENGTH);
        assertThat(account.liveBytes()).isEqualTo(SLAB_LENGTH);
        slab.release();
    }

    @Test
    void shouldShowTheSameBytesThroughBothViews() {
        final Slab slab = pool.acquire();

        slab.byteBuffer().put(7, (byte) 42);

        assertThat(slab.buffer().getByte(7)).isEqualTo((byte) 42);
        slab.release();
    }

    @Test
    void shouldGiveTheLastReturnedSlabAgainWithItsPositionReset() {
        final Slab first = pool.acquire();
        final Slab second = pool.acquire();
        first.byteBuffer().position(100).limit(200);

        second.release();
        first.release();

        assertThat(pool.acquire()).isSameAs(first);
        assertThat(first.byteBuffer().remaining()).isEqualTo(SLAB_LENGTH);
        assertThat(pool.acquire()).isSameAs(second);
        first.release();
        second.release();
    }

    @Test
    void shouldReturnOnlyWithTheLastReference() {
        final Slab slab = pool.acquire();
        slab.retain();
        slab.retain();

        slab.release();
        slab.release();
        assertThat(pool.pooledCount()).isZero();
        assertThat(slab.references()).isEqualTo(1);

        slab.release();
        assertThat(pool.pooledCount()).isEqualTo(1);
    }

    @Test
    void shouldFreeAtOnceWhenThePoolIsFull() {
        final List<Slab> slabs = List.of(pool.acquire(), pool.acquire(), pool.acquire());

        slabs.forEach(Slab::release);

        assertThat(pool.pooledCount()).isEqualTo(2);
        assertThat(account.liveBytes()).isEqualTo(2 * SLAB_LENGTH);
    }

    @Test
    void shouldRefuseUseOfASlabThatNobodyHolds() {
        final Slab slab = pool.acquire();
        slab.release();

        assertThatThrownBy(slab::release)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageEndingWith("references=0");
        assertThatThrownBy(slab::retain)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageEndingWith("references=0");
        assertThatThrownBy(slab::buffer).isInstanceOf(IllegalStateException.class);
        assertThat(slab.references()).isZero();
        assertThat(pool.pooledCount()).isEqualTo(1);
    }

    @Test
    void shouldRefuseUseOfASlabThatWasFreed() {
        final Slab slab = pool.acquire();
        pool.close();
        slab.release();

        assertThatThrownBy(slab::release).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(slab::retain).isInstanceOf(IllegalStateException.class);
        assertThat(account.liveBytes()).isZero();
    }

    @Test
    void shouldThrowInsteadOfCrashingWhenAViewIsUsedAfterTheMemoryIsFreed() {
        final Slab slab = pool.acquire();
        final var buffer = slab.buffer();
        pool.close();
        slab.release();

        assertThatThrownBy(() -> buffer.getLong(0)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void shouldFreeSlabsThatAreOutAtTheirReleaseWhenThePoolIsClosed() {
        final Slab out = pool.acquire();
        pool.acquire().release();
        out.retain();

        pool.close();
        pool.close();
        assertThat(account.liveBytes()).isEqualTo(SLAB_LENGTH);
        assertThat(out.buffer().getByte(0)).isZero();
        assertThatThrownBy(pool::acquire).isInstanceOf(IllegalStateException.class);

        out.release();
        assertThat(account.liveBytes()).isEqualTo(SLAB_LENGTH);
        out.release();
        assertThat(account.liveBytes()).isZero();
    }

    @Test
    void shouldKeepNothingWhenNoneMayBePooled() {
        try (SlabPool none = new SlabPool(SLAB_LENGTH, 0, account)) {
            none.acquire().release();

            assertThat(account.liveBytes()).isZero();
        }
    }

    @Test
    void shouldRefuseImpossiblePools() {
        assertThatThrownBy(() -> new SlabPool(0, 1, account)).hasMessageContaining("slabLength=0");
        assertThatThrownBy(() -> new SlabPool(8, -1, account)).hasMessageContaining("maxPooled=-1");
    }

    @Test
    void shouldGiveEachSlabToOneHolderWhenManyThreadsRelease() {
        final int rounds = 3_000;
        final Workers workers = new Workers(3);
        for (int round = 0; round < rounds; round++) {
            final Slab slab = pool.acquire();
            assertThat(slab.buffer().getLong(0))
                    .as("round=%d: still in use", round)
                    .isZero();
            slab.buffer().putLong(0, 1);
            for (int i = 0; i < workers.count(); i++) {
                slab.retain();
            }
            workers.give(slab);
            if (round % 2 == 0) {
                // the last of all holders, in whichever thread, leaves it clean for the next
                releaseClean(slab);
            } else {
                pool.acquire().release();
                releaseClean(slab);
            }
        }
        workers.end();
        assertThat(pool.pooledCount()).isBetween(1, 2);
    }

    @Test
    void shouldFreeEverythingWhenClosedWhileManyThreadsRelease() throws InterruptedException {
        for (int round = 0; round < 300; round++) {
            final SlabPool closing = new SlabPool(SLAB_LENGTH, 4, account);
            final List<Slab> slabs = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                slabs.add(closing.acquire());
            }
            final CyclicBarrier start = new CyclicBarrier(3);
            final Thread one = startAt(start, () -> slabs.subList(0, 3).forEach(Slab::release));
            final Thread other = startAt(start, () -> slabs.subList(3, 6).forEach(Slab::release));
            final Thread closer = startAt(start, closing::close);
            one.join();
            other.join();
            closer.join();
            assertThat(account.liveBytes()).as("round=%d", round).isZero();
        }
    }

    private static void releaseClean(final Slab slab) {
        if (slab.buffer().getAndAddLong(8, 1) == 3) {
            slab.buffer().putLong(8, 0);
            slab.buffer().putLongVolatile(0, 0);
        }
        slab.release();
    }

    private static Thread startAt(final CyclicBarrier start, final Runnable task) {
        final Thread thread = new Thread(() -> {
            try {
                start.await();
                task.run();
            } catch (final Exception failed) {
                throw new AssertionError(failed);
            }
        });
        thread.start();
        return thread;
    }

    /** Threads that each release every slab given, once. */
    private static final class Workers {
        private final List<Thread> threads = new ArrayList<>();
        private final AtomicReference<Throwable> failure = new AtomicReference<>();
        private final List<java.util.concurrent.LinkedBlockingQueue<Object>> queues = new ArrayList<>();

        Workers(final int count) {
            for (int i = 0; i < count; i++) {
                final var queue = new java.util.concurrent.LinkedBlockingQueue<Object>();
                queues.add(queue);
                final Thread thread = new Thread(() -> run(queue));
                threads.add(thread);
                thread.start();
            }
        }

        int count() {
            return threads.size();
        }

        void give(final Slab slab) {
            queues.forEach(queue -> queue.add(slab));
        }

        void end() {
            queues.forEach(queue -> queue.add("end"));
            for (final Thread thread : threads) {
                try {
                    thread.join();
                } catch (final InterruptedException interrupted) {
                    throw new AssertionError(interrupted);
                }
            }
            assertThat(failure.get()).isNull();
        }

        private void run(final java.util.concurrent.LinkedBlockingQueue<Object> queue) {
            try {
                while (queue.take() instanceof Slab slab) {
                    releaseClean(slab);
                }
            } catch (final Throwable failed) {
                failure.compareAndSet(null, failed);
            }
        }
    }
}
