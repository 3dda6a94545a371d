package io.hawser.allocator;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What has been put last, up to a limit; the oldest is forgotten.
 *
 * <p><em>Threading:</em> one thread.
 */
final class RecentMap<K, V> {
    private final Map<K, V> entries = new LinkedHashMap<>();
    private final int limit;

    RecentMap(final int limit) {
        this.limit = limit;
    }

    /** Puts; a key that is here already keeps its age. */
    void put(final K key, final V value) {
        entries.put(key, value);
        if (entries.size() > limit) {
            final Iterator<K> oldestFirst = entries.keySet().iterator();
            oldestFirst.next();
            oldestFirst.remove();
        }
    }

    /** Null if it was never put, or is forgotten. */
    V get(final K key) {
        return entries.get(key);
    }
}
