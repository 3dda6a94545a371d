package io.hawser.tests.harness;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The signals that tests send.
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

    /**
     * Sends it. KILL and TERM take no detour through another program, so that latencies can be measured from here. (They go through the handle, since
     * Process.destroy closes the input of the process too.)
     */
    void send(final Process process) {
        if (this == KILL) {
            process.toHandle().destroyForcibly();
        } else if (this == TERM) {
            process.toHandle().destroy();
        } else {
            sendByProgram(List.of(Long.toString(process.pid())));
        }
    }

    /** Sends it to all of them by one program, so at nearly the same time. */
    void send(final List<ProcessHandle> processes) {
        sendByProgram(processes.stream().map(each -> Long.toString(each.pid())).toList());
    }

    private void sendByProgram(final List<String> pids) {
        final List<String> command = new ArrayList<>(List.of("kill", "-" + name()));
        command.addAll(pids);
        try {
            final Process kill = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (!kill.waitFor(10, TimeUnit.SECONDS)) {
                kill.destroyForcibly();
                throw new AssertionError("kill did not end: signal=" + name() + " pids=" + pids);
            }
        } catch (final IOException failed) {
            throw new AssertionError("no program named kill: signal=" + name() + " pids=" + pids, failed);
        } catch (final InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted: signal=" + name() + " pids=" + pids, interrupted);
        }
    }
}
