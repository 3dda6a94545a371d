package io.hawser.flink.demo;

import java.io.Serializable;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.common.accumulators.LongCounter;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichFlatMapFunction;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.api.java.tuple.Tuple3;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.util.Collector;

/**
 * Counts how often each class of the running JDK is referred to, several rounds of it, then how often each package is, by two shuffles. What was counted is told by accumulators, exact whatever the order: each class passes through the
 * counts 1 up to its degree, and a hash of each step is summed.
 *
 * <p><em>Threading:</em> for one thread; Flink makes copies for its tasks.
 */
public final class DegreeJob implements Serializable {
    private static final long serialVersionUID = 1L;

    static final String EDGES = "edges";
    static final String HASH = "hash";
    static final String PACKAGES = "packages";

    private final int rounds;

    /**
     * A job that counts each reference so many times.
     *
     * @param rounds 1 or more
     */
    public DegreeJob(final int rounds) {
        this.rounds = rounds;
    }

    /** Where a user's function may interfere. */
    public interface Hook extends Serializable {
        /**
         * A reference has been counted.
         *
         * @param subtask index of the task
         * @param attempt how often it has been started before
         * @param count   of references that it has counted
         * @throws Exception what the hook wants the task to fail by
         */
        void onEdge(int subtask, int attempt, long count) throws Exception;
    }

    /** {@return the job as a cluster within this process takes it} */
    public JobGraph graph(final RuntimeExecutionMode mode, final int parallelism, final Configuration config) {
        return graph(mode, parallelism, config, (subtask, attempt, count) -> {});
    }

    /** {@return the job as a cluster within this process takes it, with a hook} */
    public JobGraph graph(
            final RuntimeExecutionMode mode, final int parallelism, final Configuration config, final Hook hook) {
        final StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment(config);
        build(env, mode, parallelism, hook);
        return env.getStreamGraph().getJobGraph();
    }

    /** Puts the job together in an environment. */
    public void build(
            final StreamExecutionEnvironment env,
            final RuntimeExecutionMode mode,
            final int parallelism,
            final Hook hook) {
        env.setRuntimeMode(mode);
        if (parallelism > 0) {
            env.setParallelism(parallelism);
        }
        env.fromSequence(0, (long) rounds * ClassEdges.get().classCount() - 1)
                .flatMap(new References())
                .returns(Types.TUPLE(Types.INT, Types.STRING))
                .keyBy(reference -> reference.f0)
                .process(new Count(hook))
                .returns(Types.TUPLE(Types.STRING, Types.INT, Types.LONG))
                .keyBy(counted -> counted.f0)
                .process(new CountPackage())
                .returns(Types.LONG)
                .sinkTo(new DiscardingSink<>());
    }

    /** Fails unless a run has counted everything exactly once. */
    public void verify(final JobExecutionResult result) {
        final long edges = ClassEdges.get().edgeCount() * rounds;
        long hash = 0;
        final int[] degrees = ClassEdges.get().degrees();
        for (int id = 0; id < degrees.length; id++) {
            for (long count = 1; count <= (long) degrees[id] * rounds; count++) {
                hash += hash(id, count);
            }
        }
        expect(EDGES, edges, result);
        expect(PACKAGES, edges, result);
        expect(HASH, hash, result);
    }

    private static void expect(final String name, final long wanted, final JobExecutionResult result) {
        final long got = result.getAccumulatorResult(name);
        if (got != wanted) {
            throw new AssertionError("wrong count: " + name + "=" + got + " expected=" + wanted + " runtimeMs="
                    + result.getNetRuntime(TimeUnit.MILLISECONDS));
        }
    }

    static long hash(final int id, final long count) {
        long h = id * 0x9E3779B97F4A7C15L + count;
        h = (h ^ h >>> 32) * 0xD6E8FEB86659FD93L;
        return (h ^ h >>> 29) >>> 20;
    }

    /** From the number of a class, in any round, to the classes it refers to, each with its name. */
    static final class References extends RichFlatMapFunction<Long, Tuple2<Integer, String>> {
        private static final long serialVersionUID = 1L;

        @Override
        public void flatMap(final Long number, final Collector<Tuple2<Integer, String>> out) {
            final ClassEdges edges = ClassEdges.get();
            for (final int to : edges.references((int) (number % edges.classCount()))) {
                out.collect(Tuple2.of(to, edges.name(to)));
            }
        }
    }

    /** Counts references to each class. */
    static final class Count
            extends KeyedProcessFunction<Integer, Tuple2<Integer, String>, Tuple3<String, Integer, Long>> {
        private static final long serialVersionUID = 1L;

        private final Hook hook;
        private final LongCounter edges = new LongCounter();
        private final LongCounter hash = new LongCounter();
        private transient ValueState<Long> counts;

        Count(final Hook hook) {
            this.hook = hook;
        }

        @Override
        public void open(final OpenContext context) {
            counts = getRuntimeContext().getState(new ValueStateDescriptor<>("count", Long.class));
            getRuntimeContext().addAccumulator(EDGES, edges);
            getRuntimeContext().addAccumulator(HASH, hash);
        }

        @Override
        public void processElement(
                final Tuple2<Integer, String> reference,
                final Context context,
                final Collector<Tuple3<String, Integer, Long>> out)
                throws Exception {
            final Long before = counts.value();
            final long count = before == null ? 1 : before + 1;
            counts.update(count);
            edges.add(1);
            hash.add(hash(reference.f0, count));
            hook.onEdge(
                    getRuntimeContext().getTaskInfo().getIndexOfThisSubtask(),
                    getRuntimeContext().getTaskInfo().getAttemptNumber(),
                    edges.getLocalValuePrimitive());
            final int slash = reference.f1.lastIndexOf('/');
            out.collect(Tuple3.of(slash < 0 ? "" : reference.f1.substring(0, slash), reference.f0, count));
        }
    }

    /** Counts references to each package. */
    static final class CountPackage extends KeyedProcessFunction<String, Tuple3<String, Integer, Long>, Long> {
        private static final long serialVersionUID = 1L;

        private final LongCounter packages = new LongCounter();
        private transient ValueState<Long> counts;

        @Override
        public void open(final OpenContext context) {
            counts = getRuntimeContext().getState(new ValueStateDescriptor<>("count", Long.class));
            getRuntimeContext().addAccumulator(PACKAGES, packages);
        }

        @Override
        public void processElement(
                final Tuple3<String, Integer, Long> counted, final Context context, final Collector<Long> out)
                throws Exception {
            final Long before = counts.value();
            counts.update(before == null ? 1 : before + 1);
            packages.add(1);
            out.collect(counts.value());
        }
    }
}
