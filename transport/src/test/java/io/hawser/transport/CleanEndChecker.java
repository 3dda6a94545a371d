package io.hawser.transport;

/** L1: a mesh ends cleanly if and only if both sides of every link have confirmed and nothing is missing. */
final class CleanEndChecker implements SimulationChecker {
    private static final String LAW = "L1 broken: ";

    @Override
    public void onEnd(ClusterSimulation simulation) {
        for (MeshLife life : simulation.lives()) {
            if (life.isClean()) {
                life.mesh.startedLinks.forEach(link -> checkLink(simulation, life, link));
            }
        }
    }

    private static void checkLink(ClusterSimulation simulation, MeshLife life, SimulatedMesh.Link link) {
        SimulationChecker.check(
                link.session.state() == Session.State.CLOSED,
                LAW + "clean, but a link did not close",
                life,
                link.peer());
        SimulatedMesh.Link opposite = simulation.oppositeOf(link);
        SimulationChecker.check(opposite != null, LAW + "clean, but the peer never started", life, link.peer());
        SimulationChecker.check(
                opposite.pushed == link.delivered && opposite.session.sentDataFrames() == link.delivered,
                LAW + "clean, but of " + opposite.pushed + " messages " + link.delivered + " came from " + link.peer(),
                life);
        SimulationChecker.check(
                link.pushed == opposite.delivered,
                LAW + "clean, but of " + link.pushed + " messages " + opposite.delivered + " reached " + link.peer(),
                life);
    }
}
