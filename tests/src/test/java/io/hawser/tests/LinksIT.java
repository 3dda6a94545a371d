package io.hawser.tests;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.testkit.ChildProcess;
import io.hawser.testkit.Cut;
import io.hawser.testkit.FaultProxy;
import io.hawser.testkit.Nursery;
import io.hawser.testkit.Signal;
import io.hawser.tests.harness.Event;
import io.hawser.tests.harness.EventChild;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Links of three real processes: tm-0 floods tm-1 and tm-2, and something happens to tm-1 or to the way there. That link ends with its true cause in the time that a mesh would need (L2, L3), and the link
 * beside it does not notice (L12).
 */
class LinksIT {
    private static final long HEARTBEAT_MS = 100;
    private static final long SILENCE_MS = 1_200;
    private static final long SLACK_MS = 1_500;
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @RegisterExtension
    final Nursery nursery = Nursery.forEachTest();

    private List<EventChild> children;
    private FaultProxy proxy;

    private enum Fault {
        KILL("PEER_LOST", 0),
        EXIT("PROCESS_EXITING", 0),
        CUT_FIN("PEER_LOST", 0),
        CUT_RST("PEER_LOST", 0),
        FREEZE("PEER_SILENT", SILENCE_MS),
        BLACK_HOLE("PEER_SILENT", SILENCE_MS),
        ONE_WAY("PEER_SILENT", SILENCE_MS);

        private final String kind;
        private final long afterMs;

        Fault(final String kind, final long afterMs) {
            this.kind = kind;
            this.afterMs = afterMs;
        }

        /** Whether both ends of the link live on and can tell. */
        boolean leavesBoth() {
            return this != KILL && this != EXIT && this != FREEZE;
        }
    }

    @BeforeEach
    void launch() {
        children = List.of(child(0), child(1), child(2));
        proxy = FaultProxy.to(port(1));
        dial(proxy.port());
        dial(port(2));
        for (final int peer : new int[] {1, 2}) {
            await(0, "linked", peer);
            await(peer, "linked", 0);
        }
    }

    @AfterEach
    void close() {
        proxy.close();
    }

    private EventChild child(final int index) {
        return new EventChild(nursery.launch(
                "tm-" + index,
                List.of("-Xmx96m"),
                "io.hawser.tests.child.LinksMain",
                "tm-" + index,
                Long.toString(HEARTBEAT_MS),
                Long.toString(SILENCE_MS)));
    }

    private int port(final int child) {
        return (int) children.get(child).await("listening", 0).number("port");
    }

    private void dial(final int port) {
        children.get(0).send(Event.of("dial", "run", 0, "port", port));
    }

    private Event await(final int child, final String event, final int peer) {
        return children.get(child)
                .await(
                        event + " tm-" + peer,
                        PATIENCE,
                        wanted -> wanted.name().equals(event) && wanted.has("peer", "tm-" + peer));
    }

    /** What tm-2 has received so far from tm-0. */
    private long bytesIn() {
        final long before = counts();
        children.get(2).send(Event.of("count", "run", 0));
        final long deadlineNs = System.nanoTime() + PATIENCE.toNanos();
        while (counts() == before) {
            assertThat(System.nanoTime() - deadlineNs).as("no answer of tm-2").isNegative();
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
        }
        return children.get(2).events().stream()
                .filter(event -> event.name().equals("received"))
                .reduce((first, second) -> second)
                .orElseThrow()
                .number("bytesIn");
    }

    private long counts() {
        return children.get(2).events().stream()
                .filter(event -> event.name().equals("received"))
                .count();
    }

    @ParameterizedTest
    @EnumSource(Fault.class)
    void shouldEndOneLinkWithItsCauseAndLeaveTheOtherAlone(final Fault fault) {
        final long startMicros = Victim.nowMicros();
        switch (fault) {
            case KILL -> children.get(1).signal(Signal.KILL);
            case FREEZE -> children.get(1).signal(Signal.STOP);
            case EXIT -> children.get(1).send(Event.of("exit", "run", 0));
            case CUT_FIN -> proxy.cut(Cut.FIN);
            case CUT_RST -> proxy.cut(Cut.RST);
            case BLACK_HOLE -> proxy.blackHole();
            case ONE_WAY -> proxy.toTarget().swallow();
        }
        final Event ended = await(0, "ended", 1);
        final long tookMs = (ended.number("atMicros") - startMicros) / 1_000;
        System.out.println("LinksIT " + fault + ": ended after " + tookMs + " ms: " + ended.text("text"));
        assertThat(ended.text("kind")).isEqualTo(fault.kind);
        assertThat(ended.text("text")).matches("tm-[01] \\(at 127\\.0\\.0\\.1:.*; seen by .*; the link ends; .*");
        assertThat(tookMs).isLessThan(fault.afterMs + HEARTBEAT_MS + SLACK_MS);
        assertThat(tookMs).isGreaterThanOrEqualTo(fault.afterMs == 0 ? 0 : fault.afterMs - 2 * HEARTBEAT_MS);
        assertThat(await(0, "out", 1).number("atMicros") - startMicros)
                .as("who sends comes out no later (L3)")
                .isLessThan(TimeUnit.MILLISECONDS.toMicros(fault.afterMs + HEARTBEAT_MS + SLACK_MS));
        if (fault.leavesBoth()) {
            assertThat(await(1, "ended", 0).text("kind")).isIn("PEER_LOST", "PEER_SILENT");
        }
        final long before = bytesIn();
        final long deadlineNs = System.nanoTime() + PATIENCE.toNanos();
        while (bytesIn() < before + 1_000_000) {
            assertThat(System.nanoTime() - deadlineNs)
                    .as("the link beside it stands still")
                    .isNegative();
        }
        assertThat(children.get(2).events()).noneMatch(event -> event.name().equals("ended"));
        children.get(0).send(Event.of("stop", "run", 0));
        assertThat(await(0, "ended", 2).text("kind")).isEqualTo("CLEAN");
        assertThat(await(2, "ended", 0).text("kind")).isEqualTo("CLEAN");
    }

    /** A process that comes back at the same port is another one, and is linked anew. */
    @Test
    void shouldLinkAgainWithWhoeverComesBack() {
        children.get(1).signal(Signal.KILL);
        await(0, "ended", 1);
        final EventChild again = child(1);
        dial((int) again.await("listening", 0).number("port"));
        again.await(
                "linked tm-0",
                ChildProcess.PATIENCE,
                event -> event.name().equals("linked") && event.has("peer", "tm-0"));
        children.get(0).send(Event.of("stop", "run", 0));
        again.await("clean", PATIENCE, event -> event.name().equals("ended") && event.has("kind", "CLEAN"));
    }
}
