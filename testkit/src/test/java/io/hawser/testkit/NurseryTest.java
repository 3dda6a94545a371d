package io.hawser.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class NurseryTest {
    @RegisterExtension
    final Nursery nursery = Nursery.forEachTest();

    @Test
    void shouldExchangeLines() {
        final ChildProcess child = launchEcho();
        child.send("out a b=c ü %");
        awaitLine(child, "a b=c ü %");
        assertThat(child.lines()).containsExactly("a b=c ü %");
    }

    @Test
    void shouldKeepErrorOutputApart() {
        final ChildProcess child = launchEcho();
        child.send("err a line of log");
        child.send("out done");
        awaitLine(child, "done");
        assertThat(child.errorLines()).containsExactly("a line of log");
        assertThat(child.lines()).containsExactly("done");
    }

    @Test
    void shouldFailWithLastWordsWhenChildEndsBeforeLine() {
        final ChildProcess child = launchEcho();
        child.send("out my last words");
        child.send("exit 3");
        assertThatThrownBy(() -> awaitLine(child, "never"))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("ended first")
                .hasMessageContaining("my last words");
        assertThat(child.awaitExit(ChildProcess.PATIENCE)).isEqualTo(3);
    }

    @Test
    void shouldFailInTimeWhenLineDoesNotCome() {
        final ChildProcess child = launchEcho();
        child.send("out up");
        awaitLine(child, "up");
        assertThatThrownBy(() -> child.awaitLine("never", Duration.ofMillis(100), "never"::equals))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("not within 100 ms");
    }

    @Test
    void shouldForgetOldLinesOfChildThatNeverStopsPrinting() {
        final ChildProcess child = launchEcho();
        child.send("count " + (ChildProcess.LINE_LIMIT + 1));
        awaitLine(child, Integer.toString(ChildProcess.LINE_LIMIT));
        assertThat(child.lines())
                .hasSizeLessThanOrEqualTo(ChildProcess.LINE_LIMIT)
                .doesNotContain("0");
    }

    @Test
    void shouldFreezeThawAndKill() {
        final ChildProcess child = launchEcho();
        child.signal(Signal.STOP);
        child.send("out hello");
        assertThatThrownBy(() -> child.awaitLine("hello", Duration.ofMillis(200), "hello"::equals))
                .isInstanceOf(AssertionError.class);
        assertThat(child.dumpThreads()).isEmpty();
        child.signal(Signal.CONT);
        awaitLine(child, "hello");
        child.signal(Signal.KILL);
        assertThat(child.isAlive()).isFalse();
        assertThat(child.awaitExit(ChildProcess.PATIENCE)).isEqualTo(128 + 9);
    }

    @Test
    void shouldRunShutdownHooksWhenTerminated() {
        final ChildProcess child = launchEcho();
        child.send("out up");
        awaitLine(child, "up");
        child.signal(Signal.TERM);
        awaitLine(child, "hook");
        assertThat(child.awaitExit(ChildProcess.PATIENCE)).isEqualTo(128 + 15);
    }

    @Test
    void shouldDumpThreads() {
        final ChildProcess child = launchEcho();
        child.send("out up");
        awaitLine(child, "up");
        assertThat(child.dumpThreads()).anyMatch(line -> line.startsWith("\"main\""));
    }

    @Test
    void shouldBeGoneWhenDestroyedOrClosed() {
        final ChildProcess destroyed = launchEcho();
        final ChildProcess closed = launchEcho();
        nursery.destroy(destroyed);
        assertThat(destroyed.isAlive()).isFalse();
        assertThat(closed.isAlive()).isTrue();
        nursery.close();
        assertThat(closed.isAlive()).isFalse();
    }

    @Test
    void shouldLeaveNoFrozenGrandchildWhenParentIsKilled() {
        final ChildProcess parent = nursery.launch("parent", List.of(), Parent.class.getName());
        final String pid = parent.awaitLine("pid", ChildProcess.PATIENCE, line -> line.startsWith("child "));
        final ProcessHandle grandchild = ProcessHandle.of(Long.parseLong(pid.substring("child ".length())))
                .orElseThrow();
        assertThat(grandchild.isAlive()).isTrue();
        parent.signal(Signal.KILL);
        Deadline.await(ChildProcess.PATIENCE, "end of the frozen grandchild", () -> !grandchild.isAlive());
    }

    @Test
    void shouldKeepLogsAndThreadDumpsWhenTestFails() throws IOException {
        final TestRun run = TestRun.of(Failing.class);
        assertThat(run.failures()).hasSize(1);
        final String said = "are in ";
        final Path kept = Path.of(run.printed()
                .substring(run.printed().indexOf(said) + said.length())
                .strip());
        try (Stream<Path> files = Files.list(kept)) {
            final Path log = files.filter(file -> file.toString().endsWith(Failing.child.name() + ".out"))
                    .findFirst()
                    .orElseThrow();
            assertThat(Files.readString(log)).startsWith("last words").contains("\"main\"");
        }
        assertThat(Failing.child.isAlive()).isFalse();
    }

    @Test
    void shouldHandOutDistinctPortsOutsideOfEphemeralRange() {
        final List<Integer> ports = FreePorts.take(50);
        assertThat(ports).doesNotHaveDuplicates().allMatch(port -> port < FreePorts.lowestEphemeral());
    }

    static class Failing {
        static ChildProcess child;

        @RegisterExtension
        final Nursery nursery = Nursery.forEachTest();

        @Test
        void shouldFail() {
            child = nursery.launch("echo", List.of(), Echo.class.getName());
            child.send("out last words");
            awaitLine(child, "last words");
            throw new AssertionError("wrong");
        }
    }

    private ChildProcess launchEcho() {
        return nursery.launch("echo", List.of(), Echo.class.getName());
    }

    private static void awaitLine(final ChildProcess child, final String line) {
        child.awaitLine("'" + line + "'", ChildProcess.PATIENCE, line::equals);
    }

    /** Does what each line tells, until told to exit. */
    static final class Echo {
        private Echo() {}

        public static void main(final String[] arguments) throws IOException {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("hook")));
            final BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, UTF_8));
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                final String[] command = line.split(" ", 2);
                switch (command[0]) {
                    case "out" -> System.out.write((command[1] + "\n").getBytes(UTF_8));
                    case "err" -> System.err.println(command[1]);
                    case "count" -> count(Integer.parseInt(command[1]));
                    default -> System.exit(Integer.parseInt(command[1]));
                }
                System.out.flush();
            }
        }

        private static void count(final int lines) {
            final StringBuilder text = new StringBuilder();
            for (int i = 0; i < lines; i++) {
                text.append(i).append('\n');
            }
            System.out.print(text);
        }
    }

    /** Has a frozen child, tells its pid, and then waits for ever. */
    static final class Parent {
        private Parent() {}

        public static void main(final String[] arguments) throws IOException {
            final ChildProcess child = Nursery.forEachTest().launch("child", List.of(), Echo.class.getName());
            child.signal(Signal.STOP);
            System.out.println("child " + child.pid());
            System.in.read();
        }
    }
}
