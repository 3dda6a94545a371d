package io.hawser.transport;

import io.hawser.fate.Cause;

/** When what happened to one simulated mesh, in ns since the start of time; -1 if it never did. */
final class MeshLife {
    final SimulatedMesh mesh;
    final long createdNs;
    long startedNs = -1;
    long lostNs = -1;
    long overNs = -1;
    boolean isKilled;

    MeshLife(SimulatedMesh mesh, long createdNs) {
        this.mesh = mesh;
        this.createdNs = createdNs;
    }

    int process() {
        return mesh.process.index;
    }

    boolean hasStarted() {
        return startedNs >= 0;
    }

    boolean isClean() {
        return overNs >= 0 && mesh.hasEndedCleanly();
    }

    /** {@return whether it lived to tell of an unclean end} */
    boolean isWitness() {
        return hasStarted() && !isKilled && overNs >= 0 && !mesh.hasEndedCleanly();
    }

    Cause root() {
        return mesh.health.rootCause();
    }

    @Override
    public String toString() {
        return "created " + createdNs / 1_000 + " started " + startedNs / 1_000 + " lost " + lostNs / 1_000 + " over "
                + overNs / 1_000 + (isKilled ? " KILLED" : "") + " us: " + mesh;
    }
}
