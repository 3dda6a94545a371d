package io.hawser.flink;

import io.hawser.transport.SendLane;
import io.hawser.transport.SendRing;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.flink.runtime.io.network.buffer.Buffer;
import org.apache.flink.runtime.io.network.buffer.Buffer.DataType;
import org.apache.flink.runtime.io.network.partition.BufferAvailabilityListener;
import org.apache.flink.runtime.io.network.partition.PartitionNotFoundException;
import org.apache.flink.runtime.io.network.partition.ResultPartition;
import org.apache.flink.runtime.io.network.partition.ResultPartitionID;
import org.apache.flink.runtime.io.network.partition.ResultPartitionProvider;
import org.apache.flink.runtime.io.network.partition.ResultSubpartition.BufferAndBacklog;
import org.apache.flink.runtime.io.network.partition.ResultSubpartitionIndexSet;
import org.apache.flink.runtime.io.network.partition.ResultSubpartitionView;
import org.apache.flink.runtime.io.network.partition.ResultSubpartitionView.AvailabilityWithBacklog;

/**
 * The producer's end of one channel: takes buffers from a subpartition view while the consumer has given credit, one for each data buffer and none for events, and writes them to the lane of the channel.
 *
 * <p>What Flink tells nobody, that a partition has been released, is looked for now and then by {@link #look}.
 *
 * <p><em>Threading:</em> for the thread of its link's {@link ShuffleAgent}, but for {@link #notifyDataAvailable} and {@link #notifyPriorityEvent}, which Flink calls from any thread and under its locks: they
 * enqueue, and nothing else.
 */
final class OutboundChannel implements BufferAvailabilityListener, Runnable {
    /** What became of a turn. */
    enum Turn {
        /** There is more, for another turn. */
        MORE,
        /** There is nothing, until somebody says so. */
        IDLE,
        /** The lane has no credit, until the ring says so. */
        NO_CREDIT,
        /** The ring is full, until it says so. */
        FULL
    }

    /** Bytes after which others have their turn. */
    private static final int TURN_LENGTH = 64 * 1024;

    private final ProducerLink link;
    private final int id;
    private final ResultPartitionID partition;
    private final ResultSubpartitionIndexSet subpartitions;
    private final int initialCredit;
    private final SendLane lane;

    /** Whether the agent is going to look at this channel anyway. */
    private final AtomicBoolean isNotified = new AtomicBoolean();

    private PartitionListener listener;
    private ResultSubpartitionView view;
    private int credit;
    private int backlogToTell;

    /** Taken from the view, and not written yet. */
    private BufferAndBacklog taken;

    private int takenSubpartition;

    /** Whether the view has said that there is more than what was taken last. */
    private boolean hasMore;

    private boolean isQueued;

    /** Subpartitions whose end has not been sent. */
    private int endsToSend;

    private boolean isEndSent;
    private OutboundEnd endToTell;
    private boolean isOver;

    OutboundChannel(
            final ProducerLink link,
            final int id,
            final ResultPartitionID partition,
            final ResultSubpartitionIndexSet subpartitions,
            final int initialCredit,
            final SendLane lane) {
        this.link = link;
        this.id = id;
        this.partition = partition;
        this.subpartitions = subpartitions;
        this.initialCredit = initialCredit;
        this.credit = initialCredit;
        this.endsToSend = subpartitions.size();
        this.lane = lane;
    }

    int id() {
        return id;
    }

    SendLane lane() {
        return lane;
    }

    /** Looks for the partition, or waits for it to be registered. */
    void request(final ResultPartitionProvider partitions) throws IOException {
        final PartitionListener waiting = new PartitionListener(this, partition, link.agent(), partitions);
        // before the view is there: a producer that registers at this moment calls the listener
        listener = waiting;
        view = partitions
                .createSubpartitionViewOrRegisterListener(partition, subpartitions, this, waiting)
                .orElse(null);
        if (view != null) {
            listener = null;
        }
    }

    /** The partition has been registered. */
    void onRegistered(final ResultPartition registered) {
        listener = null;
        if (isOver || view != null) {
            return;
        }
        try {
            view = registered.createSubpartitionView(subpartitions, this);
        } catch (final Throwable t) {
            fail(registered.isReleased() ? new PartitionNotFoundException(partition) : t);
        }
        link.enqueue(this);
    }

    /** The partition has not been registered in time. */
    void onNotRegistered() {
        listener = null;
        if (!isOver && view == null) {
            fail(new PartitionNotFoundException(partition));
            link.enqueue(this);
        }
    }

    void addCredit(final int more) {
        credit += more;
        link.enqueue(this);
    }

    void resume() {
        if (view == null) {
            return;
        }
        if (initialCredit == 0) {
            credit = 0; // the consumer has given back all its buffers meanwhile
        }
        view.resumeConsumption();
        link.enqueue(this);
    }

    void acknowledgeAll() {
        if (view != null) {
            view.acknowledgeAllDataProcessed();
        }
    }

    void newBufferSize(final int length) {
        if (view != null) {
            view.notifyNewBufferSize(length);
        }
    }

    void requireSegment(final int subpartition, final int segment) {
        if (view != null) {
            view.notifyRequiredSegmentId(subpartition, segment);
        }
    }

    @Override
    public void notifyDataAvailable(final ResultSubpartitionView ignored) {
        if (!isNotified.getAndSet(true)) {
            link.agent().execute(this);
        }
    }

    @Override
    public void notifyPriorityEvent(final int ignored) {
        notifyDataAvailable(null);
    }

    /** The agent's answer to a notification. */
    @Override
    public void run() {
        isNotified.set(false);
        link.enqueue(this);
    }

    boolean isQueued() {
        return isQueued;
    }

    void isQueued(final boolean isNow) {
        isQueued = isNow;
    }

    boolean isOver() {
        return isOver;
    }

    /** Whether the producer's side has ended the channel before the end of the partition. */
    boolean isEndedByProducer() {
        return endToTell != null;
    }

    /** Whether there is something to do, as far as is known without asking the view. */
    void look() {
        if (view != null && !isEndSent && endToTell == null && view.isReleased()) {
            onReleased();
            link.enqueue(this);
        }
    }

    /** Sends for one turn. */
    Turn send(final RingWriter writer) {
        int rest = TURN_LENGTH;
        while (!isOver) {
            if (taken == null && !take()) {
                return tell(writer);
            }
            final int length = BufferBytes.recordLength(taken.buffer());
            if (length > writer.ring().recordLimit()) {
                fail(new IOException("a buffer is longer than what a link takes: length=" + length + " limit="
                        + writer.ring().recordLimit()));
                continue;
            }
            final int index = writer.claim(lane, length);
            if (index < 0) {
                return index == SendRing.FULL ? Turn.FULL : Turn.NO_CREDIT;
            }
            write(writer.ring(), index, length);
            rest -= length;
            if (rest <= 0) {
                return Turn.MORE;
            }
        }
        return Turn.IDLE;
    }

    private boolean take() {
        if (view == null || isEndSent || endToTell != null) {
            return false;
        }
        try {
            if (!hasMore && !isAvailable()) {
                return false;
            }
            takenSubpartition =
                    subpartitions.size() == 1 ? subpartitions.getStartIndex() : view.peekNextBufferSubpartitionId();
            taken = view.getNextBuffer();
            if (taken == null) {
                hasMore = false;
                if (view.isReleased()) {
                    onReleased();
                }
                return false;
            }
            final Buffer buffer = taken.buffer();
            if (buffer.isBuffer() && --credit < 0) {
                throw new IllegalStateException("a buffer without credit: credit=" + credit);
            }
            final DataType next = taken.getNextDataType();
            hasMore = next != DataType.NONE && (credit > 0 || next.isEvent());
            return true;
        } catch (final Throwable t) {
            fail(t);
            return false;
        }
    }

    private boolean isAvailable() {
        final AvailabilityWithBacklog state = view.getAvailabilityAndBacklog(credit > 0);
        if (!state.isAvailable() && state.getBacklog() > 0 && initialCredit == 0 && credit == 0) {
            backlogToTell = state.getBacklog();
        }
        return state.isAvailable();
    }

    private void write(final SendRing ring, final int index, final int length) {
        final Buffer buffer = taken.buffer();
        try {
            BufferBytes.write(taken, takenSubpartition, ring.buffer(), index, length);
        } catch (final Throwable t) {
            ring.abort();
            fail(t);
            return;
        }
        ring.commit();
        taken = null;
        if (buffer.getDataType() == DataType.END_OF_PARTITION) {
            endsToSend -= BufferBytes.count(buffer);
            isEndSent = endsToSend <= 0;
        }
        link.metrics().sent(buffer.isBuffer(), length);
        buffer.recycleBuffer();
    }

    /** Sends what there is to say beside buffers. */
    private Turn tell(final RingWriter writer) {
        if (endToTell != null && !isEndSent) {
            final byte[] text = endToTell.text();
            final int index = writer.claim(lane, DataRecord.HEADER_LENGTH + text.length);
            if (index < 0) {
                return index == SendRing.FULL ? Turn.FULL : Turn.NO_CREDIT;
            }
            DataRecord.end(writer.ring().buffer(), index, endToTell.kind(), endToTell.flags());
            writer.ring().buffer().putBytes(index + DataRecord.HEADER_LENGTH, text);
            writer.ring().commit();
            isEndSent = true;
        } else if (backlogToTell > 0) {
            final int index = writer.claim(lane, DataRecord.HEADER_LENGTH);
            if (index < 0) {
                return index == SendRing.FULL ? Turn.FULL : Turn.NO_CREDIT;
            }
            DataRecord.backlog(writer.ring().buffer(), index, backlogToTell);
            writer.ring().commit();
            backlogToTell = 0;
        }
        return Turn.IDLE;
    }

    private void onReleased() {
        final Throwable cause = view.getFailureCause();
        if (cause == null) {
            endToTell = OutboundEnd.CANCELLED;
            link.onProducerCancelled(this);
        } else {
            fail(cause);
        }
    }

    /** Nothing more comes: the consumer is told why. */
    void fail(final Throwable cause) {
        if (endToTell == null && !isEndSent) {
            endToTell = OutboundEnd.of(cause);
            link.onProducerFailed(this, endToTell, cause);
        }
        dropTaken();
    }

    /** Lets go of everything that is Flink's. Idempotent. */
    void release() {
        isOver = true;
        dropTaken();
        if (listener != null) {
            listener.releaseListener();
            listener = null;
        }
        if (view != null) {
            try {
                view.releaseAllResources();
            } catch (final Throwable t) {
                link.onReleaseFailed(this, t);
            }
            view = null;
        }
    }

    private void dropTaken() {
        if (taken != null) {
            taken.buffer().recycleBuffer();
            taken = null;
        }
    }

    @Override
    public String toString() {
        return "channel " + id + " of partition " + partition + " subpartitions " + subpartitions;
    }
}
