package io.hawser.jmh;

import io.hawser.framing.FrameDecoder;
import io.hawser.framing.FrameEncoder;
import io.hawser.framing.FrameFlags;
import io.hawser.framing.FrameHeaderFlyweight;
import io.hawser.framing.RecordDescriptor;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** A DATA frame with one record: laid out and sealed, and judged, in direct memory; with and without the payload check. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
        value = 2,
        jvmArgsAppend = {"--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED", "-Dagrona.disable.bounds.checks=true"
        })
public class FrameBenchmark {
    private static final int FRAME_LIMIT = 256 * 1024;

    /** Length of the message, bytes. */
    @Param({"64", "65536"})
    public int messageLength;

    /** Whether the payload check is computed. */
    @Param({"true", "false"})
    public boolean isChecked;

    private final UnsafeBuffer buffer = new UnsafeBuffer(ByteBuffer.allocateDirect(FRAME_LIMIT));
    private final FrameEncoder encoder = new FrameEncoder();
    private FrameDecoder decoder;
    private int frameLength;
    private long sequence;

    /** Lays the frame out once, for decoding. */
    @Setup
    public void setUp() {
        decoder = new FrameDecoder().agreed(FRAME_LIMIT, isChecked).recordWalk(true);
        frameLength = encode();
    }

    /** {@return the frame's length} */
    @Benchmark
    public int encode() {
        int flags = FrameFlags.RECORDS | (isChecked ? FrameFlags.CHECKED : 0);
        int payload = encoder.data(buffer, 0, flags);
        encoder.header().channelId(1).sourceWorker(0).targets(1, 1);
        int message = RecordDescriptor.begin(buffer, payload, messageLength);
        buffer.putLong(message, sequence);
        int length = encoder.end(RecordDescriptor.recordLength(messageLength));
        encoder.seal(buffer, 0, sequence++);
        return length;
    }

    /** {@return the frame's length} */
    @Benchmark
    public int decode() {
        int length = decoder.decode(buffer, 0, frameLength);
        if (length != FrameHeaderFlyweight.alignedLength(frameLength)) {
            throw new IllegalStateException("not decoded: length=" + length + " frameLength=" + frameLength);
        }
        return length;
    }
}
