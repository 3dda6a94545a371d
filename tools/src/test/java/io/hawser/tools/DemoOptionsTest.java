package io.hawser.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

class DemoOptionsTest {
    @Test
    void shouldHaveDefaults() {
        final DemoOptions options = parse();
        assertThat(options.processes()).isEqualTo(4);
        assertThat(options.workers()).isEqualTo(2);
        assertThat(options.peers()).isEqualTo(8);
        assertThat(options.iterations()).isEqualTo(20);
        assertThat(options.silenceTimeout()).isEqualTo(Duration.ofSeconds(10));
        assertThat(options.faults()).isEmpty();
    }

    @Test
    void shouldNotWaitLongForAFrozenProcess() {
        assertThat(parse("--freeze=1@5").silenceTimeout()).isEqualTo(Duration.ofSeconds(2));
        assertThat(parse("--freeze=1@5", "--silence-timeout=3s").silenceTimeout())
                .isEqualTo(Duration.ofSeconds(3));
        assertThat(parse("--kill=1@5").silenceTimeout()).isEqualTo(Duration.ofSeconds(10));
    }

    @Test
    void shouldKeepFaultsInTheOrderOfTheCommandLine() {
        final DemoOptions options = parse("--panic", "3@9", "--kill=2@5", "--freeze", "1@7", "--kill", "0@1");
        assertThat(options.faults())
                .containsExactly(
                        new Fault(Fault.Kind.PANIC, 3, 9),
                        new Fault(Fault.Kind.KILL, 2, 5),
                        new Fault(Fault.Kind.FREEZE, 1, 7),
                        new Fault(Fault.Kind.KILL, 0, 1));
    }

    @Test
    void shouldTakeKillsWhileForming() {
        assertThat(parse("--kill=0@3", "--kill=1@greeted").faults())
                .containsExactly(
                        new Fault(Fault.Kind.KILL, 0, 3), new Fault(Fault.Kind.KILL, 1, -1, FormingStep.GREETED));
        assertThat(parse().isElsewhere()).isFalse();
        assertThat(parse("--elsewhere").isElsewhere()).isTrue();
    }

    @Test
    void shouldPassThemselvesOn() {
        final DemoOptions options =
                parse("--processes=3", "--workers=1", "--iterations=7", "--silence-timeout=1500ms", "--panic=2@6");
        final List<String> arguments = options.toArguments();
        assertThat(parse(arguments.toArray(String[]::new)).toArguments()).isEqualTo(arguments);
        assertThat(arguments)
                .containsExactly("--processes=3", "--workers=1", "--iterations=7", "--silence-timeout=1500ms");
    }

    private static DemoOptions parse(final String... arguments) {
        final WithOptions command = new WithOptions();
        final CommandLine commandLine = new CommandLine(command);
        commandLine.parseArgs(arguments);
        command.options.check(commandLine);
        return command.options;
    }

    @Command
    private static final class WithOptions {
        @Mixin
        private DemoOptions options;
    }
}
