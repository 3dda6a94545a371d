package io.hawser.transport;

import io.hawser.fate.Cause;
import io.hawser.fate.CauseKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * L2: all who lived to tell of an unclean end tell of the same root cause; it names what was done, never somebody innocent; and it is
 * what the failed process said of itself if anybody heard that.
 *
 * <p>Agreement is asked of those whom two rounds of ABORT can reach: the first causes, and once more the earliest. That is every
 * witness as long as any two have a link that works, or a third one between them that has links to both and is not taken for dead.
 */
final class RootCauseChecker implements SimulationChecker {
    private static final String LAW = "L2 broken: ";

    private int compared;
    private int excused;
    private int untold;

    @Override
    public void onEnd(ClusterSimulation simulation) {
        Map<Long, List<MeshLife>> witnesses = new TreeMap<>();
        for (MeshLife life : simulation.lives()) {
            if (life.isWitness()) {
                checkNamesAFault(simulation, life);
                checkOwnSilences(simulation, life);
                checkSelfReport(life);
                witnesses
                        .computeIfAbsent(life.mesh.generation(), generation -> new ArrayList<>())
                        .add(life);
            }
        }
        witnesses.values().forEach(lives -> checkAgreement(simulation, lives));
    }

    int compared() {
        return compared;
    }

    /** {@return groups of witnesses that could not reach each other in two steps, or not in time} */
    int excused() {
        return excused;
    }

    /** {@return groups of witnesses that differ because who knew more was asleep, or had been given up, when it counted} */
    int untold() {
        return untold;
    }

    private static void checkNamesAFault(ClusterSimulation simulation, MeshLife life) {
        Cause root = life.root();
        boolean isExplained = root.kind() == CauseKind.FORMATION_ABANDONED
                ? root.subjectProcess() == root.observerProcess()
                        && !simulation.hasStarted(root.subjectNonce(), root.generation())
                : simulation.isExplained(root);
        SimulationChecker.check(isExplained, LAW + "nothing was done that this names", life);
        SimulationChecker.check(
                root.generation() == life.mesh.generation(), LAW + "a cause of another generation", life);
    }

    /** What it says it saw itself, too, though others count: a silence that was its own is nobody else's. */
    private static void checkOwnSilences(ClusterSimulation simulation, MeshLife life) {
        for (Cause cause : life.mesh.health.secondaryCauses()) {
            boolean isOwn = cause.kind() == CauseKind.PEER_SILENT && cause.observerProcess() == life.process();
            SimulationChecker.check(
                    !isOwn || simulation.isExplained(cause),
                    LAW + "nothing was done that this silence names",
                    life,
                    cause);
        }
    }

    private static void checkSelfReport(MeshLife life) {
        Cause root = life.root();
        SimulationChecker.check(
                root.isSelfReport()
                        || root.subjectProcess() == life.process()
                        || life.mesh.health.secondaryCauses().stream()
                                .noneMatch(cause ->
                                        cause.isSelfReport() && cause.subjectProcess() == root.subjectProcess()),
                LAW + "what the failed process said of itself is known, but not the root",
                life,
                life.mesh.health.secondaryCauses());
    }

    private void checkAgreement(ClusterSimulation simulation, List<MeshLife> witnesses) {
        if (witnesses.size() < 2) {
            return;
        }
        if (!simulation.couldAgree(witnesses)) {
            excused++;
            return;
        }
        Cause root = witnesses.get(0).root();
        boolean isAgreed = witnesses.stream().allMatch(life -> life.root().sameEvent(root));
        if (!isAgreed && !simulation.couldLearnRoot(witnesses)) {
            untold++;
            return;
        }
        compared++;
        SimulationChecker.check(isAgreed, LAW + "witnesses tell different stories", witnesses.toArray());
    }
}
