package io.hawser.allocator;

import io.hawser.framing.RejectPolicy;
import io.hawser.transport.MessageTooLargeException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntUnaryOperator;
import org.agrona.collections.Long2ObjectHashMap;

/**
 * All placements that this process coordinates: gives out the attempt ids, and leads answers to the placement that they are for.
 *
 * <p>While a placement is open, an answer that does not follow from what was asked is told apart as against the protocol. Once it is closed its attempts are forgotten: a late acceptance is released, a
 * late rejection changes nothing; only answers to what was never asked by anybody are still told apart. What was still on the way from a process when its loss was told is ignored.
 *
 * <p><em>Threading:</em> one thread at a time, which also calls the sink. No clock: times are those of one monotonic clock, ns, and may overflow.
 */
final class Placements {
    private final PlacementSink sink;
    private final int workerCount;
    private final IntUnaryOperator processOf;
    private final int planLengthMax;

    /** By dataflow. */
    private final Long2ObjectHashMap<PlacementMachine> open = new Long2ObjectHashMap<>();

    private final BitSet lostProcesses = new BitSet();

    /** Attempt ids start at 1: on the wire 0 means the whole dataflow. */
    private long lastAttemptId;

    private boolean isClosed;

    /** With the process of each worker's global index, and the frame limit that holds for all peers. */
    Placements(
            final PlacementSink sink, final int workerCount, final IntUnaryOperator processOf, final int frameLimit) {
        this.sink = sink;
        this.workerCount = workerCount;
        this.processOf = processOf;
        this.planLengthMax = PlanDescriptor.lengthMax(frameLimit);
    }

    /** Begins; its verdict comes to the sink, maybe before this returns. What is wrong with it is thrown before anything is sent. */
    void begin(final Placement placement, final long nowNs) {
        if (isClosed) {
            throw new IllegalStateException("this process has left the cluster: dataflowId=" + placement.dataflowId());
        }
        if (open.containsKey(placement.dataflowId())) {
            throw new IllegalStateException(
                    "this dataflow is being placed already, or runs: dataflowId=" + placement.dataflowId());
        }
        check(placement);
        final PlacementMachine machine = new PlacementMachine(placement, sink, () -> ++lastAttemptId, processOf, nowNs);
        open.put(placement.dataflowId(), machine);
        machine.begin(lostProcesses::get, nowNs);
        closeIfEnded(placement.dataflowId(), machine);
    }

    /** ACCEPT has come; returns false if that is against the protocol. */
    boolean onAccept(
            final int process, final long dataflowId, final long attemptId, final long holdNs, final long nowNs) {
        if (lostProcesses.get(process)) {
            return true;
        }
        if (!isGivenOut(attemptId)) {
            return false;
        }
        final PlacementMachine machine = open.get(dataflowId);
        if (machine == null || !machine.hasMade(attemptId)) {
            sink.release(process, dataflowId, attemptId);
            return true;
        }
        final boolean isLegal = machine.onAccept(process, attemptId, holdNs, nowNs);
        closeIfEnded(dataflowId, machine);
        return isLegal;
    }

    /** REJECT has come, of a START or of a GO; returns false if that is against the protocol. */
    boolean onReject(
            final int process,
            final long dataflowId,
            final long attemptId,
            final RejectPolicy policy,
            final int retryAfterMs,
            final String reason,
            final long nowNs) {
        if (lostProcesses.get(process)) {
            return true;
        }
        if (!isGivenOut(attemptId)) {
            return false;
        }
        final PlacementMachine machine = open.get(dataflowId);
        if (machine == null || !machine.hasMade(attemptId)) {
            return true;
        }
        final boolean isLegal = machine.onReject(process, attemptId, policy, retryAfterMs, reason, nowNs);
        closeIfEnded(dataflowId, machine);
        return isLegal;
    }

    /** A process is lost, for as long as this object lives. */
    void onProcessLost(final int process, final long nowNs) {
        lostProcesses.set(process);
        for (final long dataflowId : openDataflows()) {
            final PlacementMachine machine = open.get(dataflowId);
            machine.onProcessLost(process, nowNs);
            closeIfEnded(dataflowId, machine);
        }
    }

    /** Releases all of a placement; returns false if its go-aheads have left, or there is none. */
    boolean cancel(final long dataflowId, final String reason) {
        final PlacementMachine machine = open.get(dataflowId);
        if (machine == null) {
            return false;
        }
        final boolean isInTime = machine.cancel(reason);
        closeIfEnded(dataflowId, machine);
        return isInTime;
    }

    /** A dataflow that was placed has ended, however: its placement is forgotten. Idempotent. */
    void onDataflowEnded(final long dataflowId) {
        final PlacementMachine machine = open.get(dataflowId);
        if (machine != null) {
            machine.onDataflowEnded();
            open.remove(dataflowId);
        }
    }

    /** Time passes: attempts time out, rejected ones are tried again. */
    void tick(final long nowNs) {
        for (final long dataflowId : openDataflows()) {
            final PlacementMachine machine = open.get(dataflowId);
            machine.tick(nowNs);
            closeIfEnded(dataflowId, machine);
        }
    }

    /** This generation of the cluster has ended for this process: whatever is still open has failed (law L3), and nothing more begins. Idempotent. */
    void close(final String reason) {
        isClosed = true;
        for (final long dataflowId : openDataflows()) {
            open.remove(dataflowId).onClusterEnded(reason);
        }
    }

    /** How many are being placed, or have gone and their dataflow has not ended. */
    int openCount() {
        return open.size();
    }

    /** Whether anything is being placed, so that time may change it. */
    boolean isPlacing() {
        for (final PlacementMachine machine : open.values()) {
            if (machine.isPlacing()) {
                return true;
            }
        }
        return false;
    }

    private boolean isGivenOut(final long attemptId) {
        return attemptId > 0 && attemptId <= lastAttemptId;
    }

    private void check(final Placement placement) {
        final int taskCount = placement.tasks().size();
        for (int task = 0; task < taskCount; task++) {
            for (final int worker : placement.candidatesOf(task)) {
                Worker.checkIndex(worker, workerCount);
            }
            final long length = PlanDescriptor.length(
                    taskCount, placement.tasks().get(task).plan().capacity());
            if (length > planLengthMax) {
                throw new MessageTooLargeException(
                        "a plan has to fit a frame, with where all tasks run: task=" + task,
                        length,
                        "planLimit",
                        planLengthMax);
            }
        }
    }

    /** In a fixed order; a copy, since placements end on the way. */
    private List<Long> openDataflows() {
        return new ArrayList<>(open.keySet());
    }

    private void closeIfEnded(final long dataflowId, final PlacementMachine machine) {
        if (machine.isEnded()) {
            open.remove(dataflowId, machine);
        }
    }
}
