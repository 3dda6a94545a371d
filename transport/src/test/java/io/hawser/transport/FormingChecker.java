package io.hawser.transport;

import io.hawser.fate.CauseKind;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * L3, L4: who forms either starts or is told that it could not. And of those who said READY to each other everybody starts the generation
 * or nobody does, unless something was done to one of them, or one had run out of time: it says so to
 * all, and who hears that before his own start does not start.
 */
final class FormingChecker implements SimulationChecker {
    private static final String LAW = "L4 broken: ";

    @Override
    public void onEnd(ClusterSimulation simulation) {
        Map<Long, MeshLife> starterOf = new TreeMap<>();
        for (MeshLife life : simulation.lives()) {
            if (life.hasStarted()) {
                starterOf.putIfAbsent(life.mesh.generation(), life);
            } else if (!life.isKilled) {
                checkFailure(life);
            }
        }
        starterOf.values().forEach(starter -> checkAllStarted(simulation, starter));
    }

    private static void checkFailure(MeshLife life) {
        SimulationChecker.check(
                life.mesh.hasFormingFailed() && life.mesh.health.firstCause().kind() == CauseKind.FORMATION_ABANDONED,
                LAW + "neither started nor told why not",
                life);
    }

    private static void checkAllStarted(ClusterSimulation simulation, MeshLife starter) {
        List<MeshLife> others = starter.mesh.startedLinks.stream()
                .map(link -> simulation.lifeOf(link.session.peer().nonce()))
                .toList();
        boolean isOutOfTime =
                others.stream().anyMatch(other -> other.mesh.hasFormingFailed() && isOfSameGeneration(other, starter));
        for (MeshLife other : others) {
            boolean hasStarted = other.hasStarted() && isOfSameGeneration(other, starter);
            SimulationChecker.check(
                    hasStarted || isOutOfTime || simulation.isAnythingDoneDuringForming(starter),
                    LAW + "one has started, another one has not, and nothing was done to them",
                    starter,
                    other);
        }
    }

    private static boolean isOfSameGeneration(MeshLife a, MeshLife b) {
        return a.mesh.generation() == b.mesh.generation();
    }
}
