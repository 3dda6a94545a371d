package io.hawser.allocator;

import io.hawser.transport.Former;
import java.util.List;

/**
 * What the workers of this process have kept for a later generation, see {@link Worker#keep}: it is theirs until the workers of a newer one have all kept something, so a generation that is lost before that takes nothing away.
 *
 * <p><em>Threading:</em> immutable; what was kept is as safe as it is.
 */
public final class Handover {
    /** Of a process that has been started anew. */
    static final Handover NONE = new Handover(Former.NONE, List.of());

    private final Former from;
    private final List<Object> states;

    Handover(final Former from, final List<Object> states) {
        this.from = from;
        this.states = List.copyOf(states);
    }

    /**
     * Which generation it is from, of which shape, and which place this process had there.
     *
     * @return {@link Former#NONE} if nothing was kept yet
     */
    public Former from() {
        return from;
    }

    /**
     * How many workers of this process have kept something: all that it had in that generation.
     *
     * @return the count, 0 if nothing was kept yet
     */
    public int count() {
        return states.size();
    }

    /**
     * What one of them has kept.
     *
     * @param formerLocalIndex its index among the workers of this process in that generation
     * @param type             what it is
     * @param <T>              the same
     * @return the very object, or null if there was no such worker
     * @throws ClassCastException        if it is something else
     * @throws IndexOutOfBoundsException if the index is negative
     */
    public <T> T state(final int formerLocalIndex, final Class<T> type) {
        if (formerLocalIndex < 0) {
            throw new IndexOutOfBoundsException("no such worker: formerLocalIndex=" + formerLocalIndex);
        }
        return formerLocalIndex < states.size() ? type.cast(states.get(formerLocalIndex)) : null;
    }

    /**
     * Where it is from.
     *
     * @return one line
     */
    @Override
    public String toString() {
        return from.isPresent()
                ? "kept by " + count() + " workers of process " + from.processIndex() + " in generation "
                        + from.generation()
                : "nothing kept";
    }
}
