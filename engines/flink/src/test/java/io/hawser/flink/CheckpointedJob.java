package io.hawser.flink;

import java.io.Serializable;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.api.common.accumulators.LongCounter;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.api.common.state.CheckpointListener;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.util.Collector;

/**
 * Counts numbers by key in state that is checkpointed, fails once some checkpoints are complete, and goes on from the last one. Each key sees its numbers exactly once if its count at the end is right: each key's last number
 * tells.
 */
final class CheckpointedJob implements Serializable {
    private static final long serialVersionUID = 1L;

    private static final int KEYS = 1_000;
    private static final int CHECKPOINTS_BEFORE_FAILURE = 3;

    /** Of this process, over all attempts. */
    private static final AtomicInteger COMPLETED = new AtomicInteger();

    private static final AtomicInteger FAILURES = new AtomicInteger();

    private final long numbers;

    CheckpointedJob(final long numbers) {
        this.numbers = numbers;
    }

    JobGraph graph(final int parallelism, final Configuration config) {
        COMPLETED.set(0);
        FAILURES.set(0);
        final StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment(config);
        env.setParallelism(parallelism);
        env.fromSequence(0, numbers - 1)
                .keyBy(number -> number % KEYS)
                .process(new Count(numbers / KEYS))
                .returns(Types.LONG)
                .rebalance()
                .map(new FailOnce())
                .returns(Types.LONG)
                .sinkTo(new DiscardingSink<>());
        return env.getStreamGraph().getJobGraph();
    }

    void verify(final JobExecutionResult result) {
        if (FAILURES.get() != 1 || COMPLETED.get() < CHECKPOINTS_BEFORE_FAILURE) {
            throw new AssertionError(
                    "it was to fail once, after some checkpoints: failures=" + FAILURES + " completed=" + COMPLETED);
        }
        final long complete = result.getAccumulatorResult("complete");
        final long beyond = result.getAccumulatorResult("beyond");
        if (complete != KEYS || beyond != 0) {
            throw new AssertionError(
                    "numbers were lost or came twice: complete=" + complete + " beyond=" + beyond + " keys=" + KEYS);
        }
    }

    /** Counts the numbers of each key. */
    static final class Count extends KeyedProcessFunction<Long, Long, Long> {
        private static final long serialVersionUID = 1L;

        private final long expected;
        private final LongCounter complete = new LongCounter();
        private final LongCounter beyond = new LongCounter();
        private transient ValueState<Long> counts;

        Count(final long expected) {
            this.expected = expected;
        }

        @Override
        public void open(final OpenContext context) {
            counts = getRuntimeContext().getState(new ValueStateDescriptor<>("count", Long.class));
            getRuntimeContext().addAccumulator("complete", complete);
            getRuntimeContext().addAccumulator("beyond", beyond);
        }

        @Override
        public void processElement(final Long number, final Context context, final Collector<Long> out)
                throws Exception {
            final Long before = counts.value();
            final long count = before == null ? 1 : before + 1;
            counts.update(count);
            if (count == expected) {
                complete.add(1);
            } else if (count > expected) {
                beyond.add(1);
            }
            out.collect(number);
        }
    }

    /** Slows the job down, so that buffers pile up, and fails once after some checkpoints. */
    static final class FailOnce extends RichMapFunction<Long, Long> implements CheckpointListener {
        private static final long serialVersionUID = 1L;

        private long count;

        @Override
        public Long map(final Long number) throws Exception {
            if (++count % 500 == 0 && FAILURES.get() == 0) {
                Thread.sleep(5);
            }
            if (getRuntimeContext().getTaskInfo().getIndexOfThisSubtask() == 0
                    && COMPLETED.get() >= CHECKPOINTS_BEFORE_FAILURE
                    && FAILURES.compareAndSet(0, 1)) {
                throw new IllegalStateException("planned, after checkpoints: completed=" + COMPLETED);
            }
            return number;
        }

        @Override
        public void notifyCheckpointComplete(final long checkpointId) {
            if (getRuntimeContext().getTaskInfo().getIndexOfThisSubtask() == 0) {
                COMPLETED.incrementAndGet();
            }
        }
    }
}
