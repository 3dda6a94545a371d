package io.hawser.flink;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.flink.runtime.execution.ExecutionState;
import org.apache.flink.runtime.io.network.buffer.BufferProvider;
import org.apache.flink.runtime.io.network.partition.PartitionProducerStateProvider;
import org.apache.flink.runtime.io.network.partition.consumer.RemoteInputChannel;
import org.apache.flink.runtime.io.network.partition.consumer.SingleInputGate;
import org.apache.flink.runtime.taskmanager.Task;

/**
 * Which task each input channel belongs to, so that a producer can be told whether its consumer was cancelled or has failed: Flink closes a channel in the same way for either.
 *
 * <p><em>Threading:</em> any thread.
 */
final class ConsumerTasks {
    private final List<Entry> entries = new CopyOnWriteArrayList<>();

    private record Entry(SingleInputGate gate, Task task) {}

    /** Notes to whom gates belong, and forgets those that are closed. */
    void add(final List<SingleInputGate> gates, final PartitionProducerStateProvider owner) {
        entries.removeIf(entry -> entry.gate.getCloseFuture().isDone());
        if (owner instanceof Task) {
            for (final SingleInputGate gate : gates) {
                entries.add(new Entry(gate, (Task) owner));
            }
        }
    }

    /** {@return the task that reads from a channel, null if that is not known} */
    Task of(final RemoteInputChannel input) throws IOException {
        final BufferProvider buffers = input.getBufferProvider(); // its gate's, and no other gate's
        for (final Entry entry : entries) {
            if (buffers != null && entry.gate.getBufferPool() == buffers) {
                return entry.task;
            }
        }
        return null;
    }

    /** {@return why a task closes a channel whose partition it has not read to the end} */
    static ConsumerEnd endOf(final Task task) {
        if (task == null) {
            return ConsumerEnd.CANCELLED;
        }
        final ExecutionState state = task.getExecutionState();
        // a task that fails closes its channels before it says so
        return state == ExecutionState.CANCELING || state == ExecutionState.CANCELED
                ? ConsumerEnd.CANCELLED
                : ConsumerEnd.FAILED;
    }
}
