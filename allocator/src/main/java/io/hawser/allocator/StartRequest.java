package io.hawser.allocator;

import io.hawser.framing.FrameHeaderFlyweight;
import io.hawser.framing.FrameType;
import io.hawser.framing.StartFlyweight;
import java.util.Objects;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A coordinator's question: will you take this work? It carries no plan; nothing of the work runs before the coordinator's go-ahead, see {@link GoAhead}.
 *
 * <p><em>Threading:</em> immutable; the bytes are its own copy, on the heap.
 */
public final class StartRequest {
    /** The longest payload, bytes. */
    public static final int PAYLOAD_MAX =
            FrameType.START.maxLength(0) - FrameHeaderFlyweight.HEADER_LENGTH - StartFlyweight.FIXED_LENGTH;

    private final long dataflowId;
    private final long attemptId;
    private final int askingProcess;
    private final int targetWorker;
    private final int weight;
    private final int priority;
    private final UnsafeBuffer payload;

    /**
     * Copies a question.
     *
     * @param dataflowId    the dataflow that the work belongs to
     * @param attemptId     the asking process's own number of this attempt, unique there
     * @param askingProcess index of the process that asks
     * @param targetWorker  global index of the worker that is to do the work
     * @param weight        how much work it is, in a unit that coordinator and handler agree on; of {@link CapacityModel}: permits
     * @param priority      how urgent it is; what it means is for the handler to say
     * @param buffer        that holds the payload; the caller's again afterwards
     * @param offset        of the payload
     * @param length        of the payload in bytes, 0…{@link #PAYLOAD_MAX}
     * @throws IllegalArgumentException  if the payload is longer than that
     * @throws IndexOutOfBoundsException if the payload does not lie in its buffer
     */
    public StartRequest(
            final long dataflowId,
            final long attemptId,
            final int askingProcess,
            final int targetWorker,
            final int weight,
            final int priority,
            final DirectBuffer buffer,
            final int offset,
            final int length) {
        Objects.requireNonNull(buffer, "buffer").boundsCheck(offset, length);
        this.dataflowId = dataflowId;
        this.attemptId = attemptId;
        this.askingProcess = askingProcess;
        this.targetWorker = targetWorker;
        this.weight = weight;
        this.priority = priority;
        final byte[] copy = new byte[checkPayloadLength(length)];
        buffer.getBytes(offset, copy);
        this.payload = new UnsafeBuffer(copy);
    }

    static int checkPayloadLength(final int length) {
        if (length > PAYLOAD_MAX) {
            throw new IllegalArgumentException("a question carries no plan, and at most so many bytes: PAYLOAD_MAX="
                    + PAYLOAD_MAX + " length=" + length);
        }
        return length;
    }

    /**
     * The dataflow that the work belongs to.
     *
     * @return the id
     */
    public long dataflowId() {
        return dataflowId;
    }

    /**
     * The asking process's own number of this attempt.
     *
     * @return the id, unique among those of {@link #askingProcess()}
     */
    public long attemptId() {
        return attemptId;
    }

    /**
     * Which process asks.
     *
     * @return the index
     */
    public int askingProcess() {
        return askingProcess;
    }

    /**
     * Which worker is to do the work.
     *
     * @return the global index
     */
    public int targetWorker() {
        return targetWorker;
    }

    /**
     * How much work it is.
     *
     * @return 0 or more when a handler is asked, in a unit that coordinator and handler agree on
     */
    public int weight() {
        return weight;
    }

    /**
     * How urgent it is.
     *
     * @return any number; what it means is for the handler to say
     */
    public int priority() {
        return priority;
    }

    /**
     * What else the coordinator tells, from index 0 on; its capacity is its length.
     *
     * @return always the same buffer, to be read only
     */
    public DirectBuffer payload() {
        return payload;
    }

    @Override
    public String toString() {
        return "start dataflowId=" + dataflowId + " attemptId=" + attemptId + " askingProcess=" + askingProcess
                + " targetWorker=" + targetWorker + " weight=" + weight + " priority=" + priority + " payloadLength="
                + payload.capacity();
    }
}
