package io.hawser.allocator;

import io.hawser.transport.LaneAddress;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * One lane as the worker that pushes sees it, whether it leads to another process or not. Never waits; what is lacking is a value,
 * {@link io.hawser.transport.SendRing#FULL} or {@link io.hawser.transport.SendRing#NO_CREDIT}.
 *
 * <p><em>Threading:</em> the worker's thread.
 */
abstract class Way {

    private final ChannelScope scope;

    Way(final ChannelScope scope) {
        this.scope = scope;
    }

    /** Throws if what it belongs to is over: then there is no use in waiting for room. */
    final void check() {
        scope.check();
    }

    /** Lets go of it because what it belongs to was stopped: what was pushed and not sent is dropped. */
    abstract void drop();

    abstract LaneAddress address();

    /** The longest message that {@link #tryClaim} bears. */
    abstract int recordLimit();

    /**
     * The longest message that there will be room for in one piece sooner or later, whatever was sent before. A longer one has to be cut, unless it fits at
     * the moment. Changes with the lane's window.
     */
    abstract long wholeLimit();

    /** Claims room for one message: where it goes in {@link #buffer()}, or what is lacking. */
    abstract int tryClaim(int length);

    abstract MutableDirectBuffer buffer();

    abstract void commit();

    abstract void abort();

    /** Sends the next fragment of a message: bytes taken, at least 1, or what is lacking. */
    abstract int tryFragment(long messageLength, long done, DirectBuffer source, int offset, int length);

    /** Asks for a {@link RoomSignal} once what was lacking may be there; true if it is there already. */
    abstract boolean want(int lack);

    /** Whether a message of that length, or a fragment, would wait for the pushing worker itself to pull. */
    abstract boolean isStuckWithout(int worker, int length);

    /** How much may be under way at most, as charged. */
    abstract long window();

    /** Whether the pushing worker has consumed all that it has pushed here, so that pulling would change nothing. */
    abstract boolean isEmptyFor(int worker);

    /** Whether nobody reads there any more: what is pushed is dropped. */
    abstract boolean isReceiverGone();

    /** Nothing more comes; false if that has to be tried again when there is room. */
    abstract boolean tryClose();
}
