package io.hawser.allocator;

/**
 * The attempts to place one task: at most one at a time that counts.
 *
 * <p><em>Threading:</em> one thread.
 */
final class TaskAttempts {
    final int index;
    final PlacementTask task;
    final Candidates candidates;

    /** The one that counts; null while none can be made. */
    Attempt current;

    /** Global index of the worker that was asked last, −1 before. */
    int worker = -1;

    int count;

    /** Why the last attempt came to nothing. */
    String lastReason = "";

    TaskAttempts(final int index, final PlacementTask task, final Candidates candidates) {
        this.index = index;
        this.task = task;
        this.candidates = candidates;
    }

    boolean isIn(final Attempt.State state) {
        return current != null && current.state == state;
    }

    boolean canHaveRun() {
        return isIn(Attempt.State.WENT);
    }
}
