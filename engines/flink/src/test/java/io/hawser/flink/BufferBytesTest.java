package io.hawser.flink;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.agrona.concurrent.UnsafeBuffer;
import org.apache.flink.core.memory.MemorySegment;
import org.apache.flink.core.memory.MemorySegmentFactory;
import org.apache.flink.runtime.io.network.buffer.Buffer;
import org.apache.flink.runtime.io.network.buffer.Buffer.DataType;
import org.apache.flink.runtime.io.network.buffer.CompositeBuffer;
import org.apache.flink.runtime.io.network.buffer.FileRegionBuffer;
import org.apache.flink.runtime.io.network.buffer.FreeingBufferRecycler;
import org.apache.flink.runtime.io.network.buffer.FullyFilledBuffer;
import org.apache.flink.runtime.io.network.buffer.NetworkBuffer;
import org.apache.flink.runtime.io.network.partition.ResultSubpartition.BufferAndBacklog;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever kind of buffer Flink hands over, its bytes come out whole. */
class BufferBytesTest {
    private static final int AT = 16;

    private final UnsafeBuffer ring = new UnsafeBuffer(ByteBuffer.allocateDirect(4096));

    @TempDir
    private Path directory;

    private static NetworkBuffer plain(final String text, final boolean isOffHeap) {
        final byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        final MemorySegment segment = isOffHeap
                ? MemorySegmentFactory.allocateUnpooledOffHeapMemory(64, null)
                : MemorySegmentFactory.allocateUnpooledSegment(64);
        segment.put(0, bytes);
        return new NetworkBuffer(segment, FreeingBufferRecycler.INSTANCE, DataType.DATA_BUFFER, false, bytes.length);
    }

    private String written(final Buffer buffer) throws IOException {
        final int length = BufferBytes.recordLength(buffer);
        BufferBytes.write(new BufferAndBacklog(buffer, 3, DataType.NONE, 11), 5, ring, AT, length);
        assertThat(DataRecord.fault(ring, AT, length)).isNull();
        assertThat(DataRecord.sequenceNumber(ring, AT)).isEqualTo(11);
        assertThat(DataRecord.backlog(ring, AT)).isEqualTo(3);
        assertThat(DataRecord.subpartition(ring, AT)).isEqualTo(5);
        final int start = DataRecord.payloadOffset(DataRecord.partialCount(ring, AT));
        final byte[] payload = new byte[length - start];
        ring.getBytes(AT + start, payload);
        return new String(payload, StandardCharsets.UTF_8);
    }

    @Test
    void shouldCopyBuffersOnAndOffTheHeap() throws IOException {
        assertThat(written(plain("heap", false))).isEqualTo("heap");
        assertThat(written(plain("direct", true))).isEqualTo("direct");
    }

    @Test
    void shouldCopyOnlyWhatIsReadable() throws IOException {
        final NetworkBuffer buffer = plain("abcdef", true);
        buffer.setReaderIndex(2);
        assertThat(written(buffer)).isEqualTo("cdef");
        assertThat(written(plain("abcdef", true).readOnlySlice(1, 3))).isEqualTo("bcd");
    }

    @Test
    void shouldCopyAnEmptyBuffer() throws IOException {
        assertThat(written(plain("", true))).isEmpty();
    }

    @Test
    void shouldJoinThePartsOfACompositeBuffer() throws IOException {
        final CompositeBuffer buffer = new CompositeBuffer(DataType.DATA_BUFFER, 64, false);
        buffer.addPartialBuffer(plain("one", true));
        buffer.addPartialBuffer(plain("two", false));
        assertThat(written(buffer)).isEqualTo("onetwo");
        assertThat(DataRecord.partialCount(ring, AT)).isZero();
    }

    @Test
    void shouldTellThePartsOfAFullyFilledBuffer() throws IOException {
        final FullyFilledBuffer buffer = new FullyFilledBuffer(DataType.DATA_BUFFER, 64, false);
        buffer.addPartialBuffer(plain("one", true));
        final CompositeBuffer composite = new CompositeBuffer(DataType.DATA_BUFFER, 64, false);
        composite.addPartialBuffer(plain("tw", true));
        composite.addPartialBuffer(plain("o", true));
        buffer.addPartialBuffer(composite);
        assertThat(written(buffer)).isEqualTo("onetwo");
        assertThat(BufferBytes.count(buffer)).isEqualTo(2);
        assertThat(DataRecord.partialLength(ring, AT, 0)).isEqualTo(3);
        assertThat(DataRecord.partialLength(ring, AT, 1)).isEqualTo(3);
    }

    @Test
    void shouldReadPartOfAFile() throws IOException {
        final Path file = Files.writeString(directory.resolve("data"), "0123456789");
        try (FileChannel channel = FileChannel.open(file)) {
            assertThat(written(new FileRegionBuffer(channel, 3, 4, DataType.DATA_BUFFER, true)))
                    .isEqualTo("3456");
            assertThat(DataRecord.flags(ring, AT)).isEqualTo(DataRecord.COMPRESSED);
        }
    }
}
