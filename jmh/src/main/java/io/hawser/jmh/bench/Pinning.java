package io.hawser.jmh.bench;

import java.util.List;

/**
 * Which processors the processes of a run may use: the first process the first of these, the second the second, and round again.
 *
 * <p><em>Threading:</em> immutable.
 *
 * @param processors as {@code taskset -c} takes them; none means that the kernel chooses
 */
record Pinning(List<String> processors) {
    /** The kernel chooses. */
    static final Pinning NONE = new Pinning(List.of());

    /**
     * Reads such as {@code 0/1}.
     *
     * @param text processors, divided by slashes
     * @return the pinning
     * @throws IllegalArgumentException if it is something else
     */
    static Pinning parse(final String text) {
        if (!text.matches("[0-9,-]+(/[0-9,-]+)*")) {
            throw new IllegalArgumentException(
                    "must be processors divided by slashes, such as 0/1, but is '" + text + "'");
        }
        return new Pinning(List.of(text.split("/")));
    }

    /** What a command has to begin with. */
    List<String> prefix(final int process) {
        return processors.isEmpty() ? List.of() : List.of("taskset", "-c", processors.get(process % processors.size()));
    }

    @Override
    public String toString() {
        return processors.isEmpty() ? "none" : String.join("/", processors);
    }
}
