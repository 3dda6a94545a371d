package io.hawser.transport;

import io.hawser.framing.HelloFlyweight;
import io.hawser.framing.RefuseReason;

/** Judges a peer's HELLO against our own: pure, no state. */
final class Greeting {
    private Greeting() {}

    /**
     * Judges whether the peer is one of us at all: version, cluster, index.
     *
     * @param own    what we say of ourselves
     * @param theirs what they said
     * @param role   our role on this connection
     * @return the refusal, or null
     */
    static Refusal judgeIdentity(Hello own, Hello theirs, Session.Role role) {
        if (theirs.minVersion() > own.maxVersion() || theirs.maxVersion() < own.minVersion()) {
            return refusal(
                    own,
                    RefuseReason.VERSION,
                    "protocol versions do not overlap: own=" + own.minVersion() + ".." + own.maxVersion() + " peer="
                            + theirs.minVersion() + ".." + theirs.maxVersion());
        }
        if (!theirs.clusterId().equals(own.clusterId())) {
            return refusal(
                    own,
                    RefuseReason.CLUSTER,
                    "clusters differ: process " + own.processIndex() + " has clusterId=" + own.clusterId()
                            + ", process "
                            + theirs.processIndex() + " has clusterId=" + theirs.clusterId()
                            + "; is an address or a port of one cluster listed in the other?");
        }
        if (theirs.mode() != own.mode()) {
            return refusal(
                    own,
                    RefuseReason.SHAPE,
                    own.mode() == HelloFlyweight.MODE_MESH
                            ? "process " + own.processIndex() + " at " + own.address()
                                    + " belongs to a mesh, and was dialled for a link of its own; is that the right port?"
                            : own.address()
                                    + " has links of their own, and was met as a process of a mesh; is that the right port?");
        }
        String fault = indexFault(own, theirs, role);
        return fault == null ? null : refusal(own, RefuseReason.INDEX, fault);
    }

    /**
     * Judges whether both sides have the same cluster in mind: shape and liveness settings. To be asked after the generations
     * were compared, since an older generation may have had another shape.
     *
     * @param own    what we say of ourselves
     * @param theirs what they said
     * @return the refusal, or null
     */
    static Refusal judgeSettings(Hello own, Hello theirs) {
        if (theirs.processCount() != own.processCount() || theirs.workersPerProcess() != own.workersPerProcess()) {
            return refusal(
                    own,
                    RefuseReason.SHAPE,
                    "the cluster's shape differs: process " + own.processIndex() + " has processCount="
                            + own.processCount() + " workersPerProcess=" + own.workersPerProcess() + ", process "
                            + theirs.processIndex() + " has processCount=" + theirs.processCount()
                            + " workersPerProcess=" + theirs.workersPerProcess());
        }
        if (theirs.heartbeatIntervalNs() != own.heartbeatIntervalNs()
                || theirs.silenceTimeoutNs() != own.silenceTimeoutNs()) {
            return refusal(
                    own,
                    RefuseReason.SETTINGS,
                    "liveness settings differ: process " + own.processIndex() + " has heartbeatIntervalNs="
                            + own.heartbeatIntervalNs() + " silenceTimeoutNs=" + own.silenceTimeoutNs() + ", process "
                            + theirs.processIndex() + " has heartbeatIntervalNs="
                            + theirs.heartbeatIntervalNs() + " silenceTimeoutNs=" + theirs.silenceTimeoutNs());
        }
        if (Lanes.laneLimit(own, theirs) < lanesPerWorker(own)
                || Lanes.channelWindow(own, theirs) < ConfigInvariants.leastWindow(own.workersPerProcess())) {
            return refusal(
                    own,
                    RefuseReason.SETTINGS,
                    "the windows do not fit each other, together they hold no channel: process " + own.processIndex()
                            + " has channelWindow=" + own.channelWindow() + " linkWindow=" + own.linkWindow()
                            + ", process "
                            + theirs.processIndex() + " has channelWindow=" + theirs.channelWindow() + " linkWindow="
                            + theirs.linkWindow());
        }
        return null;
    }

    /** One for each worker of the other process, and one for all of them. */
    private static int lanesPerWorker(Hello own) {
        return own.workersPerProcess() == 1 ? 1 : own.workersPerProcess() + 1;
    }

    private static String indexFault(Hello own, Hello theirs, Session.Role role) {
        int index = theirs.processIndex();
        if (index == own.processIndex()) {
            return "processIndex=" + index + " is claimed by this process and by another at " + theirs.address()
                    + " pid=" + theirs.pid() + ": two processes have the same index, or an address leads back";
        }
        if (index < 0 || index >= own.processCount()) {
            return "processIndex=" + index + " at " + theirs.address() + " is outside of processCount="
                    + own.processCount();
        }
        if (theirs.targetProcess() != own.processIndex()) {
            return "process " + index + " at " + theirs.address() + " expected process " + theirs.targetProcess()
                    + " here but this is process " + own.processIndex() + " at " + own.address()
                    + "; compare the order of the addresses";
        }
        if (role == Session.Role.DIALLER && index != own.targetProcess()) {
            return "expected process " + own.targetProcess() + " but process " + index + " at " + theirs.address()
                    + " answered; compare the order of the addresses";
        }
        if (role == Session.Role.ACCEPTOR && index < own.processIndex()) {
            return "process " + index + " dialled process " + own.processIndex()
                    + ", but the higher index dials the lower";
        }
        return null;
    }

    private static Refusal refusal(Hello own, RefuseReason reason, String text) {
        return new Refusal(reason, own.generation(), text);
    }
}
