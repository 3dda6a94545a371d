package io.hawser.allocator;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A queue of deliveries from many threads to one, linked through the deliveries themselves, so that it allocates nothing and needs no limit.
 * The algorithm is Dmitry Vyukov's intrusive queue: a producer swaps itself in as the newest and then links what was the newest before to itself;
 * a stub takes the place of the last one, so that what was taken is not part of the queue any more and may be used again.
 *
 * <p><em>Threading:</em> any thread offers; one thread polls.
 */
final class DeliveryQueue {
    private static final VarHandle NEWEST;

    static {
        try {
            NEWEST = MethodHandles.lookup().findVarHandle(DeliveryQueue.class, "newest", Delivery.class);
        } catch (final ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private final Delivery stub = new Delivery(null);

    /** Swapped by producers. */
    private volatile Delivery newest = stub;

    /** The consumer's. */
    private Delivery oldest = stub;

    void offer(final Delivery delivery) {
        delivery.next = null;
        final Delivery before = (Delivery) NEWEST.getAndSet(this, delivery);
        before.next = delivery;
    }

    /** Takes the oldest; null if there is none, or its producer has not finished, which wakes the consumer afterwards. */
    Delivery poll() {
        Delivery first = oldest;
        Delivery second = first.next;
        if (first == stub) {
            if (second == null) {
                return null;
            }
            oldest = second;
            stub.next = null; // else what was taken would hang on it
            first = second;
            second = second.next;
        }
        if (second == null) {
            if (first != newest) {
                return null; // a producer has swapped itself in behind it and not linked it yet
            }
            offer(stub);
            second = first.next;
            if (second == null) {
                return null; // the same, just now
            }
        }
        oldest = second;
        first.next = null; // else what was taken would keep what comes after it from being collected
        return first;
    }

    /** For the consumer, who is woken by every producer after it has finished. */
    boolean isEmpty() {
        return oldest == stub && stub.next == null;
    }
}
