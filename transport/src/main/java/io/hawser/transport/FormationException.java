package io.hawser.transport;

/**
 * The cluster could not be formed. Nothing of the attempt is left: no thread, socket or listener. Forming may be tried again in
 * the same process.
 *
 * <p><em>Threading:</em> as any exception; what it tells is immutable.
 */
public final class FormationException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient FormationReport report;
    private final boolean isFinal;
    private final long nextGeneration;

    FormationException(FormationReport report, boolean isFinal, long nextGeneration, Throwable cause) {
        super(report.toString(), cause);
        this.report = report;
        this.isFinal = isFinal;
        this.nextGeneration = nextGeneration;
    }

    /** {@return what was missing; null after deserialisation} */
    public FormationReport report() {
        return report;
    }

    /**
     * {@return true if trying again with the same configuration is of no use (wrong cluster, other settings, index held by a
     * living process); false if it is (time-outs, peers not there yet, port held)}
     */
    public boolean isFinal() {
        return isFinal;
    }

    /**
     * {@return the least generation to propose when trying again, see {@link ClusterConfig#withGeneration}: the one that was being formed, or the next one if another process may have started it}
     */
    public long nextGeneration() {
        return nextGeneration;
    }
}
