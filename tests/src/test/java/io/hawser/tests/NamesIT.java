package io.hawser.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hawser.testkit.FreePorts;
import io.hawser.testkit.Nursery;
import io.hawser.tests.harness.Event;
import io.hawser.tests.harness.EventChild;
import io.hawser.tests.harness.Pause;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Case 20: a name is looked up anew at each dial, past the JVM's cache of 30 s, and of 10 s for names that are unknown. Case 81: one port, whatever happens. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class NamesIT {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** Far less than the JVM remembers what it has been told. */
    private static final long SOON_MS = 6_000;

    private static final String LISTENING = "0A";

    @RegisterExtension
    final Nursery nursery = Nursery.forEachTest();

    @TempDir
    private Path directory;

    /** A process that has a file of its own for {@code /etc/hosts}, which can be written later. */
    private EventChild launch(final Path hosts, final int process) {
        final List<String> launcher = hosts == null
                ? List.of()
                : List.of("unshare", "-m", "sh", "-c", "mount --bind $0 /etc/hosts && exec \"$@\"", hosts.toString());
        final EventChild child = new EventChild(
                nursery.launchThrough(launcher, "p" + process, List.of("-Xmx96m"), "io.hawser.tests.child.ChildMain"));
        child.await("up", 0);
        return child;
    }

    private static Event command(final int process, final String addresses) {
        return Event.of(
                "run",
                "run",
                1,
                "index",
                process,
                "workers",
                1,
                "addresses",
                addresses,
                "deeds",
                "park",
                "formationMs",
                PATIENCE.toMillis());
    }

    private static boolean mayMount(final Path hosts) throws IOException, InterruptedException {
        try {
            return new ProcessBuilder("unshare", "-m", "sh", "-c", "mount --bind $0 /etc/hosts", hosts.toString())
                            .start()
                            .waitFor()
                    == 0;
        } catch (final IOException noSuchCommand) {
            return false;
        }
    }

    @Test
    void shouldFollowANameThatIsUnknownThenWrongThenRightCase20() throws Exception {
        final Path hosts = directory.resolve("hosts");
        Files.writeString(hosts, "127.0.0.1 localhost\n");
        assumeTrue(mayMount(hosts), "no mounts for this user");
        final List<Integer> ports = FreePorts.take(2);
        final EventChild zero = launch(null, 0);
        final EventChild one = launch(hosts, 1);
        zero.send(command(0, "127.0.0.1:" + ports.get(0) + ",127.0.0.1:" + ports.get(1)));
        one.send(command(1, "ropes-zero:" + ports.get(0) + ",127.0.0.1:" + ports.get(1)));
        Pause.of(Duration.ofSeconds(1)); // it is asked for, in vain, several times
        Files.writeString(hosts, "127.0.0.1 localhost\n127.0.0.77 ropes-zero\n");
        Pause.of(Duration.ofSeconds(1)); // there nobody listens
        assertThat(one.find(event -> event.name().equals("formed"))).isEmpty();
        final long startNs = System.nanoTime();
        Files.writeString(hosts, "127.0.0.1 localhost\n127.0.0.1 ropes-zero\n");
        one.await("formed", 1, PATIENCE);
        zero.await("formed", 1, PATIENCE);
        final long tookMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs);
        System.out.println("a name that means something else now: found after ms: " + tookMs);
        assertThat(tookMs).isLessThan(SOON_MS);
    }

    /** L11: nothing listens but the one port that is configured. */
    @Test
    void shouldListenAtOnePortOnlyCase81() throws Exception {
        assumeTrue(Files.isReadable(Path.of("/proc/self/net/tcp")), "no /proc");
        final List<Integer> ports = FreePorts.take(3);
        final String addresses =
                "127.0.0.1:" + ports.get(0) + ",127.0.0.1:" + ports.get(1) + ",127.0.0.1:" + ports.get(2);
        final List<EventChild> children = new ArrayList<>();
        for (int process = 0; process < 3; process++) {
            children.add(launch(null, process));
            children.get(process).send(command(process, addresses));
        }
        for (int process = 0; process < 3; process++) {
            children.get(process).await("at-work", 1, PATIENCE);
            assertThat(listening(children.get(process).pid())).containsExactly(ports.get(process));
        }
    }

    /** The ports that a process listens at. */
    private static List<Integer> listening(final long pid) throws IOException {
        final List<String> inodes = new ArrayList<>();
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/" + pid + "/fd"))) {
            for (final Path descriptor : descriptors.toList()) {
                final String target = Files.exists(descriptor, LinkOption.NOFOLLOW_LINKS)
                        ? Files.readSymbolicLink(descriptor).toString()
                        : "";
                if (target.startsWith("socket:[")) {
                    inodes.add(target.substring("socket:[".length(), target.length() - 1));
                }
            }
        }
        final List<Integer> ports = new ArrayList<>();
        for (final String table : List.of("tcp", "tcp6")) {
            for (final String line : Files.readAllLines(Path.of("/proc/" + pid + "/net/" + table))) {
                final String[] words = line.strip().split("\\s+");
                if (words.length > 9 && words[3].equals(LISTENING) && inodes.contains(words[9])) {
                    ports.add(Integer.parseInt(words[1].substring(words[1].indexOf(':') + 1), 16));
                }
            }
        }
        assertThat(inodes)
                .as("sockets of %s in %s", pid, Arrays.toString(ports.toArray()))
                .isNotEmpty();
        return ports;
    }
}
