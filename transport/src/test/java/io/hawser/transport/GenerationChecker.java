package io.hawser.transport;

import io.hawser.fate.Cause;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** L5: a generation is started by one set of instances only, by each at most once, and none hears of another one. */
final class GenerationChecker implements SimulationChecker {
    private final Map<Long, long[]> instancesOf = new HashMap<>();
    private final Set<Long> started = new HashSet<>();

    @Override
    public void onStarted(MeshLife life) {
        SimulatedMesh mesh = life.mesh;
        SimulationChecker.check(started.add(mesh.nonce), "L5 broken: an instance started twice", life);
        long[] instances = new long[mesh.config.processCount()];
        instances[life.process()] = mesh.nonce;
        for (SimulatedMesh.Link link : mesh.startedLinks) {
            instances[link.peer()] = link.session.peer().nonce();
            SimulationChecker.check(
                    link.session.own().generation() == mesh.generation()
                            && link.session.peer().generation() == mesh.generation(),
                    "L5 broken: started with a peer of generation "
                            + link.session.peer().generation(),
                    life,
                    link.peer());
        }
        long[] others = instancesOf.get(mesh.generation());
        if (others != null && mesh.health.isLost()) {
            checkWasMeant(life, others); // lost elsewhere before it began here, where somebody may have been replaced
            return;
        }
        instancesOf.putIfAbsent(mesh.generation(), instances);
        SimulationChecker.check(
                others == null || Arrays.equals(others, instances),
                "L5 broken: generation " + mesh.generation() + " was started by another set of instances before",
                life);
    }

    private static void checkWasMeant(MeshLife life, long[] instances) {
        SimulationChecker.check(
                instances[life.process()] == life.mesh.nonce, "L5 broken: lost a generation that others started", life);
    }

    /** {@inheritDoc} Not even a late verdict, of a link of an attempt that is over, gets into the next one. */
    @Override
    public void onEnd(ClusterSimulation simulation) {
        for (MeshLife life : simulation.lives()) {
            if (life.hasStarted() && life.lostNs >= 0) {
                checkCause(life, life.root());
                life.mesh.health.secondaryCauses().forEach(cause -> checkCause(life, cause));
            }
        }
    }

    private static void checkCause(MeshLife life, Cause cause) {
        SimulationChecker.check(
                cause.generation() == life.mesh.generation(),
                "L5 broken: learnt of a cause of generation " + cause.generation(),
                life,
                cause);
    }

    @Override
    public void onDelivered(MeshLife life, SimulatedMesh.Link link, SimulatedMesh.Message message) {
        SimulationChecker.check(
                message.generation() == life.mesh.generation()
                        && message.senderNonce() == link.session.peer().nonce(),
                "L5 broken: delivered a message of generation " + message.generation() + " from " + link.peer(),
                life);
    }
}
