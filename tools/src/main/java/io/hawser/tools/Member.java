package io.hawser.tools;

/**
 * What is known of one process of the demonstration, over all JVMs that it has lived in.
 *
 * <p><em>Threading:</em> one thread.
 */
final class Member {
    private final int index;
    private ChildProcess child;
    private long loadedInGeneration;
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

    /** It lives in a new JVM. */
    void startedAs(final ChildProcess newChild) {
        child = newChild;
        loadedInGeneration = 0;
        formedGeneration = 0;
        hasEnded = false;
    }

    void loaded(final Event event) {
        loaded = event;
    }

    void formed(final long generation) {
        formedGeneration = generation;
        loadedInGeneration = loadedInGeneration == 0 ? generation : loadedInGeneration;
    }

    /** It has lost what it had formed. */
    void lost() {
        formedGeneration = 0;
    }

    void done(final Event event) {
        done = event;
    }

    void ended() {
        hasEnded = true;
    }

    /** That it has formed, and not lost; 0 if there is none. */
    long formedGeneration() {
        return formedGeneration;
    }

    boolean isDone() {
        return done != null;
    }

    boolean hasEnded() {
        return hasEnded;
    }

    /** The first generation with what it holds. */
    long loadedInGeneration() {
        return loadedInGeneration;
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
