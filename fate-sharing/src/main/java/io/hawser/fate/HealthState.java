package io.hawser.fate;

/**
 * What a scope of health is. It leaves {@link #HEALTHY} once and for all.
 *
 * <p><em>Threading:</em> immutable.
 */
public enum HealthState {
    /** Nothing has failed and nothing has ended. */
    HEALTHY,
    /** It failed; there is a cause. */
    LOST,
    /** It ended cleanly; it cannot fail any more. */
    ENDED
}
