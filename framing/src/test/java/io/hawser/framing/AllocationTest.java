package io.hawser.framing;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** No garbage in steady state: what a thread allocates while it encodes, seals and decodes is nothing. */
class AllocationTest {

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int WARM_UP_RUNS = 20_000;
    private static final int RUNS = 2_000;
    private static final int DATA_FLAGS = FrameFlags.RECORDS | FrameFlags.CHECKED;

    private final FrameEncoder encoder = new FrameEncoder();
    private final FrameDecoder decoder = Frames.decoder();
    private final StreamDecoder stream = new StreamDecoder(decoder);
    private final RecordIterator iterator = new RecordIterator();
    private final HeartbeatFlyweight heartbeat = new HeartbeatFlyweight();
    private long seen;
    private long sequence;
    private final FrameHandler handler = (header, buffer, offset, length) -> seen += length;

    @Test
    void shouldAllocateNothingWhenDataGoesThroughDirectMemory() {
        expectNoAllocation(new UnsafeBuffer(ByteBuffer.allocateDirect(8_192)), this::roundOfData);
    }

    @Test
    void shouldAllocateNothingWhenDataGoesThroughTheHeap() {
        expectNoAllocation(new UnsafeBuffer(new byte[8_192]), this::roundOfData);
    }

    @Test
    void shouldAllocateNothingWhenHeartbeatsGo() {
        expectNoAllocation(new UnsafeBuffer(ByteBuffer.allocateDirect(8_192)), this::roundOfHeartbeat);
    }

    /** An ABORT has to get out when the heap is full. */
    @Test
    void shouldAllocateNothingWhenAbortIsEncoded() {
        expectNoAllocation(new UnsafeBuffer(ByteBuffer.allocateDirect(8_192)), this::roundOfAbort);
    }

    @Test
    void shouldAllocateNothingWhenTheStreamIsSplit() {
        expectNoAllocation(new UnsafeBuffer(ByteBuffer.allocateDirect(8_192)), this::roundOfSplitStream);
    }

    private void roundOfData(final UnsafeBuffer buffer) {
        final int length = encodeData(buffer, 64) + encodeData(buffer, 4_000);
        seen += length;
    }

    private int encodeData(final UnsafeBuffer buffer, final int messageLength) {
        final int payloadOffset = encoder.data(buffer, 0, DATA_FLAGS);
        encoder.header().scopeId(0).channelId(3).sourceWorker(1).targets(2, 2);
        final int messageOffset = RecordDescriptor.begin(buffer, payloadOffset, messageLength);
        buffer.putLong(messageOffset, sequence);
        final int alignedLength = encoder.end(RecordDescriptor.recordLength(messageLength));
        encoder.seal(buffer, 0, sequence++);
        expect(decoder.decode(buffer, 0, buffer.capacity()), alignedLength);
        iterator.wrap(buffer, payloadOffset, RecordDescriptor.recordLength(messageLength));
        while (iterator.next()) {
            seen += iterator.messageLength();
        }
        return alignedLength;
    }

    private void roundOfHeartbeat(final UnsafeBuffer buffer) {
        encoder.heartbeat(buffer, 0)
                .clockNs(sequence)
                .bytesReceived(sequence)
                .workerCount(2)
                .progress(0, 1)
                .progress(1, 2);
        final int alignedLength = encoder.end();
        encoder.seal(buffer, 0, sequence++);
        expect(decoder.decode(buffer, 0, buffer.capacity()), alignedLength);
        seen += heartbeat.wrap(buffer, FrameHeaderFlyweight.HEADER_LENGTH, 64).progress(1);
    }

    private void roundOfAbort(final UnsafeBuffer buffer) {
        encoder.abort(buffer, 0)
                .kind(AbortKind.WORKER_PANICKED)
                .failedWorker(-1)
                .texts("node-ü", "10.0.0.3:7300", "java.lang.OutOfMemoryError: Java heap space €");
        final int alignedLength = encoder.end();
        encoder.seal(buffer, 0, sequence++);
        expect(decoder.decode(buffer, 0, buffer.capacity()), alignedLength);
    }

    private void roundOfSplitStream(final UnsafeBuffer buffer) {
        final int length = encodeData(buffer, 1_000);
        stream.feed(buffer, 0, 20, handler);
        stream.feed(buffer, 20, length - 20, handler);
        expect(stream.partialLength(), 0);
    }

    private void expectNoAllocation(final UnsafeBuffer buffer, final Consumer<UnsafeBuffer> round) {
        run(buffer, round, WARM_UP_RUNS);
        long least = Long.MAX_VALUE;
        // the first measurements may see the JIT compiler deoptimise; the steady state is what counts
        for (int attempt = 0; attempt < 5 && least > 0; attempt++) {
            final long before =
                    THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
            run(buffer, round, RUNS);
            final long after =
                    THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
            least = Math.min(least, after - before);
        }
        assertThat(least).isZero();
        assertThat(seen).isNotNegative();
    }

    private static void run(final UnsafeBuffer buffer, final Consumer<UnsafeBuffer> round, final int runs) {
        for (int i = 0; i < runs; i++) {
            round.accept(buffer);
        }
    }

    private static void expect(final int actual, final int expected) {
        if (actual != expected) {
            throw new AssertionError("expected=" + expected + " actual=" + actual);
        }
    }
}
