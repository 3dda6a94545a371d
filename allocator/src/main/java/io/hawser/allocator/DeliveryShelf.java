package io.hawser.allocator;

import io.hawser.transport.Slab;
import java.util.ArrayList;
import java.util.List;

/**
 * The deliveries of one slab. They are out as long as they hold a reference to it, so when only the filler's own reference is left all of them are
 * back, and nothing has to be allocated when the slab is filled again.
 *
 * <p><em>Threading:</em> the thread that fills the slab.
 */
final class DeliveryShelf {
    private final Slab slab;
    private final List<Delivery> deliveries = new ArrayList<>();
    private final Delivery.Row row = new Delivery.Row();
    private int usedCount;

    /** More than a slab holds batches; tiny frames beyond that pay for themselves. */
    private static final int SHELVED_MAX = 4_096;

    private DeliveryShelf(final Slab slab) {
        this.slab = slab;
    }

    /** The shelf of a slab, which stays with it. */
    static DeliveryShelf of(final Slab slab) {
        DeliveryShelf shelf = (DeliveryShelf) slab.attachment();
        if (shelf == null) {
            shelf = new DeliveryShelf(slab);
            slab.attach(shelf);
        }
        return shelf;
    }

    /** For what is about to be routed out of this slab. */
    Delivery.Row row() {
        return row;
    }

    /** A delivery that nobody uses, to be retained at once. */
    Delivery next() {
        if (slab.references() == 1) {
            usedCount = 0;
        }
        if (usedCount == SHELVED_MAX) {
            return new Delivery(slab);
        }
        if (usedCount == deliveries.size()) {
            deliveries.add(new Delivery(slab));
        }
        return deliveries.get(usedCount++);
    }
}
