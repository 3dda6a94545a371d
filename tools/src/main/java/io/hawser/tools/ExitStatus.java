package io.hawser.tools;

/**
 * What the command line ends with.
 *
 * <p><em>Threading:</em> safe; no state.
 */
public final class ExitStatus {
    /** All went well; of the demonstration: the ranks are right. */
    public static final int RIGHT = 0;

    /** The result is wrong, or there is none. */
    public static final int WRONG = 1;

    /** The command line makes no sense. */
    public static final int USAGE = 2;

    /** The processes did not come together. */
    public static final int NOT_FORMED = 3;

    private ExitStatus() {}
}
