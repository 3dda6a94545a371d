package io.hawser.transport;

/** Closes what there is no other use for. */
final class Quietly {
    private Quietly() {}

    /** Closes it if it is there; that this fails is of no interest to anybody. */
    static void close(AutoCloseable resource) {
        try {
            if (resource != null) {
                resource.close();
            }
        } catch (Exception e) {
            Logs.FORMATION.debug("closing {} failed", resource, e);
        }
    }

    /** {@return what went wrong, for a line that says the rest} */
    static String reasonOf(Throwable e) {
        return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    }
}
