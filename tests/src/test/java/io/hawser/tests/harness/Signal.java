package io.hawser.tests.harness;

import java.io.IOException;
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
            sendByProgram(process.pid());
        }
    }

    private void sendByProgram(final long pid) {
        try {
            final Process kill = new ProcessBuilder("kill", "-" + name(), Long.toString(pid))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (!kill.waitFor(10, TimeUnit.SECONDS)) {
                kill.destroyForcibly();
                throw new AssertionError("kill did not end: signal=" + name() + " pid=" + pid);
            }
        } catch (final IOException failed) {
            throw new AssertionError("no program named kill: signal=" + name() + " pid=" + pid, failed);
        } catch (final InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted: signal=" + name() + " pid=" + pid, interrupted);
        }
    }
}
