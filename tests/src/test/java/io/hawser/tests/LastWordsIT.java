package io.hawser.tests;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.fate.CauseKind;
import io.hawser.testkit.ChildProcess;
import io.hawser.testkit.Nursery;
import io.hawser.testkit.Signal;
import io.hawser.tests.harness.ChildCluster;
import io.hawser.tests.harness.Event;
import io.hawser.tests.harness.Pause;
import io.hawser.tests.harness.RawFrame;
import io.hawser.tests.harness.RawHello;
import io.hawser.tests.harness.RawPeer;
import java.io.IOException;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * What a real process says last, to a peer that is played and can therefore keep a connection open, or reset it at the worst moment
 * (L2, L3; cases 48, 92).
 */
@Timeout(value = 90, unit = TimeUnit.SECONDS)
class LastWordsIT {
    private static final Duration ABORT_TIMEOUT = Duration.ofMillis(1_500);
    private static final Duration SLACK = Duration.ofSeconds(3);
    private static final Duration SILENCE = Duration.ofMillis(2_000);

    @RegisterExtension
    final Nursery nursery = Nursery.forEachTest();

    private ChildCluster cluster;
    private ChildCluster.Run run;

    /** Process 0 is real, process 1 is played. */
    private RawPeer open(final String deed, final Object... fieldsAndValues) throws IOException {
        cluster = new ChildCluster(nursery, 2, 1)
                .set("heartbeatMs", 100)
                .set("silenceMs", SILENCE.toMillis())
                .set("abortMs", ABORT_TIMEOUT.toMillis());
        cluster.launch(0);
        run = cluster.newRun();
        run.start(0, deed, fieldsAndValues);
        final RawHello hello = new RawHello();
        hello.clusterId = "it";
        hello.generation = run.id();
        hello.heartbeatInterval = cluster.duration("heartbeatMs");
        hello.silenceTimeout = SILENCE;
        final RawPeer raw = RawPeer.join(cluster.port(0), hello);
        run.awaitFormed(List.of(0));
        run.awaitAtWork(List.of(0));
        return raw;
    }

    /** The exit comes when health is lost already: the hook has nothing to say, but those who have must be waited for. */
    @Test
    void shouldWaitForAbortToLeaveWhenTheProcessExitsRightAfterALossCase92() throws Exception {
        try (RawPeer raw = open("poll", "onLoss", "exit")) {
            final long startNs = System.nanoTime();
            run.tell(0, "misdeed", "what", "throw");
            RawFrame frame = raw.next();
            while (frame.type() != RawFrame.ABORT) {
                frame = raw.next();
            }
            final int kind = frame.payload().order(ByteOrder.LITTLE_ENDIAN).getInt(0);
            assertThat(kind).as("the loss, not the exit that it led to").isEqualTo(CauseKind.WORKER_PANICKED.code());
            assertThat(cluster.child(0).awaitExit(ChildProcess.PATIENCE)).isEqualTo(7);
            final Duration took = Duration.ofNanos(System.nanoTime() - startNs);
            assertThat(took)
                    .as("as long as this peer does not end its stream, but no longer than the abort time-out")
                    .isBetween(ABORT_TIMEOUT.dividedBy(2), ABORT_TIMEOUT.plus(SLACK));
        }
    }

    /** Nobody is left to tell it that it was taken for dead: it has to find out by itself, and must not blame the others. */
    @Test
    void shouldReportItselfWhenItWakesAndItsConnectionsAreGoneCase48() throws Exception {
        try (RawPeer raw = open("poll")) {
            raw.send(RawFrame.heartbeat());
            cluster.child(0).signal(Signal.STOP);
            raw.reset();
            Pause.of(SILENCE.multipliedBy(2));
            cluster.child(0).signal(Signal.CONT);
            final Event joined = run.joined(0, ChildProcess.PATIENCE);
            assertThat(joined.text("kind")).as("%s", joined).isEqualTo(CauseKind.PROCESS_SUSPENDED.name());
            assertThat(joined.number("subject")).isZero();
            assertThat(joined.text("seen")).contains("stood still").contains("silenceTimeout=2000 ms");
        }
    }

    /** A pause that nobody else has noticed is no excuse. */
    @Test
    void shouldReportThePeerWhenThePauseWasShorterThanTheTimeoutCase48() throws Exception {
        try (RawPeer raw = open("poll")) {
            raw.send(RawFrame.heartbeat());
            cluster.child(0).signal(Signal.STOP);
            Pause.of(SILENCE.dividedBy(4));
            raw.reset();
            cluster.child(0).signal(Signal.CONT);
            final Event joined = run.joined(0, ChildProcess.PATIENCE);
            assertThat(joined.text("kind")).as("%s", joined).isEqualTo(CauseKind.PEER_LOST.name());
            assertThat(joined.number("subject")).isEqualTo(1);
        }
    }
}
