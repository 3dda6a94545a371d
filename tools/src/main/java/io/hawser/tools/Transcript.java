package io.hawser.tools;

import java.io.PrintStream;

/**
 * What a person reads while a command runs: lines, each with the seconds since the start, and on a terminal one status line
 * that is written over.
 *
 * <p><em>Threading:</em> safe; a lock for each line.
 */
public final class Transcript {
    private static final String ERASE_LINE = "\r\u001b[K";
    private static final int SECONDS_WIDTH = 5;

    private final PrintStream out;
    private final boolean isTerminal;
    private final long startNs = System.nanoTime();
    private boolean hasStatus;

    /**
     * Begins to count the time.
     *
     * @param out        where to write.
     * @param isTerminal whether a line can be written over.
     */
    public Transcript(final PrintStream out, final boolean isTerminal) {
        this.out = out;
        this.isTerminal = isTerminal;
    }

    /** Writes a line with the time before it. */
    public synchronized void event(final String text) {
        plain(time() + text);
    }

    /** Writes a line below the last event, without a time of its own. */
    public synchronized void detail(final String text) {
        plain(" ".repeat(time().length()) + text);
    }

    /** Writes a line as it is. */
    public synchronized void plain(final String text) {
        eraseStatus();
        out.println(text);
        out.flush();
    }

    /** Shows where things are, until the next line or status; nothing unless on a terminal. */
    synchronized void status(final String text) {
        if (isTerminal) {
            eraseStatus();
            out.print(time() + text);
            out.flush();
            hasStatus = true;
        }
    }

    double seconds() {
        return (System.nanoTime() - startNs) / 1e9;
    }

    private void eraseStatus() {
        if (hasStatus) {
            out.print(ERASE_LINE);
            hasStatus = false;
        }
    }

    private String time() {
        final String seconds = Numbers.fixed(seconds(), 1);
        return "[" + " ".repeat(Math.max(0, SECONDS_WIDTH - seconds.length())) + seconds + " s] ";
    }
}
