package io.hawser.flink;

/**
 * What a {@link ShuffleAgent} does for one link.
 *
 * <p><em>Threading:</em> for the agent's thread.
 */
interface LinkDuty {
    /** Sends what can be sent now, a bounded turn for each channel. {@return whether anything was done} */
    boolean work();

    /** Looks, now and then, for what nobody tells. */
    void look();
}
