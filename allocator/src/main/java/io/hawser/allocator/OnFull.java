package io.hawser.allocator;

/**
 * What a push does when its channel is full: when so much is on its way to the target that has not been consumed that the target grants no more.
 *
 * <p><em>Threading:</em> immutable.
 */
public enum OnFull {
    /**
     * The push waits until there is room, or the cluster is lost. While it waits the worker pulls nothing, so workers that push to each other in a
     * circle can come to a standstill; one that would wait for itself gets a {@link StandstillException}.
     */
    WAIT,

    /**
     * The push is not taken, and says so: {@link PushResult#REFUSED}. The worker does something else, and pushes again. A message has to fit a frame and half of
     * {@link io.hawser.transport.ClusterConfig#channelWindow()}, 128 KiB with the defaults; a longer one is written piece by piece, {@link RawPusher#write}.
     */
    REFUSE,

    /**
     * The message goes to a file, and from there on its way once there is room, in order. Pushing never waits for a slow target; what it may take is bounded by
     * {@link io.hawser.transport.ClusterConfig#spillLimit()}. Needs module {@code hawser-spill}.
     */
    SPILL
}
