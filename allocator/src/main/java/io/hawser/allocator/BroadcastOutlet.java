package io.hawser.allocator;

import org.agrona.MutableDirectBuffer;

/**
 * An outlet to all workers of the cluster. The message is written once, for the workers of this process, which share it; from there it is
 * copied once for each other process, whose workers share it too.
 *
 * <p><em>Threading:</em> the worker's thread.
 */
final class BroadcastOutlet extends Outlet {
    private final LocalOutlet here;
    private final RingOutlet[] elsewhere;
    private int offset;
    private int length;

    BroadcastOutlet(final Outbox outbox, final int channelId, final LocalOutlet here, final RingOutlet[] elsewhere) {
        super(outbox, channelId);
        this.here = here;
        this.elsewhere = elsewhere;
    }

    @Override
    MutableDirectBuffer buffer() {
        return here.buffer();
    }

    @Override
    int doClaim(final int messageLength) {
        length = messageLength;
        offset = here.doClaim(messageLength);
        return offset;
    }

    @Override
    void doCommit() {
        boolean isCopied = false;
        try {
            for (final RingOutlet outlet : elsewhere) {
                final int copyOffset = outlet.doClaim(length);
                outlet.buffer().putBytes(copyOffset, here.buffer(), offset, length);
                outlet.doCommit();
            }
            isCopied = true;
        } finally {
            if (!isCopied) {
                here.doAbort();
            }
        }
        here.doCommit();
    }

    @Override
    void doAbort() {
        here.doAbort();
    }
}
