package io.hawser.tools;

import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A fault on its way: from the blow until all survivors have told of it.
 *
 * <p><em>Threading:</em> one thread.
 */
final class Strike {
    private final Fault fault;
    private final long generation;
    private final int survivorCount;
    private final SortedMap<Integer, Event> losses = new TreeMap<>();
    private boolean isVictimReady;
    private long struckMicros;

    Strike(final Fault fault, final long generation, final int processes) {
        this.fault = fault;
        this.generation = generation;
        survivorCount = isOnProcess() ? processes - 1 : processes;
    }

    Fault fault() {
        return fault;
    }

    /** Whether a process is to be ended by it, which does not tell of it itself. */
    boolean isOnProcess() {
        return fault.kind() != Fault.Kind.PANIC;
    }

    /** Whether a process is to be ended by it, and which. */
    boolean isOn(final int process) {
        return isOnProcess() && fault.target() == process;
    }

    /** The process that is to be ended has come to the iteration, and waits. */
    void victimIsReady() {
        isVictimReady = true;
    }

    boolean isVictimReady() {
        return isVictimReady;
    }

    boolean hasStruck() {
        return struckMicros != 0;
    }

    void strikeAt(final long micros) {
        struckMicros = micros;
    }

    /** Takes what a survivor tells. */
    void lost(final int process, final Event loss) {
        losses.put(process, loss);
        if (loss.number("panicMicros") != 0) {
            strikeAt(loss.number("panicMicros"));
        }
    }

    /** Whether all survivors have told of it. */
    boolean isComplete() {
        return losses.size() == survivorCount;
    }

    FaultReport report() {
        return new FaultReport(
                fault,
                generation,
                losses.entrySet().stream()
                        .map(loss -> survivor(loss.getKey(), loss.getValue()))
                        .toList());
    }

    private FaultReport.Survivor survivor(final int process, final Event loss) {
        return new FaultReport.Survivor(
                process,
                loss.text("kind"),
                loss.text("cause"),
                loss.text("identity"),
                Micros.millisBetween(struckMicros, loss.number("returnMicros")));
    }
}
