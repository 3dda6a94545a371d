package io.hawser.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.fate.Clock;
import io.hawser.fate.Health;
import io.hawser.framing.RecordIterator;
import io.hawser.transport.ClusterConfig;
import io.hawser.transport.LaneCells;
import io.hawser.transport.MemoryAccount;
import io.hawser.transport.SendRing;
import io.hawser.transport.SlabPool;
import io.hawser.transport.WindowPool;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** The sending half of worker 0 of two that share a process; the test reads for worker 1. */
class OutboxTest {
    private static final int WINDOW = 8 * 1024;

    private final MemoryAccount account = new MemoryAccount();
    private final List<SlabPool> pools = new ArrayList<>();
    private final Inbox[] inboxes = {new Inbox(), new Inbox()};
    private final Health health = Health.root("test");
    private final LiveSources sources = new LiveSources(2, inboxes);
    private final FaultyStore store = new FaultyStore();
    private final Outbox outbox = newOutbox();
    private final Pattern pattern = new Pattern();

    /** A gathered message that cannot be spilled is not gone: its last bytes were not taken, and may be written again. */
    @Test
    void shouldKeepGatheredMessageWhenItCannotBeSpilled() {
        final ChannelOut channel = outbox.open(new ClusterScope(health), 0, OnFull.SPILL);
        final UnicastOutlet outlet = channel.toEach().get(1);
        final UnsafeBuffer message = new UnsafeBuffer(Pattern.message(5, 1_000));
        fill(outlet);
        final MessageWriter writer = outbox.write(outlet, 1_000);
        assertThat(writer.write(message, 0, 600)).isEqualTo(600);
        store.isFull = true;
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> writer.write(message, 600, 400)).isInstanceOf(FaultyCodec.Fault.class);
            assertThat(writer.remaining()).isEqualTo(400);
            assertThatThrownBy(writer::close).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> outlet.claim(1)).hasMessageContaining("remaining=400");
        }
        store.isFull = false;
        assertThat(writer.write(message, 600, 400)).isEqualTo(400);
        writer.close();
        assertThat(writer.write(message, 0, 0)).isZero();
        byte[] last = {};
        for (int i = 0; i < 3; i++) {
            outbox.flush();
            last = readAll(last);
        }
        assertThat(last).hasSize(1_000);
        assertThat(pattern.matches(5, 0, new UnsafeBuffer(last), 0, 1_000)).isTrue();
        outbox.close();
    }

    /** Copied piece by piece: a part of a gigabyte is not copied as a whole. */
    @Test
    void shouldSpillStreamedPartsInSmallPieces() {
        final ChannelOut channel = outbox.open(new ClusterScope(health), 0, OnFull.SPILL);
        final UnicastOutlet outlet = channel.toEach().get(1);
        final int length = 3 * SpillLane.PART_MAX + 5_000;
        final MessageWriter writer = outbox.write(outlet, length);
        assertThat(writer.write(new UnsafeBuffer(Pattern.message(6, length)), 0, length))
                .isEqualTo(length);
        assertThat(store.lengths).hasSizeBetween(3, 4).allMatch(piece -> piece <= SpillLane.PART_MAX + 16);
        int position = 0;
        while (position < length) {
            outbox.flush();
            for (Delivery part = inboxes[1].poll(); part != null; part = inboxes[1].poll()) {
                final int prefix = part.isBegin() ? Long.BYTES : 0;
                assertThat(pattern.matches(
                                6, position, part.slab().buffer(), part.offset() + prefix, part.length() - prefix))
                        .isTrue();
                position += part.length() - prefix;
                part.release();
            }
        }
        assertThat(position).isEqualTo(length);
        outbox.close();
    }

    /** What was refused and has gone since is nothing to wait for. */
    @Test
    void shouldForgetTheRefusalWhenThePushSucceeds() {
        final ChannelOut channel = outbox.open(new ClusterScope(health), 0, OnFull.REFUSE);
        final UnicastOutlet outlet = channel.toEach().get(1);
        fill(outlet);
        assertThat(outbox.room().hasRefused()).isTrue();
        readAll(new byte[0]);
        assertThat(outlet.claim(1_000)).isNotNegative();
        outlet.commit();
        assertThat(outbox.room().hasRefused()).isFalse();
        fill(outlet);
        assertThat(outbox.room().hasRefused()).isTrue();
        readAll(new byte[0]);
        assertThat(outbox.room().isRoomMade()).isTrue();
        assertThat(outbox.room().hasRefused()).isFalse();
        assertThat(outlet.claim(1_000)).isNotNegative();
        outlet.commit();

        final MessageWriter writer = outbox.write(outlet, 3 * WINDOW);
        final UnsafeBuffer message = new UnsafeBuffer(new byte[3 * WINDOW]);
        final int first = writer.write(message, 0, 3 * WINDOW);
        assertThat(first).isLessThan(3 * WINDOW);
        assertThat(outbox.room().hasRefused()).isTrue();
        readAll(new byte[0]);
        assertThat(writer.write(message, 0, 100)).isEqualTo(100);
        assertThat(outbox.room().hasRefused()).isFalse();
        outbox.close();
    }

    /** L8: one thing that cannot be given back keeps no other. */
    @Test
    void shouldGiveBackTheRestWhenSomethingFailsToClose() {
        for (int id = 0; id < 3; id++) {
            final UnicastOutlet outlet = outbox.open(new ClusterScope(health), id, OnFull.SPILL)
                    .toEach()
                    .get(1);
            for (int i = 0; i < 30; i++) {
                push(outlet, 1_000);
            }
        }
        for (final Inbox inbox : inboxes) {
            inbox.close();
        }
        assertThat(account.liveBytes()).isPositive();
        store.isStuck = true;
        assertThatThrownBy(outbox::close).isInstanceOf(FaultyCodec.Fault.class);
        pools.forEach(SlabPool::close);
        assertThat(account.liveBytes()).isZero();
    }

    private static void push(final Outlet outlet, final int length) {
        final int offset = outlet.claim(length);
        outlet.buffer().setMemory(offset, length, (byte) 0);
        outlet.commit();
    }

    /** Until the window is used up, and the channel refuses or spills. */
    private void fill(final UnicastOutlet outlet) {
        if (outlet.spill() == null) {
            while (outlet.claim(1_000) >= 0) {
                outlet.commit();
            }
        } else {
            while (outlet.spill().isEmpty()) {
                push(outlet, 1_000);
            }
        }
    }

    /** Reads what has come as records; returns the last of them. */
    private byte[] readAll(final byte[] before) {
        byte[] last = before;
        outbox.flush();
        for (Delivery row = inboxes[1].poll(); row != null; row = inboxes[1].poll()) {
            final RecordIterator records = new RecordIterator().wrap(row.slab().buffer(), row.offset(), row.length());
            while (!row.isFragment() && records.next()) {
                last = new byte[records.messageLength()];
                row.slab().buffer().getBytes(records.messageOffset(), last);
            }
            row.release();
        }
        return last;
    }

    private Outbox newOutbox() {
        final ClusterConfig config =
                Arrangement.tight(ClusterConfig.local(2).toBuilder()).build();
        final LocalLane lane = new LocalLane(
                new SlabPool(config.slabLength(), 4, account),
                new LaneCells(account, pools),
                0,
                new InboxRouter(0, inboxes, new NoticeBox[0], new ScopeBell[0], null, sources),
                0,
                Arrangement.FRAME_LIMIT - 40);
        return new Outbox(
                config,
                0,
                health,
                new ProgressStamp(),
                lane,
                new SendRing[] {null},
                new RoomSignal(inboxes[0]),
                new WindowPool(0, 0, Clock.system()),
                () -> store,
                null);
    }
}
