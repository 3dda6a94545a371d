package io.hawser.spill;

import java.util.ArrayList;
import java.util.List;

/**
 * What Chronicle needs of the java command line. Without it, mapping a file fails with an error that names no remedy. This is asked first and names
 * all that is missing.
 *
 * <p><em>Threading:</em> no state.
 */
final class ChronicleFlags {
    private static final List<String> EXPORTS = List.of("jdk.internal.ref", "sun.nio.ch");
    private static final List<String> OPENS = List.of("java.lang.reflect");

    private ChronicleFlags() {}

    /**
     * Checks that Chronicle will work. Touches none of its classes.
     *
     * @throws IllegalStateException if it will not; its one line holds the flags to add
     */
    static void check() {
        final String fault = fault(EXPORTS, OPENS, chronicle(ChronicleFlags.class.getModule()));
        if (fault != null) {
            throw new IllegalStateException(fault);
        }
    }

    /** What is wrong with access to packages of {@code java.base}, or null. The flags are the same on JDK 17 and 25. */
    static String fault(final List<String> exports, final List<String> opens, final Module user) {
        final Module base = Object.class.getModule();
        final List<String> missing = new ArrayList<>();
        for (final String name : exports) {
            if (!base.isExported(name, user)) {
                missing.add(flag("--add-exports", name, user));
            }
        }
        for (final String name : opens) {
            if (!base.isOpen(name, user)) {
                missing.add(flag("--add-opens", name, user));
            }
        }
        return missing.isEmpty()
                ? null
                : "Chronicle may not use what it needs of the JDK: add " + String.join(" ", missing)
                        + " to the java command line";
    }

    private static String flag(final String option, final String packageName, final Module user) {
        return option + " java.base/" + packageName + "=" + (user.isNamed() ? user.getName() : "ALL-UNNAMED");
    }

    /** On the module path Chronicle Core is a module of its own, on the class path it is in the unnamed one, as we are. */
    private static Module chronicle(final Module own) {
        return own.getLayer() == null
                ? own
                : own.getLayer().findModule("chronicle.core").orElse(own);
    }
}
