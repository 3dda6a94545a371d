package io.hawser.transport;

import org.agrona.collections.LongHashSet;

/**
 * The scopes in which nothing is pushed or pulled any more and of which something may still be under way. Asked for each frame: without any it costs one
 * read, and it never allocates.
 *
 * <p><em>Threading:</em> any; changes replace the set as a whole.
 */
final class StoppedScopes {

    /** Never changed once it stands here; null if there is none. */
    private volatile LongHashSet ids;

    boolean contains(final long scopeId) {
        final LongHashSet now = ids;
        return now != null && now.contains(scopeId);
    }

    synchronized void add(final long scopeId) {
        final LongHashSet more = copy();
        more.add(scopeId);
        ids = more;
    }

    synchronized void remove(final long scopeId) {
        final LongHashSet fewer = copy();
        fewer.remove(scopeId);
        ids = fewer.isEmpty() ? null : fewer;
    }

    private LongHashSet copy() {
        final LongHashSet copy = new LongHashSet();
        if (ids != null) {
            copy.addAll(ids);
        }
        return copy;
    }
}
