package io.hawser.allocator;

import io.hawser.transport.ClusterConfig;
import io.hawser.transport.ConsumptionListener;
import io.hawser.transport.Mesh;
import io.hawser.transport.Notice;
import java.util.concurrent.atomic.AtomicLongArray;
import org.agrona.DirectBuffer;

/**
 * The way of the notices that this process sends: to other processes through the mesh, to its own workers into their boxes, within the same window.
 *
 * <p><em>Threading:</em> any thread.
 */
final class Notices implements ConsumptionListener {
    private final ClusterConfig config;
    private final Mesh mesh;
    private final NoticeBox[] boxes;

    /** By worker of this process: what this process has sent to it and it has not taken. */
    private final AtomicLongArray underway;

    Notices(final ClusterConfig config, final Mesh mesh, final NoticeBox[] boxes) {
        this.config = config;
        this.mesh = mesh;
        this.boxes = boxes;
        this.underway = new AtomicLongArray(boxes.length);
    }

    PushResult send(
            final int sourceWorker,
            final int target,
            final int channelId,
            final int kind,
            final DirectBuffer body,
            final int offset,
            final int length) {
        Worker.checkIndex(target, config.workerCount());
        mesh.health().check();
        final Notice notice =
                new Notice(config.processIndex(), sourceWorker, target, channelId, kind, body, offset, length);
        final int index = target - config.firstWorker(config.processIndex());
        final boolean isHere = index >= 0 && index < boxes.length;
        final boolean isTaken = isHere ? offerHere(notice, index) : mesh.offer(notice);
        return isTaken ? PushResult.PUSHED : PushResult.REFUSED;
    }

    @Override
    public void consumed(final int worker, final int bytes) {
        underway.addAndGet(worker - config.firstWorker(config.processIndex()), -bytes);
    }

    private boolean offerHere(final Notice notice, final int index) {
        long before;
        do {
            before = underway.get(index);
            if (before + notice.charge() > Notice.WINDOW) {
                return false;
            }
        } while (!underway.compareAndSet(index, before, before + notice.charge()));
        boolean isAdded = false;
        try {
            boxes[index].add(notice, this);
            isAdded = true;
        } finally {
            if (!isAdded) { // no memory
                consumed(notice.targetWorker(), notice.charge());
            }
        }
        return true;
    }
}
