package io.hawser.jmh.bench;

import io.hawser.jmh.peers.ResultLine;
import io.hawser.jmh.peers.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Runs that nobody has run. */
final class Samples {
    static final Surroundings SURROUNDINGS = new Surroundings(Map.of("congestionControl", "<none>", "cores", "2"));

    private Samples() {}

    static Sample small(final String entrant, final int round, final double messagesPerS) {
        return new Sample(
                Workload.W2,
                entrant,
                round,
                new ResultLine()
                        .with(ResultLine.MESSAGES_PER_S, messagesPerS)
                        .with(ResultLine.GBYTES_PER_S, messagesPerS * 64 / 1e9)
                        .with(ResultLine.CPU_CORES, 1.5)
                        .with(ResultLine.PEAK_MIB, 100),
                null);
    }

    static Sample ping(final String entrant, final int round, final double us) {
        return new Sample(
                Workload.W3,
                entrant,
                round,
                new ResultLine()
                        .with(ResultLine.P50_US, us)
                        .with(ResultLine.P99_US, 2 * us)
                        .with(ResultLine.P999_US, 3 * us)
                        .with(ResultLine.MAX_US, 4 * us)
                        .with(ResultLine.ROUND_TRIPS_PER_S, 10_000)
                        .with(ResultLine.CPU_CORES, 1),
                null);
    }

    static Sample failed(final String entrant, final int round) {
        return new Sample(Workload.W2, entrant, round, null, "messages are lost");
    }

    /** Two works, two rounds, one failure. */
    static List<Row> rows() {
        final List<Row> rows = new ArrayList<>(Row.of(
                Workload.W2,
                List.of(
                        small("hawser", 1, 30e6),
                        small("raw-nio", 1, 20e6),
                        failed("grpc", 1),
                        small("hawser", 2, 20e6),
                        small("raw-nio", 2, 20e6),
                        small("grpc", 2, 1e6))));
        rows.addAll(Row.of(Workload.W3, List.of(ping("hawser", 1, 12), ping("raw-nio", 1, 10))));
        return rows;
    }
}
