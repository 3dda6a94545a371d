package io.hawser.tests;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.testkit.Cut;
import io.hawser.testkit.FaultProxy;
import io.hawser.testkit.Nursery;
import io.hawser.testkit.Signal;
import io.hawser.tests.harness.ChildCluster;
import io.hawser.tests.harness.Event;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * L3 and cases 45, 49, 57, 58, 74: how long each kind of failure takes until the last worker of the last survivor is back in user code, beside what the README's table says of it. The numbers are printed; the
 * upper bounds are generous, since machines that run all tests are busy, the lower ones are not.
 */
class DetectionIT {
    private static final int ROUNDS = Soak.times(3, 20);
    private static final int PROCESSES = 3;
    private static final long HEARTBEAT_MS = 100;
    private static final long SILENCE_MS = 1_200;
    private static final long SLACK_MS = 1_500;
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @RegisterExtension
    final Nursery nursery = Nursery.forEachTest();

    private final ChildCluster cluster = new ChildCluster(nursery, PROCESSES, 2)
            .set("heartbeatMs", HEARTBEAT_MS)
            .set("silenceMs", SILENCE_MS);
    private FaultProxy proxy;

    /** A row of the table: what happens to process 1, or to its link to process 0, and after what time that is noticed. */
    private enum Row {
        KILL("SIGKILL", "PEER_LOST", 0, 0),
        EXIT("System.exit", "PROCESS_EXITING", 0, 0),
        THROW("a worker throws", "WORKER_PANICKED", 0, 0),
        ABORT("abort", "CLOSED_BY_USER", 0, 0),
        CUT("the connection is cut", "PEER_LOST", 0, 0),
        FREEZE("SIGSTOP", "PEER_SILENT", SILENCE_MS, HEARTBEAT_MS),
        BLACK_HOLE("a link loses everything, both ways", "PEER_SILENT", SILENCE_MS, HEARTBEAT_MS),
        ONE_WAY("a link loses everything, one way", "PEER_SILENT", SILENCE_MS, HEARTBEAT_MS);

        private final String what;
        private final String kind;
        private final long leastMs;
        private final long mostMs;

        /** Noticed between the one and the sum of both, before what the machine needs. */
        Row(final String what, final String kind, final long leastMs, final long moreMs) {
            this.what = what;
            this.kind = kind;
            this.leastMs = leastMs;
            this.mostMs = leastMs + moreMs;
        }
    }

    @AfterEach
    void close() {
        if (proxy != null) {
            proxy.close();
        }
    }

    @ParameterizedTest
    @EnumSource(Row.class)
    void shouldNoticeInTheTimeThatTheTableSays(final Row row) {
        proxy = cluster.proxyBetween(0, 1);
        final List<Double> tookMs = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            tookMs.add(round(row));
        }
        tookMs.sort(null);
        System.out.printf(
                Locale.ROOT,
                "detection: %s: all workers of all survivors back after median %.1f ms, min %.1f, max %.1f, n=%d (%s)%n",
                row.what,
                tookMs.get(ROUNDS / 2),
                tookMs.get(0),
                tookMs.get(ROUNDS - 1),
                ROUNDS,
                row.mostMs == 0
                        ? "at once"
                        : "silence time-out " + row.leastMs + " ms, heartbeats " + HEARTBEAT_MS + " ms apart");
        // a heartbeat may have come just before
        assertThat(tookMs.get(0)).isGreaterThanOrEqualTo(row.leastMs == 0 ? 0 : row.leastMs - 2.0 * HEARTBEAT_MS);
        assertThat(tookMs.get(ROUNDS - 1)).isLessThan(row.mostMs + SLACK_MS);
    }

    private double round(final Row row) {
        cluster.launchMissing();
        cluster.set("pauseMicros", 1_000);
        final ChildCluster.Run run = cluster.form(row == Row.THROW ? "rounds" : "park"); // who parks throws nothing
        run.awaitAtWork(cluster.all());
        final long startMicros = Victim.nowMicros();
        strike(row, run);
        final boolean isAlive = row != Row.KILL && row != Row.EXIT && row != Row.FREEZE;
        final List<Integer> survivors = isAlive ? cluster.all() : cluster.allBut(1);
        final List<Event> joined = run.joined(survivors, PATIENCE);
        for (final Event event : joined) {
            assertThat(event.text("kind")).as("%s", event).isEqualTo(row.kind);
        }
        restore(row);
        return (joined.stream()
                                .mapToLong(event -> event.number("returnedMicros"))
                                .max()
                                .orElseThrow()
                        - startMicros)
                / 1e3;
    }

    private void strike(final Row row, final ChildCluster.Run run) {
        switch (row) {
            case KILL -> cluster.child(1).signal(Signal.KILL);
            case FREEZE -> cluster.child(1).signal(Signal.STOP);
            case EXIT, THROW -> run.tell(1, "misdeed", "what", row.name());
            case ABORT -> run.tell(1, "abort", "reason", "enough");
            case CUT -> proxy.cut(Cut.RST);
            case BLACK_HOLE -> proxy.blackHole();
            case ONE_WAY -> proxy.toTarget().swallow();
        }
    }

    private void restore(final Row row) {
        if (row == Row.FREEZE) {
            cluster.child(1).signal(Signal.KILL);
        }
        if (row == Row.KILL || row == Row.EXIT || row == Row.FREEZE) {
            cluster.child(1).awaitExit(PATIENCE);
        }
        proxy.heal();
    }
}
