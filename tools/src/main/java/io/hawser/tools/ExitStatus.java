package io.hawser.tools;

/**
 * What the command line ends with.
 *
 * <p><em>Threading:</em> safe; no state.
 */
final class ExitStatus {
    /** All went well; of the demonstration: the ranks are right. */
    static final int RIGHT = 0;

    /** The result is wrong, or there is none. */
    static final int WRONG = 1;

    /** The command line makes no sense. */
    static final int USAGE = 2;

    /** The processes did not come together. */
    static final int NOT_FORMED = 3;

    private ExitStatus() {}
}
