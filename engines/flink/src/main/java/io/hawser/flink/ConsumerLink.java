package io.hawser.flink;

import io.hawser.fate.HealthLostException;
import io.hawser.transport.PeerLink;
import io.hawser.transport.SendLane;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicBoolean;
import org.agrona.ExpandableArrayBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sending of the consumer's end of a link: control, in order, kept while the link is still dialled.
 *
 * <p><em>Threading:</em> for the thread of its {@link ShuffleAgent}; {@link #tell} and {@link #onRoomNews} are for any.
 */
final class ConsumerLink implements LinkDuty {
    private static final Logger LOG = LoggerFactory.getLogger(ConsumerLink.class);

    private final ShuffleAgent agent;
    private final ArrayDeque<Control> outbox = new ArrayDeque<>();

    /** The record that is next, encoded; credit that stands in it has been taken from its channel. */
    private final ExpandableArrayBuffer next = new ExpandableArrayBuffer();

    private int nextLength;

    private final AtomicBoolean isRoomTold = new AtomicBoolean();

    private PeerLink link;

    /** Null before the link is open, and when it is over. */
    private RingWriter writer;

    private SendLane lane;
    private boolean isHangUpWanted;
    private boolean isOver;

    ConsumerLink(final ShuffleAgent agent) {
        this.agent = agent;
    }

    /** Sends something after what was told before. Any thread. */
    void tell(final Control control) {
        agent.execute(() -> {
            if (!isOver) {
                outbox.add(control);
            }
        });
    }

    /** The link is there. */
    void open(final PeerLink opened) {
        link = opened;
        if (isOver) {
            opened.hangUp();
            return;
        }
        try {
            writer = new RingWriter(opened, this::onRoomNews);
            lane = writer.openLane(ControlRecord.CHANNEL_ID);
            agent.add(this);
        } catch (final HealthLostException lost) {
            LOG.debug("a link was lost before it was used: link={}", opened, lost);
        }
    }

    /** Nobody needs the link any more: hangs up once all is told. */
    void hangUp() {
        isHangUpWanted = true;
        if (link == null) {
            isOver = true; // still dialled
        }
    }

    /** The link is over, or there is none. Idempotent. */
    void onEnded() {
        isOver = true;
        outbox.clear();
        nextLength = 0;
        letGo();
    }

    private void onRoomNews() {
        if (!isRoomTold.getAndSet(true)) {
            agent.execute(this::onRoom);
        }
    }

    private void onRoom() {
        isRoomTold.set(false);
        if (writer != null) {
            writer.onRoom();
        }
    }

    @Override
    public boolean work() {
        if (writer == null) {
            return false;
        }
        try {
            final boolean isBusy = sendAll();
            if (isHangUpWanted && outbox.isEmpty() && nextLength == 0) {
                onEnded();
                link.hangUp();
            } else {
                writer.flush();
            }
            return isBusy;
        } catch (final HealthLostException lost) {
            onEnded();
            return true;
        }
    }

    private boolean sendAll() {
        boolean isBusy = false;
        while (nextLength > 0 || encodeNext()) {
            final int index = writer.claim(lane, nextLength);
            if (index < 0) {
                return isBusy;
            }
            writer.ring().buffer().putBytes(index, next, 0, nextLength);
            writer.ring().commit();
            nextLength = 0;
            isBusy = true;
        }
        return isBusy;
    }

    private boolean encodeNext() {
        while (nextLength == 0 && !outbox.isEmpty()) {
            nextLength = outbox.poll().encode(next);
            if (nextLength > writer.ring().recordLimit()) {
                LOG.error(
                        "a task event is longer than what a link takes, and is not sent: length={} limit={} {}",
                        nextLength,
                        writer.ring().recordLimit(),
                        this);
                nextLength = 0;
            }
        }
        return nextLength > 0;
    }

    @Override
    public void look() {
        // whatever is news is told
    }

    private void letGo() {
        if (writer != null) {
            agent.remove(this);
            writer.close();
            writer = null;
        }
    }

    @Override
    public String toString() {
        return "consumer's end of " + link;
    }
}
