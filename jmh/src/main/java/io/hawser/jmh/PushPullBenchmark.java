package io.hawser.jmh;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A message of 64 bytes from push to pull, by {@code io.hawser.allocator}: within one worker, between two workers of a process, and between two processes, which are one JVM here; raw, and typed by a codec that
 * allocates nothing.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
        value = 2,
        jvmArgsAppend = {"--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED", "-Dagrona.disable.bounds.checks=true"
        })
public class PushPullBenchmark {
    /** How far messages go. */
    public enum Way {
        /** From a worker to itself. */
        THREAD,
        /** To another worker of its process. */
        PROCESS,
        /** To a worker of another process, in this JVM. */
        CLUSTER
    }

    /** How far the message goes. */
    @Param({"THREAD", "PROCESS", "CLUSTER"})
    public Way way;

    /** Whether by {@code Channel} and a codec, or by {@code RawChannel}. */
    @Param({"false", "true"})
    public boolean isTyped;

    private PushPullRig rig;

    /** Starts the workers. */
    @Setup
    public void setUp() throws Exception {
        rig = PushPullRig.start(way, isTyped);
    }

    /** Ends them. */
    @TearDown
    public void tearDown() throws Exception {
        rig.end();
    }

    /** So many messages, all of which have arrived at its end. */
    @Benchmark
    @OperationsPerInvocation(PushPullRig.MESSAGES)
    public void pushPull() throws Exception {
        rig.round();
    }
}
