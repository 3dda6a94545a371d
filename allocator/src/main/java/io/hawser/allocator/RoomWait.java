package io.hawser.allocator;

import io.hawser.fate.Clock;
import io.hawser.fate.Health;
import io.hawser.transport.LaneAddress;
import io.hawser.transport.MessageTooLargeException;
import io.hawser.transport.SendRing;
import io.hawser.transport.WorkerReport;
import java.util.ArrayList;
import java.util.List;

/**
 * What a worker does when there is no room: it waits, remembers what was refused, or sends what was spilled as room is made. All waits of its pushes are
 * here, and each of them goes on with what others may be waiting for: what was pushed is sent, what was spilled goes on its way, and what comes for closed channels is given back.
 *
 * <p><em>Threading:</em> the worker's thread.
 */
final class RoomWait {
    private final int workerIndex;
    private final Health health;
    private final Clock clock;
    private final RoomSignal signal;
    private final WorkerReport report;
    private final Runnable flush;

    /** Those that hold something. */
    private final List<SpillLane> spilling = new ArrayList<>();

    /** Those whose last push was refused. */
    private final List<Outlet> refused = new ArrayList<>();

    private final List<MessageWriter> refusedWriters = new ArrayList<>();

    /** The receiving half of the worker; set once, before the worker starts. */
    private Intake intake;

    /** Lets go of what belongs to dataflows that were stopped; set once, like that. */
    private Runnable reaper = () -> {};

    /**
     * Nothing is waited for yet.
     *
     * @param workerIndex of the worker
     * @param health      whose loss ends all waiting
     * @param clock       to tell how long it takes
     * @param signal      told of room
     * @param report      where long waits are told
     * @param flush       sends what was pushed
     */
    RoomWait(
            final int workerIndex,
            final Health health,
            final Clock clock,
            final RoomSignal signal,
            final WorkerReport report,
            final Runnable flush) {
        this.workerIndex = workerIndex;
        this.health = health;
        this.clock = clock;
        this.signal = signal;
        this.report = report;
        this.flush = flush;
    }

    void intake(final Intake otherHalf) {
        intake = otherHalf;
    }

    void reaper(final Runnable newReaper) {
        reaper = newReaper;
    }

    RoomSignal signal() {
        return signal;
    }

    void checkNotStuck(final Way way, final int length) {
        if (way.isStuckWithout(workerIndex, length)) {
            if (way.isEmptyFor(workerIndex)) {
                throw new MessageTooLargeException(
                        "message too large for the pushing worker itself, whose own lane cannot hold it, whatever it pulls; cut it, write it to the others alone, or"
                                + " raise channelWindowMax and floatingWindow: " + way.address(),
                        length,
                        "window",
                        way.window());
            }
            throw new StandstillException("worker " + workerIndex + " would wait for itself: " + way.address()
                    + " is full until that worker pulls from it; pull in between, push with " + OnFull.REFUSE + " or "
                    + OnFull.SPILL
                    + ", or raise channelWindowMax: messageLength=" + length + " window=" + way.window());
        }
    }

    /** Waits until what was lacking may be there. Nobody is to wait meanwhile for what we have: all is sent, and what was spilled goes on. */
    void await(final Way way, final int lack, final int length) {
        checkNotStuck(way, length);
        flush.run();
        final long startNs = clock.nanoTime();
        boolean isInterrupted = false;
        try {
            while (true) {
                signal.clear();
                health.check();
                reaper.run();
                way.check();
                if (way.want(lack)) {
                    return;
                }
                sendSpilled();
                sleep(way.address(), length, startNs);
                isInterrupted |= Thread.interrupted();
            }
        } finally {
            report.over();
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Sleeps until there may be room. What comes for closed channels is given back meanwhile: others may wait for that. */
    private void sleep(final long timeoutNs) {
        if (intake != null && intake.isToDiscard()) {
            intake.discard(timeoutNs);
        } else {
            signal.await(timeoutNs);
        }
    }

    /** Gives back what has come for closed channels. */
    void discardArrived() {
        if (intake != null && intake.isToDiscard()) {
            intake.sortArrived();
        }
    }

    /** The same for a while. Whoever sleeps for long says so, and looks who waits for whom. */
    private void sleep(final LaneAddress address, final int length, final long startNs) {
        final long patienceNs = report.patienceNs();
        sleep(patienceNs);
        if (!signal.isSet()) {
            final long waitedNs = clock.nanoTime() - startNs;
            if (waitedNs >= patienceNs) {
                report.stillWaiting(address, length, waitedNs);
            }
        }
    }

    /** Whether a message can be sent whole now; if not, asks for a signal. */
    boolean hasRoom(final Way way, final int length) {
        int lack = way.tryClaim(length);
        while (lack < 0) {
            if (!way.want(lack)) {
                return false;
            }
            lack = way.tryClaim(length);
        }
        way.abort();
        return true;
    }

    /** The same for some bytes of a longer message. */
    boolean hasRoomForFragment(final Way way, final long remaining) {
        return hasRoom(way, (int) Math.min(remaining, Math.min(SendRing.FRAGMENT_MIN, way.wholeLimit())));
    }

    /** Waits until a push that was refused may be tried again; false if the time ran out, or the thread was interrupted. */
    boolean awaitRoom(final long timeoutNs) {
        final long startNs = timeoutNs == Long.MAX_VALUE ? 0 : clock.nanoTime();
        long leftNs = timeoutNs;
        while (hasRefused()) {
            signal.clear();
            health.check();
            reaper.run();
            if (isRoomMade()) {
                return true;
            }
            if (leftNs <= 0 || Thread.currentThread().isInterrupted()) {
                return false;
            }
            sendSpilled();
            sleep(leftNs);
            if (timeoutNs != Long.MAX_VALUE) {
                leftNs = timeoutNs - (clock.nanoTime() - startNs);
            }
        }
        return true;
    }

    void onRefused(final Outlet outlet) {
        refused.add(outlet);
    }

    /** What was refused has been possible since. */
    void forget(final Outlet outlet) {
        refused.remove(outlet);
    }

    void forget(final MessageWriter writer) {
        writer.refused(false);
        refusedWriters.remove(writer);
    }

    void onWriterRefused(final MessageWriter writer) {
        if (!writer.isRefused()) {
            writer.refused(true);
            refusedWriters.add(writer);
        }
    }

    /** Whether a push that was refused may be tried again. Asks for a signal for all that may not. */
    boolean isRoomMade() {
        boolean isMade = false;
        for (int i = refused.size() - 1; i >= 0; i--) {
            if (refused.get(i).isRoomMade()) {
                refused.remove(i);
                isMade = true;
            }
        }
        for (int i = refusedWriters.size() - 1; i >= 0; i--) {
            if (refusedWriters.get(i).hasRoom()) {
                refusedWriters.remove(i).refused(false);
                isMade = true;
            }
        }
        return isMade;
    }

    /** Whether something waits for room: then the worker is not done when nothing more arrives. */
    boolean isWaitingForRoom() {
        return !spilling.isEmpty() || !refused.isEmpty() || !refusedWriters.isEmpty();
    }

    /** Whether something has been refused and not been possible since. */
    boolean hasRefused() {
        return !refused.isEmpty() || !refusedWriters.isEmpty();
    }

    void forget(final SpillLane spill) {
        spilling.remove(spill);
    }

    void onSpilling(final SpillLane spill) {
        if (!spilling.contains(spill)) { // it may have run empty without anybody looking
            spilling.add(spill);
        }
    }

    /** Sends what was spilled, as far as there is room; asks for a signal for the rest. Returns whether anything was there. */
    boolean drainSpilled() {
        if (spilling.isEmpty()) {
            return false;
        }
        for (int i = spilling.size() - 1; i >= 0; i--) {
            if (spilling.get(i).drain()) {
                spilling.remove(i);
            }
        }
        return true;
    }

    /** Sends on what was spilled, as far as there is room. */
    void sendSpilled() {
        if (drainSpilled()) {
            flush.run();
        }
    }

    /** Waits until nothing is spilled any more. */
    void awaitSpilled() {
        while (!spilling.isEmpty()) {
            awaitSpilled(spilling.get(0));
        }
    }

    /** Waits until what a channel has spilled for a process is on its way. */
    void awaitSpilled(final SpillLane spill) {
        long startNs = clock.nanoTime();
        long sendCount = spill.sendCount();
        boolean isInterrupted = false;
        try {
            while (!spill.isEmpty()) {
                signal.clear();
                health.check();
                reaper.run();
                spill.check();
                drainSpilled();
                flush.run();
                if (spill.sendCount() != sendCount) { // it moves: that wait is over, another one begins
                    sendCount = spill.sendCount();
                    startNs = clock.nanoTime();
                    report.over();
                }
                if (!spill.isEmpty()) {
                    sleep(spill.headAddress(), spill.headLength(), startNs);
                    isInterrupted |= Thread.interrupted();
                }
            }
        } finally {
            report.over();
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    boolean hasSpilled() {
        return !spilling.isEmpty();
    }

    /** A channel is over: nothing of it is waited for any more. */
    void forget(final ChannelOut channel) {
        refused.removeIf(outlet -> outlet.channel == channel);
        refusedWriters.removeIf(writer -> writer.isOf(channel));
    }
}
