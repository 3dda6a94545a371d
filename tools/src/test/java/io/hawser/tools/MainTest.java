package io.hawser.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class MainTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "--processes 0|Invalid value for option '--processes': must be a whole number, 1 to 16, but is '0'",
                "--processes x|Invalid value for option '--processes': must be a whole number, 1 to 16, but is 'x'",
                "--workers 17|Invalid value for option '--workers': must be a whole number, 1 to 16, but is '17'",
                "--iterations -1|Invalid value for option '--iterations': must be a whole number, 1 to 100000, but is '-1'",
                "--silence-timeout 2|Invalid value for option '--silence-timeout': must be a time, 600ms to 30s, but is '2'",
                "--silence-timeout 599ms|Invalid value for option '--silence-timeout': must be a time, 600ms to 30s, but is '599ms'",
                "--silence-timeout=31s|Invalid value for option '--silence-timeout': must be a time, 600ms to 30s, but is '31s'",
                "--kill 4@5|Invalid value for option '--kill': process must be 0 to 3, but is 4 in '4@5'",
                "--kill 2@20|Invalid value for option '--kill': iteration must be 0 to 19, but is 20 in '2@20'",
                "--kill 2@3 --iterations 3|Invalid value for option '--kill': iteration must be 0 to 2, but is 3 in '2@3'",
                "--freeze 1|Invalid value for option '--freeze': must be a process and an iteration, such as 2@5, but is '1'",
                "--panic=8@5|Invalid value for option '--panic': worker must be 0 to 7, but is 8 in '8@5'",
                "--kill|Missing value for option '--kill': <P@I>",
                "--bogus|Unknown option: '--bogus'",
                "extra|Unmatched argument at index 1: 'extra'"
            })
    void shouldRefuseWrongUsageInOneLine(final String arguments, final String message) {
        assertThat(execute(("demo " + arguments).split(" "))).isEqualTo(ExitStatus.USAGE);
        assertThat(err).hasToString("hawser demo: " + message + System.lineSeparator());
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void shouldRefuseTooManyFaults() {
        final String[] arguments = ("demo" + " --kill 1@1".repeat(17)).split(" ");
        assertThat(execute(arguments)).isEqualTo(ExitStatus.USAGE);
        assertThat(err.toString()).contains("at most 16 are allowed, but there are 17");
    }

    @Test
    void shouldAskForACommand() {
        assertThat(execute()).isEqualTo(ExitStatus.USAGE);
        assertThat(err.toString()).startsWith("hawser: which command?").hasLineCount(1);
    }

    @Test
    void shouldShowHelp() {
        assertThat(execute("help")).isZero();
        assertThat(out.toString())
                .contains("demo", "help", "version", "hawser demo --kill 2@5")
                .doesNotContain("demo-process");
    }

    @Test
    void shouldShowHelpOfTheDemo() {
        assertThat(execute("help", "demo")).isZero();
        assertThat(out.toString()).contains("--processes", "--freeze=<P@I>", "(default: 10s", "Exit status:");
    }

    @Test
    void shouldShowVersions() {
        assertThat(execute("version")).isZero();
        assertThat(out.toString())
                .startsWith("hawser ")
                .contains("protocol version 1", "JDK " + Runtime.version())
                .hasLineCount(1);
    }

    private int execute(final String... arguments) {
        final CommandLine commandLine = Main.commandLine();
        commandLine.setOut(new PrintWriter(out, true));
        commandLine.setErr(new PrintWriter(err, true));
        return commandLine.execute(arguments);
    }
}
