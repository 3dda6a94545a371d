package io.hawser.examples;

import io.hawser.tools.Event;

/**
 * What a process of an example tells the one that started it.
 *
 * <pre>
 *   line       text                       to be shown
 *   kill       process generation         that process is to be killed, and started anew for that generation
 *   leave      generation                 it ends itself, and is to be started anew for that generation
 *   result     …                          what it found, different in each example
 *   failed     what                       it could not do its work
 * </pre>
 *
 * <p><em>Threading:</em> safe; a lock for each line.
 */
final class Told {
    static final String LINE = "line";
    static final String KILL = "kill";
    static final String LEAVE = "leave";
    static final String RESULT = "result";
    static final String FAILED = "failed";

    private Told() {}

    /** Tells the user. */
    static void line(final String text) {
        System.out.println(new Event(LINE).with("text", text).toLine());
    }

    /** Has a process killed, and started anew for a generation to come. */
    static void kill(final int process, final long generation) {
        System.out.println(new Event(KILL)
                .with("process", process)
                .with("generation", generation)
                .toLine());
    }

    /** This process is about to end itself; it is started anew for a generation to come. */
    static void leave(final long generation) {
        System.out.println(new Event(LEAVE).with("generation", generation).toLine());
    }

    static void result(final Event result) {
        System.out.println(result.toLine());
    }

    static void failed(final Exception thrown) {
        System.out.println(new Event(FAILED).with("what", thrown).toLine());
    }

    /** An event to put results into. */
    static Event newResult() {
        return new Event(RESULT);
    }
}
