package io.hawser.allocator;

/**
 * What became of a push.
 *
 * <p><em>Threading:</em> immutable.
 */
public enum PushResult {
    /** The message will be delivered. */
    PUSHED,

    /**
     * The channel is full and refuses: nothing was taken, and nothing is lost. Push again when {@link Worker#park()} or {@link Worker#awaitRoom} has returned. Only channels with
     * {@link OnFull#REFUSE} do this.
     */
    REFUSED,
    /**
     * Whoever it is for has dropped the channel, which is no failure: nothing was taken, and nothing pushed there will be read. Stop producing for it, and close the channel.
     */
    RECEIVER_GONE
}
