package io.hawser.tools;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One fault to be caused on purpose, written {@code target@iteration}, or {@code target@step} while the cluster forms.
 *
 * <p><em>Threading:</em> safe; immutable.
 *
 * @param kind      what is done.
 * @param target    index of the process, or for a panic of the worker, that it is done to.
 * @param iteration in which iteration, counted from 0; -1 while the cluster forms.
 * @param step      at which step of forming; null in an iteration.
 */
record Fault(Kind kind, int target, int iteration, FormingStep step) {
    private static final Pattern SYNTAX = Pattern.compile("(\\d{1,9})@(?:(\\d{1,9})|([a-z]+))");

    /** A fault in an iteration. */
    Fault(final Kind kind, final int target, final int iteration) {
        this(kind, target, iteration, null);
    }

    /** What can be done to a process or a worker. */
    enum Kind {
        /** SIGKILL to a process. */
        KILL("process", "SIGKILL to"),
        /** SIGSTOP to a process. */
        FREEZE("process", "SIGSTOP to"),
        /** An exception in a worker. */
        PANIC("worker", "exception in");

        private final String targetName;
        private final String deed;

        Kind(final String targetName, final String deed) {
            this.targetName = targetName;
            this.deed = deed;
        }

        String targetName() {
            return targetName;
        }

        /** What is done, as text to be followed by its target. */
        String deed() {
            return deed;
        }

        String option() {
            return "--" + name().toLowerCase(Locale.ROOT);
        }

        static Kind ofOption(final String option) {
            return valueOf(option.substring("--".length()).toUpperCase(Locale.ROOT));
        }
    }

    /**
     * Reads {@code target@iteration} or {@code target@step}.
     *
     * @param kind what is done.
     * @param text such as {@code 2@5}.
     * @return the fault.
     * @throws IllegalArgumentException if the text is written otherwise; its message completes "Invalid value: ".
     */
    static Fault parse(final Kind kind, final String text) {
        final Matcher matcher = SYNTAX.matcher(text);
        final FormingStep step = matcher.matches() ? FormingStep.of(matcher.group(3)) : null;
        final boolean isSound = matcher.matches() && (step == null ? matcher.group(2) != null : kind == Kind.KILL);
        if (!isSound) {
            throw new IllegalArgumentException("must be a " + kind.targetName() + " and an iteration, such as 2@5"
                    + (kind == Kind.KILL ? ", or a step of forming (" + FormingStep.names() + "), such as 2@ready" : "")
                    + ", but is '" + text + "'");
        }
        return new Fault(
                kind, Integer.parseInt(matcher.group(1)), step == null ? Integer.parseInt(matcher.group(2)) : -1, step);
    }

    /** Whether it strikes while the cluster forms. */
    boolean isWhileForming() {
        return step != null;
    }

    /** When it strikes, for messages. */
    String moment() {
        return isWhileForming() ? "forming, at step " + step : "iteration " + iteration;
    }

    /**
     * Checks this fault against the size of the job.
     *
     * @param targets    how many processes, or for a panic workers, there are.
     * @param iterations how many iterations there are.
     * @throws IllegalArgumentException if there is no such target or iteration; its message completes "Invalid value: ".
     */
    void checkRange(final int targets, final int iterations) {
        checkRange(kind.targetName(), target, targets);
        if (!isWhileForming()) {
            checkRange("iteration", iteration, iterations);
        }
    }

    private void checkRange(final String name, final int value, final int count) {
        if (value >= count) {
            throw new IllegalArgumentException(
                    name + " must be 0 to " + (count - 1) + ", but is " + value + " in '" + this + "'");
        }
    }

    /** The way it is written. */
    @Override
    public String toString() {
        return target + "@" + (isWhileForming() ? step : String.valueOf(iteration));
    }
}
