package io.hawser.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.fate.Clock;
import io.hawser.fate.Health;
import io.hawser.transport.MemoryAccount;
import io.hawser.transport.MessageTooLargeException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.Test;

class ChannelQueueTest {
    private static final int LIMIT = 10_000;

    private final Inbox inbox = new Inbox();
    private final Health health = Health.root("test");
    private final Intake intake = new Intake(
            inbox,
            health,
            new LiveSources(2, new Inbox[] {inbox}),
            Clock.system(),
            Outboxes.local(inbox, health, 1).room(),
            new NoticeBox(inbox),
            LIMIT);
    private final MemoryAccount account = new MemoryAccount();
    private final Deliveries deliveries = new Deliveries(account);
    private final Pattern pattern = new Pattern();
    private int channelCount;

    /**
     * L6: several sources, whole and cut messages, pieces in any order that a wire may give; read whole and piece by piece. Each source's messages come in order,
     * and everything is given back.
     */
    @Property(tries = 200)
    void shouldShowEachSourceInOrder(@ForAll final long seed) {
        final SplittableRandom random = new SplittableRandom(seed);
        final int channelId = channelCount++;
        final ChannelQueue queue = intake.allocate(0, channelId);
        final long madeBefore = deliveries.count();
        final long consumedBefore = deliveries.consumedBytes();
        final List<Source> sources = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            sources.add(new Source(i, channelId, random));
        }
        final Reader reader = new Reader();
        boolean isOver = false;
        while (!isOver) {
            isOver = sources.stream().allMatch(Source::isOver);
            final Source source = sources.get(random.nextInt(sources.size()));
            if (!source.isOver()) {
                inbox.deliver(source.next());
            }
            if (isOver || random.nextInt(3) == 0) {
                reader.read(queue, isOver ? Integer.MAX_VALUE : random.nextInt(4), random.nextBoolean());
            }
        }
        for (final Source source : sources) {
            assertThat(reader.next[source.index]).as("seed=%s", seed).isEqualTo(source.number);
        }
        assertThat(deliveries.consumedBytes() - consumedBefore)
                .isEqualTo((deliveries.count() - madeBefore) * Deliveries.CHARGE);
        assertThat(queue.hasMessage()).isFalse();
    }

    /** While one source's message is put together, others' whole messages pass, their cut ones wait, and what follows those. */
    @Test
    void shouldPostponeOtherCutMessagesUntilTheFirstIsComplete() {
        final ChannelQueue queue = intake.allocate(0, 0);
        inbox.deliver(deliveries.fragment(0, 1, 10, 200, 0, 100));
        inbox.deliver(deliveries.fragment(0, 2, 20, 200, 0, 100));
        inbox.deliver(deliveries.of(0, 3, 33));
        inbox.deliver(deliveries.fragment(0, 2, 20, 200, 100, 100));
        inbox.deliver(deliveries.of(0, 2, 22));
        assertThat(next(queue)).isEqualTo("3:8");
        assertThat(queue.hasMessage()).isFalse();
        assertThat(intake.await(0)).isFalse(); // nothing that a pull could give out
        inbox.deliver(deliveries.fragment(0, 1, 10, 200, 100, 100));
        inbox.deliver(deliveries.of(0, 1, 11));
        assertThat(intake.await(0)).isTrue();
        assertThat(next(queue)).isEqualTo("1:200");
        assertThat(intake.await(0)).isTrue();
        assertThat(next(queue)).isEqualTo("2:200");
        assertThat(next(queue)).isEqualTo("2:8");
        assertThat(next(queue)).isEqualTo("1:8");
        assertThat(queue.hasMessage()).isFalse();
        assertThat(deliveries.consumedBytes()).isEqualTo(deliveries.count() * Deliveries.CHARGE);
    }

    /** L8: whatever state it is in, closing gives everything back. */
    @Test
    void shouldGiveEverythingBackWhenClosedAmidMessages() {
        final ChannelQueue queue = intake.allocate(0, 0);
        inbox.deliver(deliveries.fragment(0, 1, 10, 300, 0, 100));
        inbox.deliver(deliveries.fragment(0, 2, 20, 200, 0, 100));
        inbox.deliver(deliveries.of(0, 3, 1, 2, 3));
        inbox.deliver(deliveries.of(0, 4, 1));
        assertThat(next(queue)).isEqualTo("3:8");
        assertThat(queue.hasMessage()).isTrue();
        intake.close(queue, false);
        inbox.deliver(deliveries.fragment(0, 1, 10, 300, 100, 100));
        assertThat(intake.await(0)).isFalse();
        assertThat(deliveries.consumedBytes()).isEqualTo(deliveries.count() * Deliveries.CHARGE);
    }

    /** What cannot be put together stays, and keeps the worker awake, until it is read piece by piece. */
    @Test
    void shouldKeepWhatIsTooLongUntilItIsReadInPieces() {
        final ChannelQueue queue = intake.allocate(0, 0);
        inbox.deliver(deliveries.fragment(0, 1, 5, LIMIT + 1, 0, 3_000));
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(queue::hasMessage).isInstanceOf(MessageTooLargeException.class);
            assertThat(intake.await(0)).isTrue();
        }
        assertThat(queue.pollFragment((buffer, offset, length, source, position, whole) -> {
                    assertThat(pattern.matches(5, 0, buffer, offset, length)).isTrue();
                    assertThat(length).isEqualTo(3_000);
                    assertThat(whole).isEqualTo(LIMIT + 1);
                }))
                .isTrue();
        assertThat(queue.hasMessage()).isFalse();
        inbox.deliver(deliveries.fragment(0, 1, 5, LIMIT + 1, 3_000, 3_000));
        assertThatThrownBy(queue::hasMessage)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("pollFragments")
                .hasMessageEndingWith("channelId=0 sourceWorker=1");
    }

    /** A piece whose handler throws counts as read, and the next one has its place. */
    @Test
    void shouldGoOnWithTheNextPieceWhenHandlerThrows() {
        final ChannelQueue queue = intake.allocate(0, 0);
        for (int position = 0; position < 300; position += 100) {
            inbox.deliver(deliveries.fragment(0, 1, 5, 300, position, 100));
        }
        final List<Long> positions = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> queue.pollFragment((buffer, offset, length, source, position, whole) -> {
                        positions.add(position);
                        throw new FaultyCodec.Fault();
                    }))
                    .isInstanceOf(FaultyCodec.Fault.class);
        }
        assertThat(positions).containsExactly(0L, 100L, 200L);
        assertThat(queue.pollFragment((buffer, offset, length, source, position, whole) -> {}))
                .isFalse();
        assertThat(deliveries.consumedBytes()).isEqualTo(3 * Deliveries.CHARGE);
    }

    @Test
    void shouldRefuseToBeReadFromWithinItself() {
        final ChannelQueue queue = intake.allocate(0, 0);
        inbox.deliver(deliveries.fragment(0, 1, 5, 300, 0, 100));
        inbox.deliver(deliveries.fragment(0, 1, 5, 300, 100, 100));
        queue.pollFragment((buffer, offset, length, source, position, whole) -> assertThatThrownBy(
                        () -> queue.pollFragment((b, o, l, s, p, w) -> {}))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("channelId=0"));
    }

    /** A handler that reads its own channel learns so before anything is taken, whatever comes next. */
    @Test
    void shouldLoseNothingWhenReadFromWithinItself() {
        final ChannelQueue queue = intake.allocate(0, 0);
        inbox.deliver(deliveries.fragment(0, 1, 5, 300, 0, 100));
        inbox.deliver(deliveries.fragment(0, 1, 5, 300, 100, 100));
        inbox.deliver(deliveries.fragment(0, 1, 5, 300, 200, 100));
        inbox.deliver(deliveries.of(0, 1, 7));
        inbox.deliver(deliveries.of(0, 1, 8));
        final List<Long> positions = new ArrayList<>();
        final FragmentHandler handler = (buffer, offset, length, source, position, whole) -> {
            positions.add(position);
            assertThatThrownBy(() -> queue.pollFragment((b, o, l, s, p, w) -> {}))
                    .isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(queue::hasMessage).isInstanceOf(IllegalStateException.class);
        };
        for (int i = 0; i < 4; i++) {
            assertThat(queue.pollFragment(handler)).isTrue();
        }
        assertThat(positions).containsExactly(0L, 100L, 200L, 0L);
        assertThat(next(queue)).isEqualTo("1:8");
        assertThat(queue.hasMessage()).isFalse();
        assertThat(deliveries.consumedBytes()).isEqualTo(deliveries.count() * Deliveries.CHARGE);
    }

    /** L7: a few bytes that are retained keep no slab, and no credit; what fills a fair part of its slab stays where it lies. */
    @Test
    void shouldRetainACopyWhenLittleLiesInTheSlab() {
        final ChannelQueue queue = intake.allocate(0, 0);
        inbox.deliver(deliveries.of(0, 3, 42, 43));
        final long[] many = new long[Deliveries.SLAB_LENGTH / 4 / 8];
        inbox.deliver(deliveries.of(0, 3, many));
        final List<RetainedMessage> kept = new ArrayList<>();
        while (queue.hasMessage()) {
            queue.beginUse();
            kept.add(queue.retain());
            queue.consume();
        }
        assertThat(kept).hasSize(2 + many.length);
        assertThat(kept.get(1).buffer().getLong(kept.get(1).offset())).isEqualTo(43);
        assertThat(kept.get(1).length()).isEqualTo(8);
        assertThat(kept.get(1).sourceWorker()).isEqualTo(3);
        assertThat(deliveries.consumedBytes()).isEqualTo(Deliveries.CHARGE);
        kept.subList(0, 2).forEach(RetainedMessage::close);
        assertThatThrownBy(kept.get(0)::buffer).isInstanceOf(IllegalStateException.class);
        kept.subList(2, kept.size()).forEach(RetainedMessage::close);
        assertThat(deliveries.consumedBytes()).isEqualTo(2 * Deliveries.CHARGE);
    }

    private static String next(final ChannelQueue queue) {
        assertThat(queue.hasMessage()).isTrue();
        queue.beginUse();
        final String text = queue.sourceWorker() + ":" + queue.messageLength();
        queue.consume();
        return text;
    }

    /** Makes messages whose seed is their number, now whole, now cut. */
    private final class Source {
        private final int index;
        private final int channelId;
        private final SplittableRandom random;
        private final int count;
        private int number;
        private int length;
        private int done;

        Source(final int index, final int channelId, final SplittableRandom random) {
            this.index = index;
            this.channelId = channelId;
            this.random = random;
            this.count = random.nextInt(12);
        }

        boolean isOver() {
            return done == 0 && number >= count;
        }

        Delivery next() {
            if (done == 0 && random.nextBoolean()) {
                final long[] numbers = new long[1 + random.nextInt(3)];
                for (int i = 0; i < numbers.length; i++) {
                    numbers[i] = number++;
                }
                return deliveries.of(channelId, index, numbers);
            }
            if (done == 0) {
                length = 9 + random.nextInt(1_000);
            }
            final int position = done;
            final int most = Math.min(300, length - position - (position == 0 ? 1 : 0));
            final int part = 1 + random.nextInt(most);
            done += part;
            final Delivery fragment = deliveries.fragment(channelId, index, number, length, position, part);
            if (done == length) {
                done = 0;
                number++;
            }
            return fragment;
        }
    }

    private final class Reader implements FragmentHandler {
        private final int[] next = new int[3];
        private final long[] position = new long[3];

        void read(final ChannelQueue queue, final int limit, final boolean isWhole) {
            boolean isMore = true;
            for (int i = 0; i < limit && isMore; i++) {
                isMore = isWhole && !isAmid() ? readWhole(queue) : queue.pollFragment(this);
            }
        }

        private boolean isAmid() {
            return position[0] + position[1] + position[2] > 0;
        }

        private boolean readWhole(final ChannelQueue queue) {
            if (!queue.hasMessage()) {
                return false;
            }
            queue.beginUse();
            final int length = queue.messageLength();
            onFragment(queue.buffer(), queue.messageOffset(), length, queue.sourceWorker(), 0, length);
            queue.consume();
            return true;
        }

        @Override
        public void onFragment(
                final DirectBuffer buffer,
                final int offset,
                final int length,
                final int source,
                final long at,
                final long messageLength) {
            assertThat(at).isEqualTo(position[source]);
            if (messageLength == Long.BYTES) {
                assertThat(buffer.getLong(offset)).isEqualTo(next[source]);
            } else {
                assertThat(pattern.matches(next[source], at, buffer, offset, length))
                        .isTrue();
            }
            position[source] = at + length == messageLength ? 0 : at + length;
            next[source] += at + length == messageLength ? 1 : 0;
        }
    }
}
