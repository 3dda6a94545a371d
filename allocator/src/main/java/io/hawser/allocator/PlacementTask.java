package io.hawser.allocator;

import java.util.Objects;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * One task of a {@link Placement}: what the workers are asked, and the plan that goes to the one that takes it.
 *
 * <p><em>Threading:</em> immutable; the bytes are its own copies, on the heap.
 */
public final class PlacementTask {
    private static final DirectBuffer NOTHING = new UnsafeBuffer(new byte[0]);

    private final int weight;
    private final int priority;
    private final DirectBuffer payload;
    private final DirectBuffer plan;
    private final int[] candidates;

    private PlacementTask(
            final int weight,
            final int priority,
            final DirectBuffer payload,
            final DirectBuffer plan,
            final int[] candidates) {
        this.weight = weight;
        this.priority = priority;
        this.payload = payload;
        this.plan = plan;
        this.candidates = candidates;
    }

    /**
     * Makes a task of weight 1 and priority 0, without payload, for the placement's common candidates.
     *
     * @param plan what the worker needs to run it, sent with the go-ahead only; copied. With 8 bytes, and 4 for each task of the placement, it has to fit a frame
     * @return the task
     */
    public static PlacementTask of(final byte[] plan) {
        return new PlacementTask(1, 0, NOTHING, copy(plan), new int[0]);
    }

    /**
     * The same task with another weight.
     *
     * @param newWeight how much work it is, 0 or more, in a unit that coordinator and handlers agree on
     * @return a new task
     * @throws IllegalArgumentException if it is negative
     */
    public PlacementTask withWeight(final int newWeight) {
        if (newWeight < 0) {
            throw new IllegalArgumentException("no work weighs less than nothing: weight=" + newWeight);
        }
        return new PlacementTask(newWeight, priority, payload, plan, candidates);
    }

    /**
     * The same task with another priority.
     *
     * @param newPriority how urgent it is, in a measure that coordinator and handlers agree on
     * @return a new task
     */
    public PlacementTask withPriority(final int newPriority) {
        return new PlacementTask(weight, newPriority, payload, plan, candidates);
    }

    /**
     * The same task with another payload of the question.
     *
     * @param newPayload what else the handlers are told, at most {@link StartRequest#PAYLOAD_MAX} bytes; copied
     * @return a new task
     * @throws IllegalArgumentException if it is longer
     */
    public PlacementTask withPayload(final byte[] newPayload) {
        StartRequest.checkPayloadLength(newPayload.length);
        return new PlacementTask(weight, priority, copy(newPayload), plan, candidates);
    }

    /**
     * The same task with candidates of its own in place of the placement's common ones.
     *
     * @param workers global indexes, the preferred one first; copied
     * @return a new task
     */
    public PlacementTask withCandidates(final int... workers) {
        return new PlacementTask(weight, priority, payload, plan, workers.clone());
    }

    /**
     * How much work it is.
     *
     * @return 0 or more
     */
    public int weight() {
        return weight;
    }

    /**
     * How urgent it is.
     *
     * @return any number
     */
    public int priority() {
        return priority;
    }

    /**
     * What else the handlers are told, from index 0 on; its capacity is its length.
     *
     * @return always the same buffer, to be read only
     */
    public DirectBuffer payload() {
        return payload;
    }

    /**
     * What the worker needs to run it, from index 0 on; its capacity is its length.
     *
     * @return always the same buffer, to be read only
     */
    public DirectBuffer plan() {
        return plan;
    }

    /** The own candidates, empty if it has none; not copied. */
    int[] candidates() {
        return candidates;
    }

    private static DirectBuffer copy(final byte[] bytes) {
        return new UnsafeBuffer(Objects.requireNonNull(bytes, "bytes").clone());
    }
}
