package io.hawser.transport;

import java.util.ArrayList;
import java.util.List;
import org.agrona.collections.Long2ObjectHashMap;

/**
 * Lanes of one direction of a link by scope, then by key ({@link Lanes}), so that those of a scope go together.
 *
 * <p><em>Threading:</em> as whoever owns it says. Looking something up allocates nothing.
 *
 * @param <L> the lanes
 */
final class LaneTable<L> {

    private final Long2ObjectHashMap<Long2ObjectHashMap<L>> scopes = new Long2ObjectHashMap<>();
    private int size;

    /** The lane; null if there is none. */
    L get(final long scopeId, final long key) {
        final Long2ObjectHashMap<L> lanes = scopes.get(scopeId);
        return lanes == null ? null : lanes.get(key);
    }

    /** Keeps a lane unless there is one; returns the one that was there before, null if none was. */
    L putIfAbsent(final long scopeId, final long key, final L lane) {
        Long2ObjectHashMap<L> lanes = scopes.get(scopeId);
        if (lanes == null) {
            lanes = new Long2ObjectHashMap<>();
            scopes.put(scopeId, lanes);
        }
        final L before = lanes.putIfAbsent(key, lane);
        size += before == null ? 1 : 0;
        return before;
    }

    /** Removes a lane; false if it is not there, or another one is. */
    boolean remove(final long scopeId, final long key, final L lane) {
        final Long2ObjectHashMap<L> lanes = scopes.get(scopeId);
        if (lanes == null || lanes.get(key) != lane) {
            return false;
        }
        lanes.remove(key);
        size--;
        if (lanes.isEmpty()) {
            scopes.remove(scopeId);
        }
        return true;
    }

    /** All lanes of a scope. */
    List<L> ofScope(final long scopeId) {
        final Long2ObjectHashMap<L> lanes = scopes.get(scopeId);
        return lanes == null ? List.of() : new ArrayList<>(lanes.values());
    }

    /** Removes all lanes of a scope. */
    List<L> removeScope(final long scopeId) {
        final Long2ObjectHashMap<L> lanes = scopes.remove(scopeId);
        if (lanes == null) {
            return List.of();
        }
        size -= lanes.size();
        return new ArrayList<>(lanes.values());
    }

    int size() {
        return size;
    }

    List<L> all() {
        final List<L> all = new ArrayList<>(size);
        for (final Long2ObjectHashMap<L> lanes : scopes.values()) {
            all.addAll(lanes.values());
        }
        return all;
    }

    void clear() {
        scopes.clear();
        size = 0;
    }
}
