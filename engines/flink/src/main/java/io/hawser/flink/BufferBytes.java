package io.hawser.flink;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.apache.flink.core.memory.MemorySegmentFactory;
import org.apache.flink.runtime.io.network.buffer.AbstractCompositeBuffer;
import org.apache.flink.runtime.io.network.buffer.Buffer;
import org.apache.flink.runtime.io.network.buffer.FileRegionBuffer;
import org.apache.flink.runtime.io.network.buffer.FullyFilledBuffer;
import org.apache.flink.runtime.io.network.partition.ResultSubpartition.BufferAndBacklog;

/**
 * Puts the bytes of any of Flink's buffers into a send ring: one copy, from a file too.
 *
 * <p><em>Threading:</em> static, stateless.
 */
final class BufferBytes {
    private BufferBytes() {}

    /** {@return how many of Flink's buffers it is: more than one if several are sent as one} */
    static int count(final Buffer buffer) {
        return Math.max(1, partials(buffer).size());
    }

    /** {@return the length of the record that a buffer becomes} */
    static int recordLength(final Buffer buffer) {
        return DataRecord.payloadOffset(partials(buffer).size()) + buffer.readableBytes();
    }

    /**
     * Writes the record of a buffer.
     *
     * @throws IOException if the buffer is part of a file that cannot be read
     */
    static void write(
            final BufferAndBacklog source,
            final int subpartition,
            final UnsafeBuffer target,
            final int index,
            final int length)
            throws IOException {
        final Buffer buffer = source.buffer();
        final List<Buffer> partials = partials(buffer);
        DataRecord.buffer(
                target,
                index,
                buffer.getDataType().ordinal(),
                buffer.isCompressed() ? DataRecord.COMPRESSED : 0,
                source.getSequenceNumber(),
                source.buffersInBacklog(),
                subpartition,
                partials.size());
        for (int i = 0; i < partials.size(); i++) {
            DataRecord.partialLength(target, index, i, partials.get(i).readableBytes());
        }
        final int end = copy(buffer, target, index + DataRecord.payloadOffset(partials.size()));
        if (end != index + length) {
            throw new IOException("a buffer is not as long as it said: length=" + (end - index) + " said=" + length);
        }
    }

    private static List<Buffer> partials(final Buffer buffer) {
        return buffer instanceof FullyFilledBuffer ? ((FullyFilledBuffer) buffer).getPartialBuffers() : List.of();
    }

    /** Copies all readable bytes. {@return the index behind them} */
    private static int copy(final Buffer buffer, final UnsafeBuffer target, final int index) throws IOException {
        if (buffer instanceof AbstractCompositeBuffer) {
            int next = index;
            for (final Buffer part : ((AbstractCompositeBuffer) buffer).getPartialBuffers()) {
                next = copy(part, target, next);
            }
            return next;
        }
        final int length = buffer.readableBytes();
        if (length == 0) {
            return index;
        }
        if (buffer instanceof FileRegionBuffer) {
            ((FileRegionBuffer) buffer)
                    .readInto(MemorySegmentFactory.wrapOffHeapMemory(
                            target.byteBuffer().slice(target.wrapAdjustment() + index, length)));
        } else {
            final ByteBuffer bytes = buffer.getNioBufferReadable();
            target.putBytes(index, bytes, bytes.position(), length);
        }
        return index + length;
    }
}
