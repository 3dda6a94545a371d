package io.hawser.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.transport.MemoryAccount;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class InboxTest {
    private static final Inbox.ParkWatch NOTHING_ELSE = () -> false;

    private final Inbox inbox = new Inbox();
    private final Deliveries deliveries = new Deliveries(new MemoryAccount());

    @Test
    void shouldGiveDeliveriesInOrderWhenPolled() {
        final Delivery first = deliveries.of(0, 0, 1);
        final Delivery second = deliveries.of(1, 0, 2);
        inbox.deliver(first);
        inbox.deliver(second);

        assertThat(inbox.poll()).isSameAs(first);
        assertThat(inbox.poll()).isSameAs(second);
        assertThat(inbox.poll()).isNull();
    }

    @Test
    void shouldReleaseWhatIsThereAndWhatComesWhenClosed() {
        final Delivery before = deliveries.of(0, 0, 1);
        final Delivery after = deliveries.of(0, 0, 2);
        inbox.deliver(before);

        inbox.close();
        inbox.close();
        inbox.deliver(after);

        assertThat(before.slab().references()).isZero();
        assertThat(after.slab().references()).isZero();
    }

    @Test
    void shouldNotSleepWhenSomethingIsThere() {
        inbox.deliver(deliveries.of(0, 0, 1));

        inbox.park(NOTHING_ELSE, Long.MAX_VALUE);
    }

    @Test
    void shouldNotSleepWhenWatchIsAwake() {
        inbox.park(() -> true, Long.MAX_VALUE);
    }

    /** Case 71: each round parks for ever unless the wake-up of this very round arrives. */
    @Test
    void shouldLoseNoWakeUpWhenDeliveriesRaceWithParking() throws InterruptedException {
        final int rounds = 100_000;
        final Inbox answers = new Inbox();
        final Delivery token = deliveries.of(0, 0, 1);
        final Thread echo = new Thread(() -> {
            for (int i = 0; i < rounds; i++) {
                answers.deliver(take(inbox));
            }
        });
        echo.start();

        for (int i = 0; i < rounds; i++) {
            inbox.deliver(token);
            spin(i & 255); // so that the delivery meets the other side at each point of its way to sleep
            assertThat(take(answers)).isSameAs(token);
        }

        echo.join(TimeUnit.SECONDS.toMillis(20));
        assertThat(echo.isAlive()).isFalse();
    }

    /** L4: whatever is delivered while the worker ends is released by one side or the other. */
    @Test
    void shouldLoseNoReferenceWhenDeliveriesRaceWithClosing() throws InterruptedException {
        for (int round = 0; round < 500; round++) {
            final MemoryAccount account = new MemoryAccount();
            final Inbox closing = new Inbox();
            final CountDownLatch go = new CountDownLatch(1);
            final Thread[] producers = {producer(closing, account, go), producer(closing, account, go)};
            go.countDown();
            spin(round);
            closing.close();
            for (final Thread producer : producers) {
                producer.join();
            }
            assertThat(account.liveBytes()).as("round=%d", round).isZero();
        }
    }

    private static Thread producer(final Inbox inbox, final MemoryAccount account, final CountDownLatch go) {
        final Thread thread = new Thread(() -> {
            try (Deliveries own = new Deliveries(account)) {
                go.await();
                for (int i = 0; i < 20; i++) {
                    inbox.deliver(own.of(0, 0, i));
                }
            } catch (final InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        thread.start();
        return thread;
    }

    private static Delivery take(final Inbox inbox) {
        Delivery delivery = inbox.poll();
        while (delivery == null) {
            inbox.park(NOTHING_ELSE, Long.MAX_VALUE);
            delivery = inbox.poll();
        }
        return delivery;
    }

    private static void spin(final int count) {
        for (int i = 0; i < count; i++) {
            Thread.onSpinWait();
        }
    }
}
