package io.hawser.jmh;

import io.hawser.fate.Health;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What the check in every loop costs while health is good. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class HealthBenchmark {
    private final Health root = Health.root("benchmark");
    private final Health child = root.child("dataflow");

    /** The check of the cluster's scope. */
    @Benchmark
    public void checkRoot() {
        root.check();
    }

    /** The check of a scope below: one load, too. */
    @Benchmark
    public void checkChild() {
        child.check();
    }
}
