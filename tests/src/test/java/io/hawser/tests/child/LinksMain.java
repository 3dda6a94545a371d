package io.hawser.tests.child;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.hawser.fate.Cause;
import io.hawser.fate.HealthLostException;
import io.hawser.framing.FrameHeaderFlyweight;
import io.hawser.tests.harness.Event;
import io.hawser.transport.ClusterConfig;
import io.hawser.transport.ConsumptionListener;
import io.hawser.transport.Endpoint;
import io.hawser.transport.LinkConfig;
import io.hawser.transport.LinkReceiver;
import io.hawser.transport.Links;
import io.hawser.transport.Notice;
import io.hawser.transport.PeerLink;
import io.hawser.transport.ReceiveLane;
import io.hawser.transport.SendLane;
import io.hawser.transport.SendRing;
import io.hawser.transport.Slab;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The program of a forked JVM that has links. It tells where it listens ({@code listening}), of each link that is made ({@code linked}) and ends ({@code ended}, with the cause), and how much each has brought
 * ({@code received}, when asked). Commands: {@code dial} makes a link and floods it until its end or {@code stop}, which hangs up; {@code count}; {@code exit}.
 */
public final class LinksMain {
    private static Links links;
    private static volatile boolean isStopping;

    private LinksMain() {}

    /** Runs until the end of input. Arguments: name, heartbeat interval and silence time-out in ms. */
    public static void main(final String[] arguments) throws IOException {
        final ClusterConfig settings = ClusterConfig.builder()
                .clusterId("links")
                .addresses(List.of(new Endpoint("127.0.0.1", 1)))
                .heartbeatInterval(Duration.ofMillis(Long.parseLong(arguments[1])))
                .silenceTimeout(Duration.ofMillis(Long.parseLong(arguments[2])))
                .build();
        links = Links.open(LinkConfig.of(arguments[0], settings).atAnyPort(), Receiver::new);
        Report.send("listening", "run", 0, "port", links.address().port());
        final BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            final Event command = Event.parse(line);
            switch (command.name()) {
                case "dial" -> dial((int) command.number("port"));
                case "count" ->
                    links.links()
                            .forEach(link -> Report.send(
                                    "received",
                                    "run",
                                    0,
                                    "peer",
                                    link.peer().name(),
                                    "bytesIn",
                                    link.stats().bytesIn()));
                case "stop" -> isStopping = true;
                case "exit" -> System.exit(0);
                default -> throw new IllegalArgumentException("unknown command: " + line);
            }
        }
        Runtime.getRuntime().halt(99);
    }

    private static void dial(final int port) {
        links.dial(new Endpoint("127.0.0.1", port), Receiver::new).whenComplete((link, failure) -> {
            if (failure == null) {
                new Thread(() -> flood(link), "flood-" + link.peer().name()).start();
            } else {
                Report.send("not-linked", "run", 0, "text", failure.toString());
            }
        });
    }

    private static void flood(final PeerLink link) {
        final UnsafeBuffer message = new UnsafeBuffer(new byte[100]);
        try (SendRing ring = link.openRing(0)) {
            final SendLane lane = ring.openLane(SendRing.NO_DATAFLOW, 1, link.firstPeerWorker(), 1);
            for (long i = 0; !isStopping; i++) {
                message.putLong(0, i);
                ring.push(lane, message, 0, message.capacity());
            }
        } catch (final HealthLostException lost) {
            Report.send("out", "run", 0, "peer", link.peer().name(), "atMicros", Report.nowMicros());
            return;
        }
        link.hangUp();
    }

    /** Counts what one link brings, and hangs up when the other side has. */
    private static final class Receiver implements LinkReceiver {
        private final PeerLink link;
        private final AtomicLong frames = new AtomicLong();

        Receiver(final PeerLink link) {
            this.link = link;
            Report.send("linked", "run", 0, "peer", link.peer().name(), "dialled", link.isDialled());
        }

        @Override
        public void onData(
                final FrameHeaderFlyweight header, final Slab slab, final int payloadOffset, final ReceiveLane lane) {
            frames.incrementAndGet();
            lane.consumed(header.firstTargetWorker(), ReceiveLane.chargeOf(header));
        }

        @Override
        public void onNotice(final Notice notice, final ConsumptionListener books) {
            books.consumed(notice.targetWorker(), notice.charge());
        }

        @Override
        public void onHangUp() {
            if (!link.isDialled()) {
                link.hangUp();
            }
        }

        @Override
        public void onEnded(final Optional<Cause> firstCause) {
            Report.send(
                    "ended",
                    "run",
                    0,
                    "peer",
                    link.peer().name(),
                    "kind",
                    firstCause.map(cause -> cause.kind().name()).orElse("CLEAN"),
                    "seenAtMs",
                    firstCause.map(Cause::observedAtEpochMs).orElse(0L),
                    "atMicros",
                    Report.nowMicros(),
                    "frames",
                    frames.get(),
                    "text",
                    firstCause.map(cause -> cause.describe("the link ends")).orElse(""));
        }
    }
}
