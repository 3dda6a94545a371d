package io.hawser.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.fate.Clock;
import io.hawser.fate.Health;
import io.hawser.framing.RecordIterator;
import io.hawser.transport.LaneAddress;
import io.hawser.transport.LaneCells;
import io.hawser.transport.MemoryAccount;
import io.hawser.transport.SendRing;
import io.hawser.transport.SlabPool;
import io.hawser.transport.WindowPool;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LocalLaneTest {
    private static final int FIRST_WORKER = 2;
    private static final int SLAB_LENGTH = 256;
    private static final int ROW_LIMIT = 96;
    private static final int SLAB_LIMIT = 50;
    private static final int WINDOW = 1 << 20;

    private final MemoryAccount account = new MemoryAccount();
    private final List<SlabPool> pools = new ArrayList<>();
    private final Inbox[] inboxes = {new Inbox(), new Inbox()};
    private final InboxRouter router = new InboxRouter(
            FIRST_WORKER, inboxes, new NoticeBox[0], new ScopeBell[0], null, new LiveSources(inboxes.length, inboxes));
    private final LaneCells cells = new LaneCells(account, pools);
    private final LocalLane lane =
            new LocalLane(new SlabPool(SLAB_LENGTH, 2, account), cells, SLAB_LIMIT, router, 3, ROW_LIMIT);
    private final Map<LaneAddress, LocalWay> ways = new HashMap<>();

    @AfterEach
    void shouldHoldNoMemoryWhenClosed() {
        ways.values().forEach(LocalWay::releaseCell);
        lane.close();
        lane.close();
        pools.forEach(SlabPool::close);
        for (final Inbox inbox : inboxes) {
            inbox.close();
        }
        assertThat(account.liveBytes()).isZero();
    }

    @Test
    void shouldGiveRowOfRecordsWhenFlushed() {
        push(5, FIRST_WORKER, 1, 10);
        push(5, FIRST_WORKER, 1, 11);
        assertThat(inboxes[0].poll()).isNull();

        lane.flush();
        lane.flush();

        final Delivery row = inboxes[0].poll();
        assertThat(row.channelId()).isEqualTo(5);
        assertThat(row.sourceWorker()).isEqualTo(3);
        assertThat(read(row)).containsExactly(10L, 11L);
        assertThat(inboxes[0].poll()).isNull();
        assertThat(inboxes[1].poll()).isNull();
    }

    @Test
    void shouldSealRowWhenChannelOrTargetChanges() {
        push(5, FIRST_WORKER, 1, 1);
        push(6, FIRST_WORKER, 1, 2);
        push(6, FIRST_WORKER + 1, 1, 3);
        push(6, FIRST_WORKER, 2, 4);
        lane.flush();

        assertThat(read(inboxes[0].poll())).containsExactly(1L);
        assertThat(read(inboxes[0].poll())).containsExactly(2L);
        assertThat(read(inboxes[0].poll())).containsExactly(4L);
        assertThat(read(inboxes[1].poll())).containsExactly(3L);
        assertThat(read(inboxes[1].poll())).containsExactly(4L);
    }

    @Test
    void shouldShareOneSliceWhenRowGoesToAll() {
        push(0, FIRST_WORKER, 2, 7);
        lane.flush();

        final Delivery first = inboxes[0].poll();
        final Delivery second = inboxes[1].poll();
        assertThat(second.slab()).isSameAs(first.slab());
        assertThat(second.offset()).isEqualTo(first.offset());
        assertThat(first.slab().references()).isEqualTo(3); // the lane's and one for each worker
        first.release();
        second.release();
    }

    @Test
    void shouldSealRowWhenItIsFull() {
        for (int i = 0; i < 10; i++) {
            push(0, FIRST_WORKER, 1, i);
        }

        assertThat(read(inboxes[0].poll())).containsExactly(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L);
    }

    @Test
    void shouldKeepOrderWhenSlabsRunFull() {
        for (int i = 0; i < 1_000; i++) {
            push(0, FIRST_WORKER, 1, i);
        }
        lane.flush();

        final List<Long> received = new ArrayList<>();
        for (Delivery row = inboxes[0].poll(); row != null; row = inboxes[0].poll()) {
            received.addAll(read(row));
        }
        assertThat(received).hasSize(1_000).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void shouldReuseMemoryWhenAllIsRead() {
        for (int i = 0; i < 100; i++) {
            push(0, FIRST_WORKER, 1, i);
            lane.flush();
            assertThat(read(inboxes[0].poll())).containsExactly((long) i);
        }

        assertThat(account.liveBytes()).isEqualTo(SLAB_LENGTH);
    }

    @Test
    void shouldLeaveNoTraceWhenClaimIsAborted() {
        push(0, FIRST_WORKER, 1, 1);
        final int offset = lane.tryClaim(way(0, FIRST_WORKER, 1), Long.BYTES);
        lane.buffer().putLong(offset, 666);
        lane.abort();
        push(0, FIRST_WORKER, 1, 2);
        lane.tryClaim(way(1, FIRST_WORKER, 1), Long.BYTES);
        lane.abort();
        lane.flush();

        assertThat(read(inboxes[0].poll())).containsExactly(1L, 2L);
        assertThat(inboxes[0].poll()).isNull();
    }

    private void push(final int channelId, final int firstTarget, final int targetCount, final long message) {
        final int offset = lane.tryClaim(way(channelId, firstTarget, targetCount), Long.BYTES);
        lane.buffer().putLong(offset, message);
        lane.commit();
    }

    private LocalWay way(final int channelId, final int firstTarget, final int targetCount) {
        return ways.computeIfAbsent(
                new LaneAddress(0, channelId, 3, firstTarget, targetCount),
                address -> new LocalWay(
                        new ClusterScope(Health.root("local")),
                        lane,
                        new LocalCredit(
                                address,
                                WINDOW,
                                true,
                                new WindowPool(0, 0, Clock.system()),
                                new RoomSignal(inboxes[1]),
                                new GoneTargets(firstTarget, targetCount))));
    }

    /** L7: one message left unread in each slab must not keep all slabs. */
    @Test
    void shouldCopyRowsWhenUnreadOnesKeepTooManySlabs() {
        final List<Delivery> unread = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            push(0, FIRST_WORKER, 1, i);
            for (int j = 0; j < 20; j++) {
                push(1, FIRST_WORKER + 1, 1, j);
                lane.flush();
                read(inboxes[1].poll());
            }
            unread.add(inboxes[0].poll());
        }

        assertThat(account.liveBytes()).isLessThan(SLAB_LIMIT * SLAB_LENGTH + 1_000 * 12 + 4 * 4_096);
        for (int i = 0; i < unread.size(); i++) {
            assertThat(read(unread.get(i))).containsExactly((long) i);
        }
    }

    /** L7. */
    @Test
    void shouldStopAtTheWindowAndGoOnWhenHalfOfItIsConsumed() {
        final LocalWay way = way(0, FIRST_WORKER, 1);
        int pushed = 0;
        while (lane.tryClaim(way, Long.BYTES) >= 0) {
            lane.commit();
            pushed++;
        }
        assertThat(way.want(SendRing.NO_CREDIT)).isFalse();
        int left = pushed;
        while (!way.want(SendRing.NO_CREDIT)) {
            left -= read(inboxes[0].poll()).size();
        }

        assertThat(left).isBetween(pushed / 4, 3 * pushed / 4);
        assertThat(lane.tryClaim(way, Long.BYTES)).isNotNegative();
        lane.abort();
        for (Delivery row = inboxes[0].poll(); row != null; row = inboxes[0].poll()) {
            row.release();
        }
        assertThat(way.credit().sent()).isEqualTo(way.credit().least());
    }

    private static List<Long> read(final Delivery row) {
        final List<Long> messages = new ArrayList<>();
        final RecordIterator records = new RecordIterator().wrap(row.slab().buffer(), row.offset(), row.length());
        while (records.next()) {
            messages.add(row.slab().buffer().getLong(records.messageOffset()));
        }
        row.release();
        return messages;
    }
}
