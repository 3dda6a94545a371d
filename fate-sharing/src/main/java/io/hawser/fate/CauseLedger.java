package io.hawser.fate;

import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * What a lost scope knows about why: the root cause, and the others. Lock-free; only reading the list allocates.
 *
 * <p>Every method takes the first cause, because the thread that won the loss may not have got here yet: whoever comes first
 * puts it in.
 */
final class CauseLedger {
    /** A cascade over a large cluster brings hundreds of consequences; the first few tell the story. */
    static final int CAPACITY = 32;

    /** Null, then a {@link Cause} for now, then the {@link Cause.Settled} mark of one. */
    private final AtomicReference<Object> root = new AtomicReference<>();

    private final AtomicReference<Cause> earliest = new AtomicReference<>();

    /** What failed processes said of themselves: of each the earliest. */
    private final ConcurrentMap<Integer, Cause> selfReports = new ConcurrentHashMap<>();

    private final AtomicReferenceArray<Cause> secondary = new AtomicReferenceArray<>(CAPACITY);
    private final AtomicInteger claimedCount = new AtomicInteger();
    private final AtomicLong unlistedCount = new AtomicLong();

    Cause root(Cause first) {
        Object now = root.get();
        if (now == null) {
            return first;
        }
        return now instanceof Cause.Settled settled ? settled.cause : (Cause) now;
    }

    Cause earliest(Cause first) {
        Cause known = earliest.get();
        return known == null ? first : known;
    }

    /** Takes the candidate into the choice of the root; whoever loses the comparison becomes secondary. */
    boolean consider(Cause first, Cause candidate) {
        root.compareAndSet(null, first);
        enter(first);
        enter(candidate);
        Object now = root.get();
        while (now instanceof Cause present) {
            Cause chosen = choose();
            if (chosen == present || root.compareAndSet(present, chosen)) {
                note(first, present);
                if (choose() == chosen) { // whoever entered meanwhile may have found our choice, and left it to us
                    break;
                }
            }
            now = root.get();
        }
        note(first, candidate);
        return root(first) == candidate;
    }

    private void enter(Cause cause) {
        Cause present = earliest.get();
        while ((present == null || cause.precedes(present)) && !earliest.compareAndSet(present, cause)) {
            present = earliest.get();
        }
        if (cause.isSelfReport()) {
            selfReports.merge(cause.subjectProcess(), cause, CauseLedger::earlier);
        }
    }

    private static Cause earlier(Cause a, Cause b) {
        return b.precedes(a) ? b : a;
    }

    /**
     * The earliest, unless the process that failed there has itself said why: what others saw of it, by clocks that may differ, is
     * only the trace of that.
     */
    private Cause choose() {
        Cause first = earliest.get();
        return first.isSelfReport() ? first : selfReports.getOrDefault(first.subjectProcess(), first);
    }

    void settle(Cause first) {
        root.compareAndSet(null, first);
        Object now = root.get();
        while (now instanceof Cause present && !root.compareAndSet(present, present.settled())) {
            now = root.get();
        }
    }

    /** Attaches a cause as secondary, unless the event is known; when the list is full it is only counted. */
    void note(Cause first, Cause cause) {
        if (cause.sameEvent(root(first)) || isListed(cause)) {
            return;
        }
        int index = claimedCount.get() < CAPACITY ? claimedCount.getAndIncrement() : CAPACITY;
        if (index < CAPACITY) {
            secondary.set(index, cause);
        } else {
            unlistedCount.incrementAndGet();
        }
    }

    /** Appends all that is known here but the root cause of the scope, which may stem from the scope above. */
    void collectSecondary(Cause first, Cause scopeRoot, List<Cause> into) {
        collect(root(first), scopeRoot, into);
        for (int i = 0; i < CAPACITY; i++) {
            collect(secondary.get(i), scopeRoot, into);
        }
    }

    private static void collect(Cause cause, Cause scopeRoot, List<Cause> into) {
        if (cause != null && !cause.sameEvent(scopeRoot) && !contains(into, cause)) {
            into.add(cause);
        }
    }

    /** A plain loop: every worker comes through here on its way out, for the first time. */
    private static boolean contains(List<Cause> causes, Cause cause) {
        for (int i = 0; i < causes.size(); i++) {
            if (cause.sameEvent(causes.get(i))) {
                return true;
            }
        }
        return false;
    }

    long unlistedCount() {
        return unlistedCount.get();
    }

    private boolean isListed(Cause cause) {
        for (int i = 0; i < CAPACITY; i++) {
            if (cause.sameEvent(secondary.get(i))) {
                return true;
            }
        }
        return false;
    }
}
