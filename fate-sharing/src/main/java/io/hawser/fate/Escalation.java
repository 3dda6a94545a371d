package io.hawser.fate;

/**
 * Whether the failure of a scope is also the failure of the scope above it.
 *
 * <p><em>Threading:</em> immutable.
 */
public enum Escalation {
    /** What fails here ends here, and in the scopes below: the default (law L12). */
    CONTAINED,
    /** Parent and child share one fate in both directions. */
    TO_PARENT
}
