package io.hawser.allocator;

import java.util.ArrayList;
import java.util.List;

/**
 * The sending half of one channel of one worker.
 *
 * <p><em>Threading:</em> the worker's thread.
 */
final class ChannelOut {
    private final ChannelScope scope;
    private final int id;
    private final OnFull onFull;
    private final List<UnicastOutlet> toEach = new ArrayList<>();
    private Outlet toAll;
    private List<ProcessWays> processes;

    /** The longest message that a push takes in one piece. */
    private long messageLimit;

    private MessageWriter writer;
    private boolean isClosed;

    ChannelOut(final ChannelScope scope, final int id, final OnFull onFull) {
        this.scope = scope;
        this.id = id;
        this.onFull = onFull;
    }

    void open(
            final List<ProcessWays> ways, final List<UnicastOutlet> outlets, final Outlet broadcast, final long limit) {
        processes = ways;
        toEach.addAll(outlets);
        toAll = broadcast;
        messageLimit = limit;
    }

    ChannelScope scope() {
        return scope;
    }

    int id() {
        return id;
    }

    OnFull onFull() {
        return onFull;
    }

    /** By global index of the target; null for workers that are no members. */
    List<UnicastOutlet> toEach() {
        return toEach;
    }

    Outlet toAll() {
        return toAll;
    }

    List<ProcessWays> processes() {
        return processes;
    }

    long messageLimit() {
        return messageLimit;
    }

    /** The message that is just being written piece by piece; null if there is none. */
    MessageWriter writer() {
        return writer;
    }

    void writer(final MessageWriter newWriter) {
        writer = newWriter;
    }

    boolean isClosed() {
        return isClosed;
    }

    void onClosed() {
        isClosed = true;
    }

    /** The outlet whose claim is open; null if it is none of this channel. */
    Outlet claimant() {
        for (final UnicastOutlet outlet : toEach) {
            if (outlet != null && outlet.isClaimant()) {
                return outlet;
            }
        }
        return toAll.isClaimant() ? toAll : null;
    }
}
