package io.hawser.allocator;

import io.hawser.framing.CancelAnswer;
import io.hawser.framing.RejectPolicy;
import java.util.ArrayList;
import java.util.List;

/** Keeps what reservations want done. */
final class ReservationLog implements ReservationSink {
    final List<GoAhead> started = new ArrayList<>();
    private List<String> lines = new ArrayList<>();

    /** What was done since the last call; attempts as process/dataflow/attempt. */
    List<String> take() {
        final List<String> taken = lines;
        lines = new ArrayList<>();
        return taken;
    }

    @Override
    public void accept(final int askingProcess, final long dataflowId, final long attemptId, final long holdNs) {
        lines.add("accept " + askingProcess + "/" + dataflowId + "/" + attemptId + " " + holdNs);
    }

    @Override
    public void reject(
            final int askingProcess,
            final long dataflowId,
            final long attemptId,
            final RejectPolicy policy,
            final int retryAfterMs,
            final String reason) {
        lines.add("reject " + askingProcess + "/" + dataflowId + "/" + attemptId + " " + policy + " " + retryAfterMs
                + " " + reason);
    }

    @Override
    public void cancelled(
            final int askingProcess, final long dataflowId, final long attemptId, final CancelAnswer answer) {
        lines.add("cancelled " + askingProcess + "/" + dataflowId + "/" + attemptId + " " + answer);
    }

    @Override
    public void start(final GoAhead goAhead) {
        started.add(goAhead);
        lines.add("start " + goAhead.request().attemptId());
    }
}
