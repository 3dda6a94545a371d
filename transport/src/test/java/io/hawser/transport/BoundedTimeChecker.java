package io.hawser.transport;

/** L3: forming, noticing, telling and ending take no longer than documented; suspensions of the process itself are not counted. */
final class BoundedTimeChecker implements SimulationChecker {
    private static final String LAW = "L3 broken: ";

    @Override
    public void onEnd(ClusterSimulation simulation) {
        for (MeshLife life : simulation.lives()) {
            if (!life.isKilled) {
                checkForming(simulation, life);
                checkEnding(simulation, life);
                checkNoticing(simulation, life);
            }
        }
    }

    private static void checkForming(ClusterSimulation simulation, MeshLife life) {
        long formedNs = life.hasStarted() ? life.startedNs : life.overNs;
        long limitNs = life.mesh.config.formationTimeoutNs() + life.mesh.config.abortTimeoutNs() + simulation.slackNs();
        long spentNs = formedNs - life.createdNs - simulation.pausedNs(life, life.createdNs, formedNs);
        SimulationChecker.check(
                formedNs >= 0 && spentNs <= limitNs, LAW + "forming took " + spentNs / 1_000_000 + " ms", life);
    }

    private static void checkEnding(ClusterSimulation simulation, MeshLife life) {
        if (life.lostNs >= 0) {
            long limitNs = life.mesh.config.abortTimeoutNs() + simulation.slackNs();
            long spentNs = life.overNs - life.lostNs - simulation.pausedNs(life, life.lostNs, life.overNs);
            SimulationChecker.check(
                    life.overNs >= 0 && spentNs <= limitNs, LAW + "ending took " + spentNs / 1_000_000 + " ms", life);
        }
    }

    /** Who started with somebody to whom something fatal happens notices it in time, or has ended in time. */
    private static void checkNoticing(ClusterSimulation simulation, MeshLife life) {
        for (Fault fault : simulation.faults()) {
            if (life.hasStarted() && life.startedNs <= fault.atNs() && simulation.isFatalTo(fault, life)) {
                long limitNs = switch (fault.kind()) {
                    case PANIC -> simulation.wordBoundNs();
                    case KILL -> simulation.slackNs();
                    default -> simulation.silenceBoundNs(life.mesh.config) + simulation.slackNs();
                };
                long noticedNs = life.lostNs >= 0 ? life.lostNs : life.overNs;
                long spentNs = noticedNs - fault.atNs() - simulation.pausedNs(life, fault.atNs(), noticedNs);
                SimulationChecker.check(
                        spentNs <= limitNs,
                        LAW + "noticing took " + spentNs / 1_000_000 + " ms, limit " + limitNs / 1_000_000 + " ms",
                        fault,
                        life);
            }
        }
    }
}
