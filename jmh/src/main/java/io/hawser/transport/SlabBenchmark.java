package io.hawser.transport;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** What holding received memory costs: a reference for each delivery, a slab for each megabyte. In this package, since slabs are taken by receive threads only. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 2, jvmArgsAppend = "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED")
public class SlabBenchmark {
    private final SlabPool pool = new SlabPool(1024 * 1024, 2, new MemoryAccount());
    private final Slab held = pool.acquire();

    /** For JMH, which makes one for each of its threads. */
    public SlabBenchmark() {}

    /** Frees the memory. */
    @TearDown
    public void tearDown() {
        held.release();
        pool.close();
    }

    /** A delivery is handed out and let go of. */
    @Benchmark
    public void retainRelease() {
        held.retain();
        held.release();
    }

    /** A slab is taken from the pool and comes back. */
    @Benchmark
    public void acquireRelease() {
        pool.acquire().release();
    }
}
