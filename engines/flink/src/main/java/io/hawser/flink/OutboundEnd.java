package io.hawser.flink;

import java.nio.charset.StandardCharsets;
import org.apache.flink.runtime.execution.CancelTaskException;
import org.apache.flink.runtime.io.network.partition.PartitionNotFoundException;

/**
 * How a channel ends otherwise than with the end of its partition, as the producer tells its consumer.
 *
 * <p><em>Threading:</em> immutable.
 */
final class OutboundEnd {
    /** The producer has been cancelled. */
    static final OutboundEnd CANCELLED = new OutboundEnd(DataRecord.CANCELLED, 0, "");

    private static final int TEXT_LENGTH_MAX = 4_000;

    private final int kind;
    private final int flags;
    private final byte[] text;

    private OutboundEnd(final int kind, final int flags, final String text) {
        this.kind = kind;
        this.flags = flags;
        this.text = text.getBytes(StandardCharsets.UTF_8);
    }

    /** {@return the end that a failure is} */
    static OutboundEnd of(final Throwable cause) {
        if (cause instanceof PartitionNotFoundException) {
            return new OutboundEnd(DataRecord.NOT_FOUND, 0, "");
        }
        // as Flink's views mark the failure of the task that produces
        final boolean isProducer = cause instanceof CancelTaskException;
        final StringBuilder text = new StringBuilder(cause.toString());
        for (Throwable t = cause.getCause(); t != null && text.length() < TEXT_LENGTH_MAX; t = t.getCause()) {
            text.append("; caused by ").append(t);
        }
        text.setLength(Math.min(text.length(), TEXT_LENGTH_MAX));
        return new OutboundEnd(DataRecord.FAILED, isProducer ? DataRecord.PRODUCER_FAILED : 0, text.toString());
    }

    int kind() {
        return kind;
    }

    int flags() {
        return flags;
    }

    byte[] text() {
        return text;
    }

    boolean isNotFound() {
        return kind == DataRecord.NOT_FOUND;
    }
}
