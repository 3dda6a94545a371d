package io.hawser.fate;

import java.util.concurrent.ThreadFactory;

/**
 * Holds a root that nobody else can end. The owner hands the {@link Health} out: anybody may ask it, lose it and listen to it, but
 * a try-with-resources in the wrong place must not switch the detection of failures off.
 *
 * <p><em>Threading:</em> as {@link Health}.
 */
public final class HealthOwner {
    private final Health health;

    private HealthOwner(Health health) {
        this.health = health;
    }

    /**
     * A new owned root.
     *
     * @param name as for {@link Health#root(String, ThreadFactory)}.
     * @param threadFactory as there.
     * @return its owner.
     */
    public static HealthOwner root(String name, ThreadFactory threadFactory) {
        return new HealthOwner(new Health(name, null, Escalation.CONTAINED, threadFactory, 0, true));
    }

    /**
     * The scope to hand out. Its {@link Health#end()} and {@link Health#close()} throw.
     *
     * @return always the same.
     */
    public Health health() {
        return health;
    }

    /**
     * Ends the scope, cleanly, as {@link Health#end()} does for one that nobody owns.
     *
     * @return true if this call ended it; false if it is lost or ended already.
     */
    public boolean end() {
        return health.endNow();
    }
}
