package io.hawser.transport;

/** Watches a simulated cluster for one law, and throws an AssertionError that names it when it is broken. */
interface SimulationChecker {
    /** A mesh has been formed. */
    default void onStarted(MeshLife life) {}

    /** A message has reached a worker. */
    default void onDelivered(MeshLife life, SimulatedMesh.Link link, SimulatedMesh.Message message) {}

    /** The simulation is over. */
    default void onEnd(ClusterSimulation simulation) {}

    static void check(boolean holds, String law, Object... about) {
        if (!holds) {
            StringBuilder text = new StringBuilder(law);
            for (Object one : about) {
                text.append("\n  ").append(one);
            }
            throw new AssertionError(text.toString());
        }
    }
}
