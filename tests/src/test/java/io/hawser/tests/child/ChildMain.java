package io.hawser.tests.child;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.hawser.tests.harness.Event;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.Locale;

/**
 * The program of a forked JVM. Each line of its input is a command; at the end of input, when the test is gone, it halts.
 *
 * <p>Commands: {@code run} forms a cluster, see {@link ClusterRun}; {@code misdeed}, {@code go}, {@code end}, {@code close},
 * {@code abort} and {@code cancel} act on the latest one; {@code property} sets a system property; {@code inspect} reports what this process
 * holds.
 */
public final class ChildMain {
    private static ClusterRun latest;

    private ChildMain() {}

    /** Runs until the end of input. */
    public static void main(final String[] arguments) throws IOException {
        Residue.prime();
        Report.send("up", "run", 0, "pid", ProcessHandle.current().pid());
        final BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            try {
                obey(Event.parse(line));
            } catch (final Throwable failed) {
                failed.printStackTrace();
            }
        }
        Runtime.getRuntime().halt(99);
    }

    private static void obey(final Event command) throws Exception {
        switch (command.name()) {
            case "run" -> start(command);
            case "misdeed" -> latest.order(Misdeed.valueOf(command.text("what").toUpperCase(Locale.ROOT)));
            case "go" -> latest.go();
            case "end" -> latest.endSoon();
            case "close" -> latest.close();
            case "abort" -> latest.abort(command.text("reason"));
            case "cancel" -> latest.cancel(command.number("dataflow"), command.text("reason"));
            case "property" -> setProperty(command);
            case "inspect" -> inspect(command);
            default -> throw new IllegalArgumentException("unknown command: name=" + command.name());
        }
    }

    private static void start(final Event command) {
        latest = new ClusterRun(command);
        new Thread(latest, "run-" + command.text("run")).start();
    }

    private static void setProperty(final Event command) {
        if (command.fields().containsKey("value")) {
            System.setProperty(command.text("name"), command.text("value"));
        } else {
            System.clearProperty(command.text("name"));
        }
    }

    private static void inspect(final Event command) {
        final long heap = command.has("collect", true) ? Residue.heapAfterCollection() : 0;
        final Residue residue = Residue.now();
        Report.send(
                "inspected",
                "run",
                command.number("run"),
                "threads",
                Thread.activeCount(),
                "hawserThreads",
                String.join(",", residue.threads()),
                "sockets",
                residue.sockets(),
                "descriptors",
                residue.descriptors(),
                "direct",
                residue.directBytes(),
                "heap",
                heap,
                "counted",
                latest == null ? 0 : latest.counted());
    }
}
