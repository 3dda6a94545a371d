package io.hawser.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** L6: nothing is lost or swapped between threads, also when deliveries are used again at once. */
@Timeout(30)
class DeliveryQueueTest {
    private static final int PRODUCERS = 3;
    private static final int ROUNDS = 50_000;
    private static final int KEPT = 32;

    private final DeliveryQueue queue = new DeliveryQueue();
    private final Map<Delivery, Numbered> numbered = new ConcurrentHashMap<>();

    @Test
    void shouldGiveOutInOrderAndBeEmptyBetween() {
        final List<Delivery> all = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            all.add(new Delivery(null));
        }
        for (int round = 0; round < 4; round++) {
            assertThat(queue.isEmpty()).isTrue();
            assertThat(queue.poll()).isNull();
            for (int count = 1; count <= all.size(); count++) {
                all.subList(0, count).forEach(queue::offer);
                assertThat(queue.isEmpty()).isFalse();
                for (final Delivery expected : all.subList(0, count)) {
                    assertThat(queue.poll()).isSameAs(expected);
                }
                assertThat(queue.poll()).isNull();
            }
        }
    }

    @Test
    void shouldKeepTheOrderOfEachProducerWhenDeliveriesAreUsedAgain() throws Exception {
        final List<Producer> producers = new ArrayList<>();
        for (int i = 0; i < PRODUCERS; i++) {
            producers.add(new Producer(i));
        }
        final List<Thread> threads = new ArrayList<>();
        for (final Producer producer : producers) {
            final Thread thread = new Thread(producer, "producer-" + producer.index);
            thread.setDaemon(true);
            thread.start();
            threads.add(thread);
        }
        final int[] next = new int[PRODUCERS];
        int count = 0;
        while (count < PRODUCERS * ROUNDS) {
            final Delivery delivery = queue.poll();
            if (delivery == null) {
                LockSupport.parkNanos(this, 1); // few cores: whoever waits gets out of the way
                continue;
            }
            final Numbered found = numbered.get(delivery);
            assertThat(found.number).isEqualTo(next[found.producer.index]++);
            found.giveBack();
            count++;
        }
        for (final Thread thread : threads) {
            thread.join();
        }
        assertThat(queue.isEmpty()).isTrue();
        assertThat(queue.poll()).isNull();
    }

    /** What a delivery is to the test: whose it is, and its number while it is under way. */
    private static final class Numbered {
        private final Producer producer;
        private final Delivery delivery = new Delivery(null);
        private final AtomicReference<Numbered> home = new AtomicReference<>(this);
        private int number;

        private Numbered(final Producer producer) {
            this.producer = producer;
        }

        void giveBack() {
            home.set(this);
        }
    }

    private final class Producer implements Runnable {
        private final int index;
        private final Numbered[] kept = new Numbered[KEPT];

        private Producer(final int index) {
            this.index = index;
            for (int i = 0; i < KEPT; i++) {
                kept[i] = new Numbered(this);
                numbered.put(kept[i].delivery, kept[i]);
            }
        }

        @Override
        public void run() {
            for (int number = 0; number < ROUNDS; number++) {
                final Numbered mine = kept[number % KEPT];
                while (mine.home.getAndSet(null) == null) {
                    LockSupport.parkNanos(this, 1); // few cores: whoever waits gets out of the way
                }
                mine.number = number;
                queue.offer(mine.delivery);
            }
        }
    }
}
