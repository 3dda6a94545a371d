package io.hawser.testkit;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The signals that tests send. All but KILL and TERM need a program named {@code kill}, which every Unix has.
 *
 * <p><em>Threading:</em> immutable.
 */
public enum Signal {
    /** Ends a process at once; it cannot prevent it. */
    KILL,
    /** Asks a process to end; the JVM runs its shutdown hooks. */
    TERM,
    /** What Ctrl-C sends; the same for a JVM, unless it was started by a shell that ignores it in the background. */
    INT,
    /** Freezes a process; its kernel still acknowledges what arrives. */
    STOP,
    /** Lets a frozen process go on. */
    CONT,
    /** Makes a JVM print the stacks of its threads. */
    QUIT;

    private static final long TIMEOUT_S = 10;

    /**
     * Sends it. KILL and TERM take no detour through another program, so that latencies can be measured from here.
     *
     * @param process that gets it; nothing happens if it has ended
     * @throws AssertionError if the signal cannot be sent
     */
    public void send(final ProcessHandle process) {
        if (this == KILL) {
            process.destroyForcibly();
        } else if (this == TERM) {
            process.destroy();
        } else {
            send(List.of(process));
        }
    }

    /**
     * Sends it to all of them by one program, so at nearly the same time.
     *
     * @param processes that get it, at least one
     * @throws AssertionError if the signal cannot be sent
     */
    public void send(final List<ProcessHandle> processes) {
        final List<String> command = new ArrayList<>(List.of("kill", "-" + name()));
        processes.forEach(each -> command.add(Long.toString(each.pid())));
        try {
            final Process kill = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (!kill.waitFor(TIMEOUT_S, TimeUnit.SECONDS)) {
                kill.destroyForcibly();
                throw new AssertionError("kill did not end: command=" + command);
            }
        } catch (final IOException failed) {
            throw new AssertionError("no program named kill: command=" + command, failed);
        } catch (final InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted: command=" + command, interrupted);
        }
    }
}
