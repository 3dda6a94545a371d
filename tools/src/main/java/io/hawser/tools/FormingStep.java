package io.hawser.tools;

import io.hawser.transport.FormationListener;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * A step of forming at which a process can be killed.
 *
 * <p><em>Threading:</em> safe; immutable.
 */
enum FormingStep {
    /** It listens, and has not dialled anybody. */
    LISTENING(FormationListener.Step.LISTENING),
    /** It has a first link. */
    GREETED(FormationListener.Step.GREETED),
    /** It has a link to everybody, and is about to say that it is ready. */
    READY(FormationListener.Step.ALL_GREETED),
    /** Everybody is ready; it is about to start. */
    STARTED(FormationListener.Step.STARTED);

    private final FormationListener.Step told;

    FormingStep(final FormationListener.Step told) {
        this.told = told;
    }

    boolean isToldBy(final FormationListener.Step step) {
        return told == step;
    }

    /** As it is written on the command line. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The step of this name, or null. */
    static FormingStep of(final String text) {
        return Arrays.stream(values())
                .filter(step -> step.toString().equals(text))
                .findFirst()
                .orElse(null);
    }

    /** All of them, for messages. */
    static String names() {
        return Arrays.stream(values()).map(FormingStep::toString).collect(Collectors.joining(", "));
    }
}
