package io.hawser.tools;

/**
 * What is known of one process of the demonstration, over all JVMs that it has lived in.
 *
 * <p><em>Threading:</em> one thread.
 */
final class Member {
    private final int index;
    private ChildProcess child;
    private long startedForGeneration;
    private long formedGeneration;
    private Event loaded;
    private Event done;
    private boolean hasEnded;

    Member(final int index) {
        this.index = index;
    }

    int index() {
        return index;
    }

    /** The JVM it lives in, or the last one it lived in. */
    ChildProcess child() {
        return child;
    }

    /** It lives in a new JVM that will take part in a generation. */
    void startedAs(final ChildProcess newChild, final long generation) {
        child = newChild;
        startedForGeneration = generation;
        loaded = null;
        hasEnded = false;
    }

    void loaded(final Event event) {
        loaded = event;
    }

    void formed(final long generation) {
        formedGeneration = generation;
    }

    void done(final Event event) {
        done = event;
    }

    void ended() {
        hasEnded = true;
    }

    boolean isFormedIn(final long generation) {
        return formedGeneration == generation;
    }

    boolean isDone() {
        return done != null;
    }

    boolean hasEnded() {
        return hasEnded;
    }

    /** In which generation it has loaded what it holds. */
    long loadedInGeneration() {
        return startedForGeneration;
    }

    long classes() {
        return loaded.number("classes");
    }

    long references() {
        return loaded.number("references");
    }

    double loadSeconds() {
        return loaded.number("micros") / 1e6;
    }

    double rankSeconds() {
        return done.number("micros") / 1e6;
    }

    /** A number of its last event: {@code messages}, {@code bytesOut}, {@code bytesIn}, {@code framesOut} or {@code framesIn}. */
    long count(final String name) {
        return done.number(name);
    }

    @Override
    public String toString() {
        return "process " + index + " (pid " + child.pid() + ")";
    }
}
