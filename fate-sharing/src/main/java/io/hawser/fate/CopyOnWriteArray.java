package io.hawser.fate;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;

/**
 * A set as an array that is replaced as a whole. Whoever adds or removes pays with a copy; whoever takes all, in the moment
 * of loss, pays nothing: no lock, no allocation.
 */
final class CopyOnWriteArray<E> {
    private static final Object[] NONE = {};

    private final AtomicReference<Object[]> elements = new AtomicReference<>(NONE);

    void add(E element) {
        Object[] before;
        Object[] after;
        do {
            before = elements.get();
            after = new Object[before.length + 1];
            System.arraycopy(before, 0, after, 0, before.length);
            after[before.length] = element;
        } while (!elements.compareAndSet(before, after));
    }

    void remove(E element) {
        removeIf(e -> e == element);
    }

    /** Copies only if there is something to remove. */
    void removeIf(Predicate<E> isGone) {
        Object[] before;
        Object[] after;
        do {
            before = elements.get();
            after = without(before, isGone);
        } while (after != before && !elements.compareAndSet(before, after));
    }

    /** Empties the set; what was in it is the caller's, to be read through {@link #at(Object[], int)}. */
    Object[] takeAll() {
        return elements.getAndSet(NONE);
    }

    int size() {
        return elements.get().length;
    }

    @SuppressWarnings("unchecked") // only add puts anything into these arrays
    E at(Object[] taken, int index) {
        return (E) taken[index];
    }

    private Object[] without(Object[] before, Predicate<E> isGone) {
        Object[] kept = new Object[before.length];
        int count = 0;
        for (int i = 0; i < before.length; i++) {
            if (!isGone.test(at(before, i))) {
                kept[count++] = before[i];
            }
        }
        if (count == before.length) {
            return before;
        }
        return count == 0 ? NONE : java.util.Arrays.copyOf(kept, count);
    }
}
