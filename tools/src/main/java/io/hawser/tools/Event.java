package io.hawser.tools;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;

/**
 * What a process of the demonstration tells the process that started it: one line of its standard output each. Any other
 * line is not an event but output.
 *
 * <pre>
 *   @hawser TAB type TAB name=value TAB name=value …
 *
 *   loaded            classes references micros           the process has read its portion
 *   formed            generation micros                   a cluster is formed, the workers run
 *   iteration         generation iteration                worker 0 has come this far
 *   fault-point       generation step                     the process waits to be killed or frozen, at a step of forming or -
 *   lost              generation cause identity           the cluster was lost; identity: of the cause, the same on all
 *                     returnMicros panicMicros            when the last worker was back, when one threw or 0
 *   ranks             worker values                       the result of one worker
 *   done              generation micros messages          the process has all its ranks, and ends
 *                     bytesOut bytesIn framesOut framesIn
 *   formation-failed  report                              a cluster could not be formed; the process ends
 *   failed            what                                anything else went wrong; the process ends
 * </pre>
 *
 * Other programs whose processes are {@link ChildProcesses} have events of their own, in the same form.
 *
 * <p>micros is a duration, what ends in Micros is a time since 1970, both in microseconds. In a value, tab, line feed, carriage return and backslash are written {@code \t}, {@code \n}, {@code \r} and {@code \\}.
 * The other direction has {@link Orders}; a process ends when its standard input does.
 *
 * <p><em>Threading:</em> one thread.
 */
public final class Event {
    static final String LOADED = "loaded";
    static final String FORMED = "formed";
    static final String ITERATION = "iteration";
    static final String FAULT_POINT = "fault-point";
    static final String LOST = "lost";
    static final String RANKS = "ranks";
    static final String DONE = "done";
    static final String FORMATION_FAILED = "formation-failed";
    static final String FAILED = "failed";

    private static final String PREFIX = "@hawser\t";

    private final String type;
    private final Map<String, String> values = new LinkedHashMap<>();

    /** Begins an event without values. */
    public Event(final String type) {
        this.type = type;
    }

    public Event with(final String name, final Object value) {
        values.put(name, value.toString());
        return this;
    }

    public String type() {
        return type;
    }

    public boolean is(final String expected) {
        return type.equals(expected);
    }

    /** A value, which the event has to have. */
    public String text(final String name) {
        final String value = values.get(name);
        if (value == null) {
            throw new NoSuchElementException("event without value: type=" + type + " name=" + name);
        }
        return value;
    }

    /** A value that is a whole number. */
    public long number(final String name) {
        return Long.parseLong(text(name));
    }

    /**
     * The line that stands for this event.
     *
     * @return one line without its end.
     */
    public String toLine() {
        final StringBuilder line = new StringBuilder(PREFIX).append(type);
        values.forEach((name, value) -> escape(line.append('\t').append(name).append('='), value));
        return line.toString();
    }

    /**
     * Reads a line.
     *
     * @param line without its end.
     * @return the event, or empty if the line is mere output.
     */
    static Optional<Event> parse(final String line) {
        if (!line.startsWith(PREFIX)) {
            return Optional.empty();
        }
        final String[] parts = line.substring(PREFIX.length()).split("\t", -1);
        final Event event = new Event(parts[0]);
        for (int i = 1; i < parts.length; i++) {
            final int equals = parts[i].indexOf('=');
            if (equals < 0) {
                return Optional.empty();
            }
            event.with(parts[i].substring(0, equals), unescape(parts[i].substring(equals + 1)));
        }
        return Optional.of(event);
    }

    private static void escape(final StringBuilder line, final String value) {
        for (int i = 0; i < value.length(); i++) {
            final char c = value.charAt(i);
            switch (c) {
                case '\t':
                    line.append("\\t");
                    break;
                case '\n':
                    line.append("\\n");
                    break;
                case '\r':
                    line.append("\\r");
                    break;
                case '\\':
                    line.append("\\\\");
                    break;
                default:
                    line.append(c);
            }
        }
    }

    private static String unescape(final String escaped) {
        final StringBuilder value = new StringBuilder(escaped.length());
        for (int i = 0; i < escaped.length(); i++) {
            final char c = escaped.charAt(i);
            if (c == '\\' && i + 1 < escaped.length()) {
                i++;
                value.append(unescape(escaped.charAt(i)));
            } else {
                value.append(c);
            }
        }
        return value.toString();
    }

    private static char unescape(final char escaped) {
        switch (escaped) {
            case 't':
                return '\t';
            case 'n':
                return '\n';
            case 'r':
                return '\r';
            default:
                return escaped;
        }
    }
}
