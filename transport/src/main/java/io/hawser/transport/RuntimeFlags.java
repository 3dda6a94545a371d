package io.hawser.transport;

/**
 * What the java command line has to allow. Agrona's buffers use {@code jdk.internal.misc.Unsafe}; without leave they fail deep inside the
 * initialisation of some class, with an error that names no remedy. This is asked first and names it.
 *
 * <p><em>Threading:</em> no state.
 */
public final class RuntimeFlags {
    private static final String PACKAGE = "jdk.internal.misc";

    private RuntimeFlags() {}

    /**
     * Checks that Agrona will work. Touches none of its classes.
     *
     * @throws IllegalStateException if it will not; its one line holds the flag to add
     */
    public static void check() {
        final String fault = fault(PACKAGE, agrona(RuntimeFlags.class.getModule()));
        if (fault != null) {
            throw new IllegalStateException(fault);
        }
    }

    /**
     * What is wrong with access to a package of {@code java.base}, or null. An export is enough, and {@code --add-opens} exports too; the
     * flag is the same on JDK 17 and 25.
     */
    static String fault(final String packageName, final Module user) {
        final Module base = Object.class.getModule();
        if (base.isExported(packageName, user)) {
            return null;
        }
        return "Agrona may not use " + packageName + ": add --add-exports java.base/" + packageName + "="
                + (user.isNamed() ? user.getName() : "ALL-UNNAMED") + " to the java command line";
    }

    /** On the module path Agrona is a module of its own, on the class path it is in the unnamed one, as we are. */
    private static Module agrona(final Module own) {
        return own.getLayer() == null
                ? own
                : own.getLayer().findModule("org.agrona").orElse(own);
    }
}
