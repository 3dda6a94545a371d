package io.hawser.tools;

/**
 * What one process of the demonstration is told by the one that started it, a line each on its standard input:
 *
 * <pre>
 *   form STEP                form the cluster; at that step, if it is not -, say so and wait for a signal
 *   go GENERATION OPTION P@I all have formed that generation: rank, with that fault, such as --kill 2@5
 *   go GENERATION            the same without a fault
 * </pre>
 *
 * <p><em>Threading:</em> safe; one monitor.
 */
final class Orders {
    /** Health tells nobody who waits here; so it is asked for now and then. */
    private static final long CHECK_MS = 10;

    private boolean isToForm;
    private FormingStep stop;
    private long goGeneration;
    private Fault fault;

    /** Takes an order. */
    synchronized void accept(final String line) {
        final String[] words = line.split(" ");
        if (words[0].equals("form")) {
            stop = FormingStep.of(words[1]);
            isToForm = true;
        } else if (words[0].equals("go")) {
            fault = words.length > 2 ? Fault.parse(Fault.Kind.ofOption(words[2]), words[3]) : null;
            goGeneration = Long.parseLong(words[1]);
        } else {
            throw new IllegalArgumentException("unknown order: " + line);
        }
        notifyAll();
    }

    static String form(final FormingStep stop) {
        return "form " + (stop == null ? "-" : stop);
    }

    static String go(final long generation, final Fault fault) {
        return "go " + generation + (fault == null ? "" : " " + fault.kind().option() + " " + fault);
    }

    /** Waits for the order to form. */
    synchronized void awaitForm() throws InterruptedException {
        while (!isToForm) {
            wait();
        }
        isToForm = false;
    }

    /** Where forming is to stop for good; null: nowhere. */
    synchronized FormingStep stop() {
        return stop;
    }

    /**
     * Waits until all have formed a generation.
     *
     * @param generation which one.
     * @param isAlive    called again and again; leaves the wait by throwing.
     * @return the fault of that generation, or null.
     */
    synchronized Fault awaitGo(final long generation, final Runnable isAlive) throws InterruptedException {
        while (goGeneration != generation) {
            isAlive.run();
            wait(CHECK_MS);
        }
        return fault;
    }
}
