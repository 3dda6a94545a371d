package io.hawser.allocator;

import java.util.List;
import org.agrona.MutableDirectBuffer;

/**
 * An outlet to all workers of the cluster. The message is written once, and copied once for each process, whose workers share it.
 *
 * <p>One that is too long for the credit of a lane goes to each worker on its own: were it cut into fragments that all workers of a process share, two
 * workers that put together two such messages in different order would hold up each other's credit.
 *
 * <p><em>Threading:</em> the worker's thread.
 */
final class BroadcastOutlet extends Outlet {
    private final ProcessWays[] processes;
    private int length;

    BroadcastOutlet(final Outbox outbox, final ChannelOut channel, final List<ProcessWays> processes) {
        super(outbox, channel);
        this.processes = processes.toArray(new ProcessWays[0]);
    }

    @Override
    MutableDirectBuffer buffer() {
        return outbox.staging().buffer();
    }

    @Override
    boolean isReceiverGone() {
        for (final ProcessWays ways : processes) {
            for (final Way way : ways.toEach()) {
                if (!way.isReceiverGone()) {
                    return false;
                }
            }
        }
        return true;
    }

    @Override
    int doClaim(final int messageLength) {
        if (channel.onFull() == OnFull.REFUSE && !hasRoom(messageLength)) {
            return refuse(messageLength);
        }
        outbox.staging().ensure(messageLength);
        length = messageLength;
        return 0;
    }

    @Override
    void doCommit() {
        final MutableDirectBuffer message = outbox.staging().buffer();
        if (channel.onFull() == OnFull.WAIT) {
            for (final ProcessWays ways : processes) {
                checkNotStuck(ways); // before anybody gets it
            }
        }
        for (final ProcessWays ways : processes) {
            if (ways.spill() == null) {
                outbox.pushToAll(ways, message, 0, length);
            } else {
                ways.spill().push(ways.toAll(), message, 0, length);
            }
        }
        outbox.staging().shrink();
    }

    private void checkNotStuck(final ProcessWays ways) {
        if (length <= ways.toAll().wholeLimit()) {
            outbox.room().checkNotStuck(ways.toAll(), length);
            return;
        }
        for (final Way way : ways.toEach()) {
            outbox.room().checkNotStuck(way, length);
        }
    }

    @Override
    void doAbort() {
        // nothing was claimed
    }

    @Override
    boolean hasRoom(final int messageLength) {
        for (final ProcessWays ways : processes) {
            if (!outbox.room().hasRoom(ways.toAll(), messageLength)) {
                return false;
            }
        }
        return true;
    }
}
