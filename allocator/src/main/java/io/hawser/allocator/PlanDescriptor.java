package io.hawser.allocator;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.hawser.framing.FrameHeaderFlyweight;
import io.hawser.framing.GoFlyweight;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The layout of the opaque bytes of GO: where every task of the placement runs, then the plan of the one that is meant.
 *
 * <pre>
 *  0                   1                   2                   3
 *  0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 * +---------------------------------------------------------------+
 * |               task, 0 to task count - 1 (int32)               |   0
 * +---------------------------------------------------------------+
 * |                 task count, 1 or more (int32)                 |   4
 * +---------------------------------------------------------------+
 * |        worker of each task, in their order (int32 each)     ...   8
 * +---------------------------------------------------------------+
 * |                  plan bytes to the end                      ...   8 + 4 x task count
 * +---------------------------------------------------------------+
 * </pre>
 *
 * <p>Little-endian. Workers are global indexes.
 *
 * <p><em>Threading:</em> static, stateless.
 */
final class PlanDescriptor {
    private static final int TASK_OFFSET = 0;
    private static final int TASK_COUNT_OFFSET = TASK_OFFSET + Integer.BYTES;
    private static final int WORKERS_OFFSET = TASK_COUNT_OFFSET + Integer.BYTES;

    private PlanDescriptor() {}

    /** How many of these bytes a GO has room for. */
    static int lengthMax(final int frameLimit) {
        return frameLimit - FrameHeaderFlyweight.HEADER_LENGTH - GoFlyweight.FIXED_LENGTH;
    }

    static long length(final int taskCount, final int planLength) {
        return planOffset(taskCount) + planLength;
    }

    /** All bytes for one task; workers by task. */
    static DirectBuffer encode(final int task, final int[] workers, final DirectBuffer plan) {
        final int planOffset = (int) planOffset(workers.length);
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[planOffset + plan.capacity()]);
        buffer.putInt(TASK_OFFSET, task, LITTLE_ENDIAN);
        buffer.putInt(TASK_COUNT_OFFSET, workers.length, LITTLE_ENDIAN);
        for (int i = 0; i < workers.length; i++) {
            buffer.putInt(WORKERS_OFFSET + i * Integer.BYTES, workers[i], LITTLE_ENDIAN);
        }
        buffer.putBytes(planOffset, plan, 0, plan.capacity());
        return buffer;
    }

    /** Copies the bytes of a GO; null if they are not of this layout, name a worker that is none, or are not meant for the worker that was asked. */
    static GoAhead decode(
            final StartRequest request,
            final DirectBuffer buffer,
            final int offset,
            final int length,
            final int workerCount) {
        if (length < WORKERS_OFFSET) {
            return null;
        }
        final int task = buffer.getInt(offset + TASK_OFFSET, LITTLE_ENDIAN);
        final int taskCount = buffer.getInt(offset + TASK_COUNT_OFFSET, LITTLE_ENDIAN);
        if (task < 0 || task >= taskCount || planOffset(taskCount) > length) {
            return null;
        }
        final int[] workers = new int[taskCount];
        for (int i = 0; i < taskCount; i++) {
            workers[i] = buffer.getInt(offset + WORKERS_OFFSET + i * Integer.BYTES, LITTLE_ENDIAN);
            if (workers[i] < 0 || workers[i] >= workerCount) {
                return null;
            }
        }
        if (workers[task] != request.targetWorker()) {
            return null;
        }
        final int planOffset = (int) planOffset(taskCount);
        final byte[] plan = new byte[length - planOffset];
        buffer.getBytes(offset + planOffset, plan);
        return new GoAhead(request, task, workers, new UnsafeBuffer(plan));
    }

    private static long planOffset(final int taskCount) {
        return WORKERS_OFFSET + (long) Integer.BYTES * taskCount;
    }
}
