package io.hawser.allocator;

import io.hawser.fate.Cause;
import io.hawser.transport.ClusterConfig;
import io.hawser.transport.Roster;

/**
 * The time between a generation that was lost and the next one, in one process.
 *
 * <p><em>Threading:</em> immutable.
 */
public final class Interlude {
    private final Outcomes<?> lost;
    private final Roster roster;
    private final Handover handover;
    private final ClusterConfig nextConfig;
    private final long restarts;

    Interlude(
            final Outcomes<?> lost,
            final Roster roster,
            final Handover handover,
            final ClusterConfig nextConfig,
            final long restarts) {
        this.lost = lost;
        this.roster = roster;
        this.handover = handover;
        this.nextConfig = nextConfig;
        this.restarts = restarts;
    }

    /**
     * How the lost generation ended in this process.
     *
     * @return outcomes with a cause
     */
    public Outcomes<?> lost() {
        return lost;
    }

    /**
     * Why it was lost.
     *
     * @return the root cause; {@link Cause#subjectProcess()} is who failed first
     */
    public Cause cause() {
        return lost.cause();
    }

    /**
     * Who was in it.
     *
     * @return the members of the lost generation
     */
    public Roster roster() {
        return roster;
    }

    /**
     * What this process holds for the next one.
     *
     * @return what its workers have kept
     */
    public Handover handover() {
        return handover;
    }

    /**
     * What the next generation is formed with unless the hook says otherwise: the same settings, addresses as the directory lists them now.
     *
     * @return the settings
     */
    public ClusterConfig nextConfig() {
        return nextConfig;
    }

    /**
     * How often this process has formed again already, this time included.
     *
     * @return 1 or more
     */
    public long restarts() {
        return restarts;
    }
}
