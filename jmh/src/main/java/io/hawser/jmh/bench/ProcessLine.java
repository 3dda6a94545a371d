package io.hawser.jmh.bench;

/**
 * What a process of a run has told.
 *
 * <p><em>Threading:</em> immutable.
 *
 * @param process that told it
 * @param text    of the line; null when the process has nothing more to tell
 */
record ProcessLine(RunProcess process, String text) {
    boolean isEnd() {
        return text == null;
    }
}
