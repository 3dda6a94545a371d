package io.hawser.transport;

import io.hawser.fate.Health;
import io.hawser.framing.FrameEncoder;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.MutableDirectBuffer;
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
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What a message costs between a worker and the socket, without the socket: claimed, written and committed, sealed in its frame, numbered and given back, all by one thread. In this package, since the draining side
 * is nobody else's.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
        value = 2,
        jvmArgsAppend = {"--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED", "-Dagrona.disable.bounds.checks=true"
        })
public class SendRingBenchmark implements FrameSealer {
    private static final int RING_LENGTH = 1024 * 1024;
    private static final int FRAME_LIMIT = 256 * 1024;
    private static final int WRITE_LIMIT = 256 * 1024;

    /** Length of the message, bytes. */
    @Param({"64", "65536"})
    public int messageLength;

    /** Whether the payload check is computed. */
    @Param({"true", "false"})
    public boolean isChecked;

    /** Over how many lanes the messages go in turn: a frame ends where the lane changes. */
    @Param({"1", "16"})
    public int lanes;

    private final FrameEncoder encoder = new FrameEncoder();
    private final Health health = Health.root("benchmark");
    private SendRing ring;
    private SendLane[] lane;
    private int turn;
    private long sequence;

    /** For JMH, which makes one for each of its threads. */
    public SendRingBenchmark() {}

    /** Puts a ring together that nobody reads but the benchmark. */
    @Setup
    public void setUp() {
        ClusterConfigBuilder builder = ClusterConfig.builder()
                .addresses(List.of(new Endpoint("127.0.0.1", 1), new Endpoint("127.0.0.1", 2)))
                .channelWindow(ClusterConfig.UNBOUNDED);
        Hello own = hello(builder.processIndex(0).build());
        Hello peer = hello(builder.processIndex(1).build());
        LaneTerms terms = new LaneTerms(
                new SendLanes(own, peer, new StoppedScopes()),
                Lanes.channelWindow(own, peer),
                Lanes.laneLimit(own, peer));
        ring = new SendRing(
                RING_LENGTH,
                FRAME_LIMIT,
                isChecked,
                new SendRoute(0, 1, 1),
                terms,
                health,
                new MemoryAccount(),
                (drain, isUrgent) -> {});
        lane = new SendLane[lanes];
        for (int i = 0; i < lanes; i++) {
            lane[i] = ring.openLane(SendRing.NO_DATAFLOW, i, 1, 1);
        }
    }

    private static Hello hello(ClusterConfig config) {
        return Hello.of(config, ProcessIdentity.current(), 1, 1);
    }

    /** Lets the ring's memory go. */
    @TearDown
    public void tearDown() {
        ring.close();
        ring.drain().release();
    }

    /** {@return where the message was written} */
    @Benchmark
    public int push() {
        SendLane to = lane[turn];
        turn = turn + 1 == lanes ? 0 : turn + 1;
        int index = ring.tryClaim(to, messageLength);
        while (index < 0) {
            drain();
            index = ring.tryClaim(to, messageLength);
        }
        ring.buffer().putLong(index, sequence);
        ring.commit();
        return index;
    }

    private void drain() {
        SendRingDrain drain = ring.drain();
        for (int length = drain.sealPublished(this, WRITE_LIMIT); length > 0; ) {
            drain.consumed(length);
            length = drain.sealPublished(this, WRITE_LIMIT);
        }
    }

    @Override
    public void seal(MutableDirectBuffer buffer, int offset, int frameLength, int payloadCheck) {
        encoder.seal(buffer, offset, sequence++, payloadCheck);
    }
}
