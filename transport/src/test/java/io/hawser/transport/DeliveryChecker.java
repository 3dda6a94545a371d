package io.hawser.transport;

import java.util.IdentityHashMap;
import java.util.Map;

/** L6: what is delivered is what was pushed, in order, once. Only what was taken out in between may be missing. */
final class DeliveryChecker implements SimulationChecker {
    private static final String LAW = "L6 broken: ";

    private final Map<SimulatedMesh.Link, Long> nextOf = new IdentityHashMap<>();

    @Override
    public void onDelivered(MeshLife life, SimulatedMesh.Link link, SimulatedMesh.Message message) {
        long next = nextOf.getOrDefault(link, 0L);
        SimulationChecker.check(life.mesh.isStarted(), LAW + "delivered before the start", life);
        SimulationChecker.check(
                message.number() >= next,
                LAW + "message " + message.number() + " came again, or late, when " + next + " was due from "
                        + link.peer(),
                life);
        nextOf.put(link, message.number() + 1);
    }

    @Override
    public void onEnd(ClusterSimulation simulation) {
        nextOf.forEach((link, next) -> SimulationChecker.check(
                next == link.delivered || simulation.isTampered(link),
                LAW + "of " + next + " messages only " + link.delivered + " came from " + link.peer(),
                link.mesh()));
    }
}
