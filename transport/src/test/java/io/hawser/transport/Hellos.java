package io.hawser.transport;

import io.hawser.framing.HelloFlyweight;

/** What the processes of a test cluster say of themselves: three processes of two workers, generation 7. */
final class Hellos {
    static final long INTERVAL_NS = 100_000_000;
    static final long TIMEOUT_NS = 500_000_000;
    static final long GENERATION = 7;
    static final int PROCESSES = 3;
    static final int WORKERS = 2;
    static final long CHANNEL_WINDOW = 1 << 20;

    /** Room for all lanes of four channels. */
    static final long LINK_WINDOW = 4 * WORKERS * (WORKERS + 1) * CHANNEL_WINDOW;

    private Hellos() {}

    static Hello of(int process) {
        return of(process, GENERATION, nonce(process));
    }

    static Hello of(int process, long generation, long nonce) {
        return new Spoken().by(process).in(generation).as(nonce).hello();
    }

    /** A HELLO in the making, of which single values can be made to differ. */
    static final class Spoken {
        private int version = Hello.VERSION;
        private int mode = HelloFlyweight.MODE_MESH;
        private long generation = GENERATION;
        private long nonce;
        private int process;
        private int target;
        private int processes = PROCESSES;
        private int workers = WORKERS;
        private long intervalNs = INTERVAL_NS;
        private long timeoutNs = TIMEOUT_NS;
        private String clusterId = "ropes";
        private String address;
        private long channelWindow = CHANNEL_WINDOW;
        private long linkWindow = LINK_WINDOW;
        private long messageLimit = 1 << 20;
        private int frameLimit = 1 << 16;

        Spoken version(int other) {
            version = other;
            return this;
        }

        Spoken in(long otherGeneration) {
            generation = otherGeneration;
            return this;
        }

        Spoken as(long otherNonce) {
            nonce = otherNonce;
            return this;
        }

        Spoken by(int otherProcess) {
            process = otherProcess;
            return this;
        }

        Spoken to(int otherTarget) {
            target = otherTarget;
            return this;
        }

        Spoken shape(int otherProcesses, int otherWorkers) {
            processes = otherProcesses;
            workers = otherWorkers;
            return this;
        }

        Spoken settings(long otherIntervalNs, long otherTimeoutNs) {
            intervalNs = otherIntervalNs;
            timeoutNs = otherTimeoutNs;
            return this;
        }

        Spoken cluster(String otherId) {
            clusterId = otherId;
            return this;
        }

        Spoken windows(long otherChannelWindow, long otherLinkWindow) {
            channelWindow = otherChannelWindow;
            linkWindow = otherLinkWindow;
            return this;
        }

        Spoken mode(int otherMode) {
            mode = otherMode;
            return this;
        }

        Spoken messages(long otherLimit) {
            messageLimit = otherLimit;
            return this;
        }

        Spoken frames(int otherLimit) {
            frameLimit = otherLimit;
            return this;
        }

        Spoken at(String otherAddress) {
            address = otherAddress;
            return this;
        }

        Hello hello() {
            return new Hello(
                    version,
                    version,
                    mode,
                    generation,
                    nonce,
                    process,
                    processes,
                    workers,
                    target,
                    4_700 + process,
                    intervalNs,
                    timeoutNs,
                    channelWindow,
                    linkWindow,
                    messageLimit,
                    frameLimit,
                    true,
                    Former.NONE,
                    clusterId,
                    "host-" + process,
                    address == null ? "10.0.0." + process + ":7000" : address);
        }
    }

    /** What a process of this cluster says to another. */
    static Spoken spoken(int process, int target) {
        return new Spoken().by(process).to(target).as(nonce(process));
    }

    /** What has been agreed about the lanes of a ring that no credit bounds. */
    static LaneTerms unbounded(SendRoute route) {
        return terms(route, ReceiveLane.UNBOUNDED, ReceiveLane.UNBOUNDED);
    }

    /** The same with windows, of lanes and of all lanes of the link. */
    static LaneTerms terms(SendRoute route, long channelWindow, long linkWindow) {
        Hello own = ofRing(route, route.sourceWorker(), channelWindow, linkWindow);
        Hello peer = ofRing(route, route.firstWorker(), channelWindow, linkWindow);
        return new LaneTerms(
                new SendLanes(own, peer, new StoppedScopes()),
                Lanes.channelWindow(own, peer),
                Lanes.laneLimit(own, peer));
    }

    private static Hello ofRing(SendRoute route, int worker, long channelWindow, long linkWindow) {
        int workers = route.workerCount();
        return new Spoken()
                .by(worker / workers)
                .shape(PROCESSES, workers)
                .windows(channelWindow, linkWindow)
                .hello();
    }

    static long nonce(int process) {
        return 1_000_000_007L * (process + 1);
    }
}
