package io.hawser.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.tools.ExitStatus;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class ExamplesMainTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '"',
            value = {
                "cycle;Missing required option: '--policy=refuse|wait|spill'",
                "cycle --policy drop;Invalid value for option '--policy': must be refuse, wait or spill, but is 'drop'",
                "slow-consumer --policy wait --seconds 1;Invalid value for option '--seconds': must be whole seconds, 2 to 86400, but is '1'",
                "big-message --size 0;Invalid value for option '--size': must be a size, such as 64k, 64m or 4g, at most 1024g, but is '0'",
                "big-message --size 4t;Invalid value for option '--size': must be a size, such as 64k, 64m or 4g, at most 1024g, but is '4t'",
                "big-message --size 1025g;Invalid value for option '--size': must be a size, such as 64k, 64m or 4g, at most 1024g, but is '1025g'",
                "fan-in --processes 1;Invalid value for option '--processes': must be a whole number, 2 to 16, but is '1'",
                "rolling-restart --processes 2;Invalid value for option '--processes': must be a whole number, 3 to 8, but is '2'",
                "fan-in --bogus;Unknown option: '--bogus'"
            })
    void shouldRefuseWrongUsageInOneLine(final String arguments, final String message) {
        final String[] words = arguments.split(" ");
        assertThat(execute(words)).isEqualTo(ExitStatus.USAGE);
        assertThat(err).hasToString("hawser example " + words[0] + ": " + message + System.lineSeparator());
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void shouldRefuseUnknownExample() {
        assertThat(execute("bogus")).isEqualTo(ExitStatus.USAGE);
        assertThat(err.toString())
                .startsWith("hawser example: ")
                .contains("'bogus'")
                .hasLineCount(1);
    }

    @Test
    void shouldListExamplesWithoutAName() {
        assertThat(execute()).isZero();
        assertThat(out.toString())
                .containsSubsequence(
                        "slow-consumer  ", "cycle  ", "big-message  ", "fan-in  ", "retune  ", "drop-stuck-job  ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "slow-consumer",
                "cycle",
                "big-message",
                "fan-in",
                "retune",
                "drop-stuck-job",
                "query",
                "rolling-restart"
            })
    void shouldHideFromHelpWhatIsForItsOwnProcesses(final String example) {
        assertThat(execute(example, "--help")).isZero();
        assertThat(out.toString()).contains("--verbose").doesNotContain("--ports", "--generation");
    }

    @ParameterizedTest
    @CsvSource({"1,1", "2k,2048", "64M,67108864", "1000001,1000001", "4g,4294967296"})
    void shouldReadSizes(final String text, final long bytes) {
        assertThat(new ByteCount().convert(text)).isEqualTo(bytes);
    }

    private int execute(final String... arguments) {
        final CommandLine commandLine = ExamplesMain.commandLine();
        commandLine.setOut(new PrintWriter(out, true));
        commandLine.setErr(new PrintWriter(err, true));
        return commandLine.execute(arguments);
    }
}
