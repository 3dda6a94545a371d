package io.hawser.jmh.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.jmh.peers.Entrants;
import io.hawser.jmh.peers.Workload;
import io.hawser.tools.ExitStatus;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class BenchCommandTest {
    @Test
    void shouldRunEverythingIfNothingIsSaid() {
        final Plan plan = plan();

        assertThat(plan.workloads()).containsExactly(Workload.values());
        assertThat(plan.entrants()).isEqualTo(Entrants.usualNames());
        assertThat(plan.rounds()).isEqualTo(3);
        assertThat(plan.pinning()).isEqualTo(Pinning.NONE);
    }

    @Test
    void shouldTakeLessTimeIfItIsToBeQuick() {
        final Plan plan = plan("--quick", "W2", "W1", "W2");

        assertThat(plan.workloads()).containsExactly(Workload.W2, Workload.W1);
        assertThat(plan.rounds()).isEqualTo(1);
        assertThat(plan.warmUpMs()).isEqualTo(1_000);
        assertThat(plan.measureMs()).isEqualTo(700);
        assertThat(plan.timeLimitMs()).isEqualTo(160_000);
        assertThat(plan().timeLimitMs()).isEqualTo(Plan.NO_TIME_LIMIT);
    }

    @Test
    void shouldTakeEachOption() {
        final Plan plan = plan(
                "W3", "--rounds=5", "--pin", "0/1", "--nice=-15", "--entrants", "hawser,raw-nio", "--warm-ms", "7");

        assertThat(plan.rounds()).isEqualTo(5);
        assertThat(plan.pinning().prefix(0)).containsExactly("taskset", "-c", "0");
        assertThat(plan.pinning().prefix(3)).containsExactly("taskset", "-c", "1");
        assertThat(plan.priority()).isEqualTo(new Priority(-15));
        assertThat(plan.entrantsOf(Workload.W3)).containsExactly("hawser", "raw-nio");
        assertThat(plan.warmUpMs()).isEqualTo(7);
    }

    @Test
    void shouldLetEntrantsTakePartOnlyInWhatTheyCanDo() {
        assertThat(plan().entrantsOf(Workload.W5)).contains("hawser", "raw-nio").doesNotContain("grpc", "raw-pump");
        assertThat(plan().entrantsOf(Workload.W2))
                .contains("netty-epoll-packed")
                .doesNotContain("raw-pump");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "W7|Unmatched argument at index 0: 'W7'",
                "--rounds 0|Invalid value for option '--rounds': must be a whole number, 1 to 100, but is '0'",
                "--measure-ms 99|Invalid value for option '--measure-ms': must be a whole number, 100 to",
                "--pin x|Invalid value for option '--pin': must be processors divided by slashes, such as 0/1, but is 'x'",
                "--entrants bogus|Invalid value for option '--entrants': must be among [hawser, raw-nio,",
                "--bogus|Unknown option: '--bogus'"
            })
    void shouldRefuseWrongUsageInOneLine(final String arguments, final String message) {
        final StringWriter err = new StringWriter();
        final CommandLine commandLine = BenchMain.commandLine();
        commandLine.setErr(new PrintWriter(err, true));

        assertThat(commandLine.execute(arguments.split(" "))).isEqualTo(ExitStatus.USAGE);
        assertThat(err.toString()).startsWith("hawser bench: " + message).hasLineCount(1);
    }

    private static Plan plan(final String... arguments) {
        final CommandLine commandLine = BenchMain.commandLine();
        commandLine.parseArgs(arguments);
        return commandLine.<BenchCommand>getCommand().plan();
    }
}
