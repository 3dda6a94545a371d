package io.hawser.tests.harness;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class NurseryTest {
    @RegisterExtension
    final Nursery nursery = Nursery.forEachTest();

    @Test
    void shouldExchangeCommandsAndEventsOfAnyText() {
        final ChildJvm child = launchEcho();
        child.send(Event.of("echo", "run", 7, "text", "a b=c\nd ü %"));
        final Event answer = child.await("echo", 7);
        assertThat(answer.text("text")).isEqualTo("a b=c\nd ü %");
        assertThat(answer.number("run")).isEqualTo(7);
    }

    @Test
    void shouldKeepWhatIsNoEventAsLog() {
        final ChildJvm child = launchEcho();
        child.send(Event.of("print", "text", "a line of log"));
        child.send(Event.of("echo", "run", 1));
        child.await("echo", 1);
        assertThat(child.outputLines()).contains("a line of log");
        assertThat(child.errorLines()).contains("a line of log");
    }

    @Test
    void shouldFailWithLastWordsWhenChildEndsBeforeEvent() {
        final ChildJvm child = launchEcho();
        child.send(Event.of("print", "text", "my last words"));
        child.send(Event.of("exit", "status", 3));
        assertThatThrownBy(() -> child.await("never", 1))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("ended first")
                .hasMessageContaining("my last words");
        assertThat(child.awaitExit(ChildJvm.PATIENCE)).isEqualTo(3);
    }

    @Test
    void shouldFailInTimeWhenEventDoesNotCome() {
        final ChildJvm child = launchEcho();
        child.send(Event.of("echo", "run", 1));
        child.await("echo", 1);
        assertThatThrownBy(() -> child.await("never", 1, Duration.ofMillis(100)))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("not within 100 ms");
    }

    @Test
    void shouldFreezeThawAndKill() {
        final ChildJvm child = launchEcho();
        child.signal(Signal.STOP);
        child.send(Event.of("echo", "run", 1));
        assertThatThrownBy(() -> child.await("echo", 1, Duration.ofMillis(200))).isInstanceOf(AssertionError.class);
        assertThat(child.dumpThreads()).isEmpty();
        child.signal(Signal.CONT);
        child.await("echo", 1);
        child.signal(Signal.KILL);
        assertThat(child.awaitExit(ChildJvm.PATIENCE)).isEqualTo(128 + 9);
    }

    @Test
    void shouldDumpThreads() {
        final ChildJvm child = launchEcho();
        child.send(Event.of("echo", "run", 1));
        child.await("echo", 1);
        assertThat(child.dumpThreads()).anyMatch(line -> line.startsWith("\"main\""));
    }

    @Test
    void shouldBeGoneWhenDestroyed() {
        final ChildJvm child = launchEcho();
        nursery.destroy(child);
        assertThat(child.isAlive()).isFalse();
    }

    @Test
    void shouldHandOutDistinctPortsOutsideOfEphemeralRange() {
        final List<Integer> ports = FreePorts.take(50);
        assertThat(ports).doesNotHaveDuplicates().allMatch(port -> port < FreePorts.lowestEphemeral());
    }

    private ChildJvm launchEcho() {
        return nursery.launch("echo", List.of(), Echo.class.getName());
    }

    /** Answers until told to exit. */
    static final class Echo {
        private Echo() {}

        public static void main(final String[] arguments) throws IOException {
            final BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, UTF_8));
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                final Event command = Event.parse(line);
                switch (command.name()) {
                    case "echo" -> System.out.println(command.toLine());
                    case "print" -> {
                        System.out.println(command.text("text"));
                        System.err.println(command.text("text"));
                    }
                    default -> System.exit((int) command.number("status"));
                }
            }
        }
    }
}
