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

    /** Allocates only if the element is in the set; a set that was taken is empty. */
    void remove(E element) {
        Object[] before;
        Object[] after;
        do {
            before = elements.get();
            int index = indexOf(before, element);
            if (index < 0) {
                return;
            }
            after = without(before, index);
        } while (!elements.compareAndSet(before, after));
    }

    void removeIf(Predicate<E> isGone) {
        Object[] now = elements.get();
        for (int i = 0; i < now.length; i++) {
            if (isGone.test(at(now, i))) {
                remove(at(now, i));
            }
        }
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

    private static int indexOf(Object[] array, Object element) {
        for (int i = 0; i < array.length; i++) {
            if (array[i] == element) {
                return i;
            }
        }
        return -1;
    }

    private static Object[] without(Object[] before, int index) {
        if (before.length == 1) {
            return NONE;
        }
        Object[] after = new Object[before.length - 1];
        System.arraycopy(before, 0, after, 0, index);
        System.arraycopy(before, index + 1, after, index, after.length - index);
        return after;
    }
}
