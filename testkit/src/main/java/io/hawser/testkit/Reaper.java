package io.hawser.testkit;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.OutputStream;

/**
 * Ends the children of a test JVM that has itself ended without doing so, killed perhaps, and frozen children too: a shell
 * that is told of births and deaths, and kills who is left at the end of its input. {@link Nursery} tells it of its children; a test that starts processes
 * by other means may do so, too.
 *
 * <p><em>Threading:</em> any thread.
 */
public final class Reaper {
    /** It must outlive what ends the JVM, so it hears of no signal that a terminal sends to all. */
    private static final String SCRIPT = """
            trap '' INT TERM HUP QUIT
            all=' '
            while read -r what pid; do
              case "$what" in
                born) all="$all$pid " ;;
                dead) all=$(printf '%s' "$all" | sed "s/ $pid / /") ;;
              esac
            done
            for pid in $all; do kill -9 "$pid" 2>/dev/null; done
            """;

    private static OutputStream toShell;

    private Reaper() {}

    /**
     * From now on the process will not outlive this JVM.
     *
     * @param child that was started
     * @throws AssertionError if there is no shell
     */
    public static synchronized void born(final Process child) {
        tell("born", child.pid());
    }

    /**
     * The process has ended: its number may soon be another's.
     *
     * @param child that was told of as born
     * @throws AssertionError if there is no shell
     */
    public static synchronized void dead(final Process child) {
        tell("dead", child.pid());
    }

    private static void tell(final String what, final long pid) {
        try {
            if (toShell == null) {
                toShell = new ProcessBuilder("sh", "-c", SCRIPT)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .getOutputStream();
            }
            toShell.write((what + " " + pid + "\n").getBytes(US_ASCII));
            toShell.flush();
        } catch (final IOException failed) {
            throw new AssertionError("cannot tell the reaper: what=" + what + " pid=" + pid, failed);
        }
    }
}
