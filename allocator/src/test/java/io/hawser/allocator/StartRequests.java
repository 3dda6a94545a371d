package io.hawser.allocator;

import java.nio.charset.StandardCharsets;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Questions and go-aheads for tests. */
final class StartRequests {
    static final int WORKERS = 8;

    private StartRequests() {}

    static StartRequest start(final int askingProcess, final long dataflowId, final long attemptId, final int weight) {
        return new StartRequest(
                dataflowId, attemptId, askingProcess, 3, weight, 0, new UnsafeBuffer(new byte[0]), 0, 0);
    }

    /** For the only task, on worker 3. */
    static DirectBuffer plan(final String text) {
        return PlanDescriptor.encode(0, new int[] {3}, new UnsafeBuffer(text.getBytes(StandardCharsets.UTF_8)));
    }
}
