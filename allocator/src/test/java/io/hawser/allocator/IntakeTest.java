package io.hawser.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.fate.Cause;
import io.hawser.fate.CauseKind;
import io.hawser.fate.Clock;
import io.hawser.fate.Health;
import io.hawser.fate.HealthLostException;
import io.hawser.transport.MemoryAccount;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class IntakeTest {
    private static final long FOR_EVER = Long.MAX_VALUE;

    private final Inbox inbox = new Inbox();
    private final Health health = Health.root("test");
    private final LiveSources sources = new LiveSources(2, new Inbox[] {inbox});
    private final Intake intake = new Intake(
            inbox,
            health,
            sources,
            Clock.system(),
            Outboxes.local(inbox, health, 1).room(),
            new NoticeBox(inbox),
            Integer.MAX_VALUE);
    private final Deliveries deliveries = new Deliveries(new MemoryAccount());

    /** Case 29. */
    @Test
    void shouldKeepEverythingInOrderWhenChannelIsAllocatedLate() {
        final ChannelQueue other = intake.allocate(0, 0);
        inbox.deliver(deliveries.of(7, 3, 1, 2));
        inbox.deliver(deliveries.of(7, 3, 3));
        assertThat(other.hasMessage()).isFalse();
        inbox.deliver(deliveries.of(7, 3, 4));

        assertThat(drain(intake.allocate(0, 7))).containsExactly(1L, 2L, 3L, 4L);
    }

    @Test
    void shouldRefuseChannelWhenAllocatedBefore() {
        intake.allocate(0, 7);

        assertThatThrownBy(() -> intake.checkUnused(0, 7))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("channelId=7");
    }

    @Test
    void shouldReleaseSlabWhenLastMessageIsConsumed() {
        final ChannelQueue queue = intake.allocate(0, 0);
        final Delivery delivery = deliveries.of(0, 5, 1, 2);
        inbox.deliver(delivery);

        assertThat(queue.hasMessage()).isTrue();
        assertThat(queue.sourceWorker()).isEqualTo(5);
        queue.beginUse();
        queue.consume();
        assertThat(delivery.slab().references()).isOne();
        queue.beginUse();
        queue.consume();
        assertThat(delivery.slab().references()).isZero();
    }

    @Test
    void shouldReturnAtOnceWhenSomethingIsUnpulled() {
        intake.allocate(0, 0);
        final ChannelQueue queue = intake.allocate(0, 1);
        inbox.deliver(deliveries.of(0, 0, 1));
        assertThat(queue.hasMessage()).isFalse();

        assertThat(intake.await(FOR_EVER)).isTrue();
    }

    @Test
    void shouldReturnAtOnceWhenLateAllocatedChannelHasMessages() {
        inbox.deliver(deliveries.of(0, 0, 1));
        assertThat(intake.await(0)).isFalse();

        intake.allocate(0, 0);

        assertThat(intake.await(FOR_EVER)).isTrue();
    }

    @Test
    void shouldTimeOutWhenNothingArrives() {
        intake.allocate(0, 0);

        assertThat(intake.await(1_000_000)).isFalse();
    }

    @Test
    void shouldReturnEarlyWhenThreadIsInterrupted() {
        Thread.currentThread().interrupt();

        assertThat(intake.await(FOR_EVER)).isFalse();
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void shouldSayEndOfStreamWhenNobodyCanSendAnyMore() {
        intake.allocate(0, 0);
        inbox.deliver(deliveries.of(7, 0, 1));
        sources.end();

        assertThatThrownBy(() -> intake.await(FOR_EVER))
                .isInstanceOf(EndOfStreamException.class)
                .hasMessageContaining("openChannels=1 unallocatedChannelsWithMessages=1");
    }

    @Test
    void shouldDeliverLastMessagesBeforeEndOfStream() {
        final ChannelQueue queue = intake.allocate(0, 0);
        inbox.deliver(deliveries.of(0, 0, 1));
        sources.end();

        assertThat(intake.await(FOR_EVER)).isTrue();
        assertThat(drain(queue)).containsExactly(1L);
        assertThatThrownBy(() -> intake.await(FOR_EVER)).isInstanceOf(EndOfStreamException.class);
    }

    @Test
    void shouldThrowWhenHealthIsLost() {
        health.lose(Cause.builder(CauseKind.PEER_LOST)
                .subjectProcess(1)
                .observerProcess(0)
                .generation(1)
                .build());

        assertThatThrownBy(() -> intake.await(FOR_EVER)).isInstanceOf(HealthLostException.class);
    }

    @Test
    void shouldReleaseEverythingWhenClosed() {
        final ChannelQueue queue = intake.allocate(0, 0);
        final List<Delivery> all = List.of(
                deliveries.of(0, 0, 1, 2), deliveries.of(0, 0, 3), deliveries.of(9, 0, 4), deliveries.of(0, 0, 5));
        all.subList(0, 3).forEach(inbox::deliver);
        assertThat(queue.hasMessage()).isTrue();
        assertThat(intake.fetch(intake.allocate(0, 1))).isFalse();

        intake.close();
        inbox.deliver(all.get(3));

        assertThat(all)
                .allSatisfy(delivery -> assertThat(delivery.slab().references()).isZero());
    }

    /** Case 104: what is closed gives memory and credit back, also for what comes afterwards. */
    @Test
    void shouldGiveBackWhatComesForAClosedChannel() {
        final ChannelQueue queue = intake.allocate(0, 0);
        final ChannelQueue other = intake.allocate(0, 1);
        inbox.deliver(deliveries.of(0, 0, 1));
        assertThat(queue.hasMessage()).isTrue();

        intake.close(queue, false);
        final Delivery late = deliveries.of(0, 0, 2);
        inbox.deliver(late);
        inbox.deliver(deliveries.of(1, 0, 3));

        assertThat(drain(other)).containsExactly(3L);
        assertThat(late.slab().references()).isZero();
        assertThat(deliveries.consumedBytes()).isEqualTo(3 * Deliveries.CHARGE);
        assertThat(intake.discardedCount()).isEqualTo(2);
        assertThatThrownBy(() -> intake.checkUnused(0, 0)).hasMessageContaining("channelId=0");
    }

    private static List<Long> drain(final ChannelQueue queue) {
        final List<Long> messages = new ArrayList<>();
        while (queue.hasMessage()) {
            queue.beginUse();
            messages.add(queue.buffer().getLong(queue.messageOffset()));
            queue.consume();
        }
        return messages;
    }
}
