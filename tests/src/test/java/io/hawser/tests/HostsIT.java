package io.hawser.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hawser.testkit.Nursery;
import io.hawser.tests.harness.Event;
import io.hawser.tests.harness.EventChild;
import io.hawser.tests.harness.Hosts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * L3 and cases 49, 75, 82, 123, over hosts of their own with a switch between them: cut cables and small packets, which nobody is told of. Left out where one must not make network
 * namespaces; the same kinds of fault are injected by a proxy in {@link SilenceIT}.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class HostsIT {
    private static final Duration PATIENCE = Duration.ofSeconds(40);
    private static final long HEARTBEAT_MS = 100;
    private static final long SILENCE_MS = 1_500;
    private static final long FORMATION_MS = 2_500;
    private static final long SLACK_MS = 1_500;
    private static final int PROCESSES = 3;
    private static final int SMALL_PACKET = 600;

    @RegisterExtension
    final Nursery nursery = Nursery.forEachTest();

    private final List<EventChild> children = new ArrayList<>();
    private Hosts hosts;

    @BeforeEach
    void buildNetwork() {
        assumeTrue(Hosts.areAvailable(), "no network namespaces for this user");
        hosts = Hosts.create(PROCESSES);
        for (int process = 0; process < PROCESSES; process++) {
            children.add(new EventChild(nursery.launchThrough(
                    hosts.launcher(process), "p" + process, List.of("-Xmx96m"), "io.hawser.tests.child.ChildMain")));
        }
        children.forEach(child -> child.await("up", 0));
    }

    @AfterEach
    void removeNetwork() {
        nursery.close();
        if (hosts != null) {
            hosts.close();
        }
    }

    private void start(final String deeds) {
        for (int process = 0; process < PROCESSES; process++) {
            children.get(process)
                    .send(Event.of(
                            "run",
                            "run",
                            1,
                            "index",
                            process,
                            "workers",
                            1,
                            "addresses",
                            IntStream.range(0, PROCESSES)
                                    .mapToObj(host -> Hosts.address(host) + ":7000")
                                    .collect(Collectors.joining(",")),
                            "deeds",
                            deeds,
                            "heartbeatMs",
                            HEARTBEAT_MS,
                            "silenceMs",
                            SILENCE_MS,
                            "formationMs",
                            FORMATION_MS));
        }
    }

    private void form(final String deeds) {
        start(deeds);
        children.forEach(child -> child.await("formed", 1));
        children.forEach(child -> child.await("at-work", 1));
    }

    private Event joined(final int process) {
        return children.get(process).await("joined", 1, PATIENCE);
    }

    private static void assertTook(final String what, final long startNs) {
        final long tookMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs);
        System.out.println(what + ": on all survivors after ms: " + tookMs);
        assertThat(tookMs).as(what).isBetween(SILENCE_MS - HEARTBEAT_MS, SILENCE_MS + HEARTBEAT_MS + SLACK_MS);
    }

    /** Whatever the kernel thinks of how often a segment is sent again (case 123). */
    @ParameterizedTest
    @CsvSource({"push, 3", "push, 15", "park, 15"})
    void shouldNoticeACutCableAfterTheTimeoutCases49And123(final String activity, final int retries) {
        hosts.parameter("net.ipv4.tcp_retries2", retries);
        form(activity);
        final long startNs = System.nanoTime();
        hosts.cut(1);
        for (final int survivor : new int[] {0, 2}) {
            assertThat(joined(survivor).text("kind")).isEqualTo("PEER_SILENT");
            assertThat(joined(survivor).number("subject")).isEqualTo(1);
        }
        assertTook("cut cable, " + activity + ", tcp_retries2=" + retries, startNs);
        assertThat(joined(0).number("observer")).isEqualTo(joined(2).number("observer"));
        assertThat(joined(0).number("seenAtMs")).isEqualTo(joined(2).number("seenAtMs"));
        assertThat(joined(1).text("kind"))
                .as("who is cut off sees the others fall silent")
                .isEqualTo("PEER_SILENT");
        hosts.heal(1);
    }

    /** Heartbeats would pass, but they stand behind what does not. */
    @Test
    void shouldNoticeAPathThatPassesSmallPacketsOnlyCase75() {
        hosts.limitPackets(1, SMALL_PACKET);
        form("push");
        final long startNs = System.nanoTime();
        final Event first = joined(0);
        assertThat(first.text("kind")).isEqualTo("PEER_SILENT");
        assertThat(List.of(first.number("subject"), first.number("observer")))
                .as("the link of which large packets go astray")
                .contains(1L);
        assertThat(joined(2).number("subject")).isEqualTo(first.number("subject"));
        assertThat(joined(2).number("seenAtMs")).isEqualTo(first.number("seenAtMs"));
        // an ABORT that tells much is too long for that path: process 1 may only know what it has seen itself
        assertThat(joined(1).text("kind")).isEqualTo("PEER_SILENT");
        final long tookMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs);
        System.out.println("small packets only: on all after ms: " + tookMs);
        assertThat(tookMs).isLessThan(SILENCE_MS + 2 * HEARTBEAT_MS + SLACK_MS);
    }

    /** One that cannot be reached costs one time-out, and delays nobody. */
    @Test
    void shouldListTheOneThatCannotBeReachedCase82() {
        hosts.cut(1);
        final long startNs = System.nanoTime();
        start("park");
        for (int process = 0; process < PROCESSES; process++) {
            final String text =
                    children.get(process).await("not-formed", 1, PATIENCE).text("text");
            if (process != 1) {
                assertThat(text).contains("process 1 at 10.77.0.2:7000: not connected");
                // whoever gives up a moment later is told by the other one
                assertThat(text)
                        .containsAnyOf(
                                "process " + (2 - process) + " at " + Hosts.address(2 - process) + ":7000: connected",
                                "it gave up: process " + (2 - process) + " ");
            }
        }
        final long tookMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs);
        assertThat(tookMs).isBetween(FORMATION_MS - HEARTBEAT_MS, FORMATION_MS + SLACK_MS);
    }
}
