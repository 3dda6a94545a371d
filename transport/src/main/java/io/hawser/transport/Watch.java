package io.hawser.transport;

import io.hawser.fate.Cause;
import io.hawser.fate.Health;
import io.hawser.fate.PauseDetector;
import java.util.concurrent.locks.LockSupport;

/**
 * The watch thread: everything that happens because time has passed, or because all links have got somewhere. It judges
 * silence, looks after workers that stand still, lets links confirm their hang-up, settles causes, ends what takes too long, and declares the end. It never writes to a
 * socket, so that nothing that blocks there can blind it.
 *
 * <p><em>Threading:</em> {@link #run} is the body of one thread; {@link #wake} may be called by any.
 */
final class Watch implements Runnable {
    private static final long TICK_MAX_NS = 250_000_000;
    private static final long TICK_MIN_NS = 1_000_000;

    /** Every other tick falls on a heartbeat, and so costs hardly a wake-up of its own; the one between keeps what is due within half an interval. */
    private static final int TICKS_PER_INTERVAL = 2;

    /**
     * How long the receive thread has to find out why a write failed before the failed write itself is the verdict. Not a setting: what it waits
     * for lies in the own kernel already, and no network or peer makes it longer.
     */
    private static final long WRITE_GRACE_NS = 100_000_000;

    /** After losing health ticks are short: the steps of the end are timed by them. */
    private static final long ENDING_TICK_NS = 5_000_000;

    /** Often enough to know, after a loss, of a sleep that explains it. */
    private static final int LOOKS_AT_SLEEP_PER_TIMEOUT = 4;

    /** The clock tells of sleep to some hundredths of a second only. */
    private static final long SLEEP_MIN_NS = 100_000_000;

    private final MeshCore mesh;
    private final ClusterConfig config;
    private final Health health;
    private final AgentProbe probe = AgentProbe.current();
    private final long tickNs;

    private PauseDetector pauses;
    private volatile long lastTickNs;

    /** What the clock said of the machine's sleep when it was last asked, and when that was. */
    private volatile long sleptNs;

    private volatile long sleptAskedNs;
    private volatile long lastPauseNs;
    private volatile long lastPauseEndNs;
    private boolean isFailurePending;
    private boolean isEnding;
    private boolean isSettled;
    private long lostNs;
    private volatile Thread thread;
    private volatile boolean hasStarted;

    Watch(MeshCore mesh, ClusterConfig config) {
        this.mesh = mesh;
        this.config = config;
        this.health = mesh.health();
        this.lastTickNs = mesh.clock().nanoTime();
        this.sleptAskedNs = lastTickNs;
        this.sleptNs = mesh.clock().sleptNs();
        this.tickNs = tickNs(config);
    }

    /** How far apart ticks are meant to be, ns. */
    static long tickNs(ClusterConfig config) {
        return Math.max(TICK_MIN_NS, Math.min(TICK_MAX_NS, config.heartbeatIntervalNs() / TICKS_PER_INTERVAL));
    }

    void start(Thread watchThread) {
        thread = watchThread;
        watchThread.start();
        hasStarted = true;
    }

    /** {@return whether its thread was started, and will bring everything to its end} */
    boolean hasStarted() {
        return hasStarted;
    }

    void wake() {
        LockSupport.unpark(thread);
    }

    /** Has another thread, which looks after several, call {@link #step}. */
    void attach(Thread watchThread) {
        thread = watchThread;
        hasStarted = true;
    }

    @Override
    public void run() {
        while (!step()) {
            LockSupport.parkNanos(this, toNextTickNs(mesh.clock().nanoTime()));
        }
    }

    /** Looks at everything once; returns whether the mesh is over, of which it has been told then. */
    boolean step() {
        boolean isOver;
        try {
            if (pauses == null) {
                long startNs = mesh.clock().nanoTime();
                pauses = new PauseDetector(tickNs, Math.max(tickNs, config.silenceTimeoutNs() / 4), startNs);
            }
            probe.onCycle("watch", -1);
            isOver = sweep(mesh.clock().nanoTime());
        } catch (Throwable t) {
            mesh.onThreadFailed("watch", t);
            isOver = sweepSafely();
        }
        if (isOver) {
            mesh.onOver();
        }
        return isOver;
    }

    /** {@return how long nothing is due, ns} */
    long toNextTickNs(long nowNs) {
        if (isEnding) {
            return ENDING_TICK_NS;
        }
        long untilNs = tickNs - Math.floorMod(nowNs, tickNs);
        return isFailurePending ? Math.min(untilNs, WRITE_GRACE_NS) : untilNs;
    }

    /** Health is lost and the watch itself is broken: still nobody may hang. */
    private boolean sweepSafely() {
        try {
            return sweep(mesh.clock().nanoTime());
        } catch (Throwable t) {
            mesh.closeAllLinks();
            return true;
        }
    }

    /** Looks at everything once; returns whether the mesh is over. */
    private boolean sweep(long nowNs) {
        forgiveOwnPause(nowNs);
        if (health.isLost()) {
            return sweepEnding(nowNs);
        }
        isFailurePending = false;
        for (Link link : mesh.links()) {
            judge(link, nowNs);
        }
        sweepRetired(nowNs);
        mesh.scopes().tick();
        lookForStalls(nowNs);
        return mesh.isStarted() && sweepHangUp();
    }

    /** A diagnosis that cannot be told must not end the cluster. */
    private void lookForStalls(long nowNs) {
        try {
            mesh.lookForStalls(nowNs);
        } catch (Throwable untold) {
            Logs.HEALTH.warn("cannot tell of workers that stand still", untold);
        }
    }

    private void forgiveOwnPause(long nowNs) {
        long nowSleptNs = isSleepDue(nowNs) ? mesh.clock().sleptNs() : sleptNs;
        long sleepNs = nowSleptNs - sleptNs;
        long pauseNs = Math.max(pauses.onTick(nowNs), sleepNs >= leastSleepNs() ? sleepNs : 0);
        if (pauseNs > 0) {
            onOwnPause(pauseNs, nowNs);
            for (Link link : mesh.links()) {
                link.session().forgive(nowNs);
                link.session().longestPause(Math.max(pauseNs, pauses.longestPauseNs()));
            }
        }
        // last: whoever asks meanwhile still finds the gap itself
        if (isSleepDue(nowNs)) {
            sleptNs = nowSleptNs;
            sleptAskedNs = nowNs;
        }
        lastTickNs = nowNs;
    }

    private boolean isSleepDue(long nowNs) {
        return nowNs - sleptAskedNs >= leastSleepNs();
    }

    /** A sleep of the machine that is shorter is none: its monotonic clock stands still meanwhile, and nobody gives up so soon. */
    private long leastSleepNs() {
        return Math.max(SLEEP_MIN_NS, config.silenceTimeoutNs() / LOOKS_AT_SLEEP_PER_TIMEOUT);
    }

    /** Not private: a test comes without one. */
    void onOwnPause(long pauseNs, long nowNs) {
        boolean isAnotherRecent = nowNs - lastPauseEndNs < config.silenceTimeoutNs();
        lastPauseNs = isAnotherRecent ? Math.max(pauseNs, lastPauseNs) : pauseNs;
        lastPauseEndNs = nowNs;
    }

    /**
     * How long this whole process has just stood still, if that was long enough for its peers to give it up: then what it finds on waking is
     * not their doing. Any thread may ask; the watch itself may not have run again yet.
     *
     * @param nowNs         the time
     * @param establishedNs when the link came about on which something was found: a pause that was over by then explains nothing on it
     * @return the length, ns; 0 if it did not stand still
     */
    long ownPauseNs(long nowNs, long establishedNs) {
        long tickNsAgo = nowNs - lastTickNs;
        long gapNs = Math.min(tickNsAgo, nowNs - establishedNs);
        if (gapNs >= config.silenceTimeoutNs()) {
            return tickNsAgo;
        }
        long sleepNs = sleptAskedNs - establishedNs >= 0 ? mesh.clock().sleptNs() - sleptNs : 0;
        if (sleepNs >= Math.max(SLEEP_MIN_NS, config.silenceTimeoutNs())) {
            return sleepNs;
        }
        boolean isRecent = nowNs - lastPauseEndNs < config.silenceTimeoutNs() && lastPauseEndNs - establishedNs >= 0;
        return isRecent && lastPauseNs >= config.silenceTimeoutNs() ? lastPauseNs : 0;
    }

    private void judge(Link link, long nowNs) {
        Link.SendFailure failure = link.sendFailure();
        isFailurePending |= failure != null;
        if (failure != null && nowNs - failure.atNs() >= WRITE_GRACE_NS && !link.isEnded()) {
            mesh.onPeerLost(link, "a write failed (" + failure.error().getMessage() + ")");
            link.close();
            return;
        }
        // a receive thread that does not wait in its socket is late itself: twice the time before the peer is blamed
        // for that
        long graceNs = link.receiveAgent().isReading() ? 0 : config.silenceTimeoutNs();
        if (link.session().onTick(nowNs - graceNs) == Session.Verdict.SILENT && !link.isEnded()) {
            mesh.onPeerSilent(link, nowNs, pauses.longestPauseNs());
        }
    }

    /** Everybody has hung up both ways: confirm. Everybody has confirmed: over. */
    private boolean sweepHangUp() {
        boolean areAllHungUp = true;
        boolean areAllClosed = true;
        for (Link link : mesh.links()) {
            Session session = link.session();
            areAllHungUp &= !session.sent().isBefore(Session.Stage.HUNG_UP)
                    && !session.received().isBefore(Session.Stage.HUNG_UP);
            areAllClosed &= session.state() == Session.State.CLOSED && link.isEnded();
        }
        if (areAllHungUp) {
            for (Link link : mesh.links()) {
                link.session().confirm();
                link.wakeSender();
            }
        }
        return areAllClosed && mesh.retired().isEmpty() && mesh.isHungUp() && mesh.endHealth();
    }

    /** Links of an attempt that was given up: they have said ABORT by now, or never will. */
    private void sweepRetired(long nowNs) {
        for (MeshCore.Retired retired : mesh.retired()) {
            if (retired.link().isEnded()) {
                mesh.forgetRetired(retired);
            } else if (nowNs - retired.sinceNs() >= config.abortTimeoutNs()) {
                retired.link().close();
            }
        }
    }

    private boolean sweepEnding(long nowNs) {
        if (!isEnding) {
            isEnding = true;
            lostNs = nowNs;
        }
        long spentNs = nowNs - lostNs;
        boolean areAllHeard = true;
        boolean areAllEnded = mesh.areLinksFinal(); // asked first: what comes later would not be seen below
        for (Link link : mesh.links()) {
            areAllHeard &= link.isHeardOut();
            areAllEnded &= link.isEnded();
        }
        if (!isSettled && (areAllHeard || spentNs >= config.abortTimeoutNs() / 2)) {
            isSettled = true;
            settle();
        }
        if (spentNs >= config.abortTimeoutNs()) {
            mesh.closeAllLinks();
        }
        sweepRetired(nowNs);
        return areAllEnded && mesh.retired().isEmpty();
    }

    /** Every peer has said what it saw first, or will not any more: pass on the earliest, once, then say no more. */
    private void settle() {
        Cause root = health.rootCause();
        Cause earliest = health.earliestCause();
        relayScopes();
        for (Link link : mesh.links()) {
            link.session().settle(earliest, root);
            link.wakeSender();
        }
    }

    /** The causes are to go out whatever becomes of that. */
    private void relayScopes() {
        try {
            mesh.scopes().relay();
        } catch (Throwable noMemory) {
            mesh.onThreadFailed("watch, telling words of dataflows,", noMemory);
        }
    }
}
