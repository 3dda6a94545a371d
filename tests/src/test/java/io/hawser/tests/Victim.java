package io.hawser.tests;

import io.hawser.testkit.ChildProcess;
import io.hawser.testkit.FaultProxy;
import io.hawser.testkit.ProxyLane;
import io.hawser.testkit.Signal;
import io.hawser.tests.harness.ChildCluster;
import io.hawser.tests.harness.Event;
import io.hawser.tests.harness.EventChild;
import io.hawser.tests.harness.RawFrame;
import io.hawser.tests.harness.RawHello;
import io.hawser.tests.harness.RawPeer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/**
 * One process of a cluster that is going to die, and how: prepares the cluster so that the survivors are doing what they
 * should, then kills it.
 */
abstract class Victim implements AutoCloseable {
    private static final long NARROW_WINDOW = 256 * 1024;
    private static final long WIDE_WINDOW = 64 * 1024 * 1024;

    /** What case 65 lists. */
    private static final List<Class<? extends Throwable>> ERRORS = List.of(
            OutOfMemoryError.class,
            StackOverflowError.class,
            LinkageError.class,
            RuntimeException.class,
            AssertionError.class);

    final ChildCluster cluster;
    final int index;
    final Ending ending;
    final String activity;
    ChildCluster.Run run;

    private Victim(final ChildCluster cluster, final int index, final Ending ending, final String activity) {
        this.cluster = cluster;
        this.index = index;
        this.ending = ending;
        this.activity = activity;
    }

    static Victim of(
            final ChildCluster cluster,
            final int index,
            final Ending ending,
            final String activity,
            final Path triggers) {
        return ending.isRaw()
                ? new Raw(cluster, index, ending, activity)
                : new Real(cluster, index, ending, activity, triggers);
    }

    /** Forms the cluster; when this returns, the survivors are at work. */
    abstract ChildCluster.Run form() throws Exception;

    /** Dies; the time just before, in microseconds since 1970. */
    abstract long die() throws Exception;

    @Override
    public abstract void close() throws IOException;

    boolean isBlocking() {
        return activity.equals("block");
    }

    /** Whether survivors wait for each other's credit, which has nothing to do with the victim. */
    boolean isWaiting() {
        return activity.equals("wait");
    }

    /** Socket and ring fill up only if credit does not end before. */
    void setWindows() {
        cluster.set("windowBytes", isBlocking() ? WIDE_WINDOW : NARROW_WINDOW);
    }

    /** They begin to push only when nobody takes it any more, lest they fill the victim's memory before. */
    void letSurvivorsBlock() {
        cluster.allBut(index).forEach(process -> run.tell(process, "go"));
    }

    void startSurvivors() {
        setWindows();
        run = cluster.newRun();
        final List<Integer> survivors = cluster.allBut(index);
        for (int i = 0; i < survivors.size(); i++) {
            final int next = survivors.get((i + 1) % survivors.size());
            run.start(survivors.get(i), activity, "blockOn", index, "waitOn", next);
        }
    }

    static long nowMicros() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    }

    /** A real JVM. */
    private static final class Real extends Victim {
        private final Path trigger;
        private boolean isDying;
        private final List<FaultProxy> proxies = new ArrayList<>();

        Real(
                final ChildCluster cluster,
                final int index,
                final Ending ending,
                final String activity,
                final Path triggers) {
            super(cluster, index, ending, activity);
            this.trigger = triggers.resolve(ending + "-" + activity);
        }

        @Override
        ChildCluster.Run form() throws IOException {
            Files.deleteIfExists(trigger);
            if (ending.isFault()) {
                setFault();
            }
            if (isBlocking() && !isFreezingFirst()) {
                cluster.allBut(index).forEach(this::putProxyBefore);
            }
            startSurvivors();
            run.start(index, ending.deed());
            run.awaitFormed(cluster.all());
            run.awaitAtWork(cluster.all());
            if (isBlocking() && ending != Ending.FREEZE) {
                block();
            } else if (isWaiting()) {
                letSurvivorsBlock();
                run.awaitBlocked(cluster.allBut(index));
            }
            return run;
        }

        /** A process that is killed can be frozen before, so that nobody empties its sockets; others have to stay able to act. */
        private boolean isFreezingFirst() {
            return ending.isKill() || ending == Ending.FREEZE;
        }

        private void block() {
            if (isFreezingFirst()) {
                child().signal(Signal.STOP);
            } else {
                proxies.forEach(proxy -> laneToVictim(proxy).trickle(1, Duration.ofMillis(20)));
            }
            letSurvivorsBlock();
            run.awaitBlocked(cluster.allBut(index));
        }

        private void putProxyBefore(final int survivor) {
            final int lower = Math.min(survivor, index);
            proxies.add(cluster.proxyBetween(lower, Math.max(survivor, index)));
        }

        private ProxyLane laneToVictim(final FaultProxy proxy) {
            return proxies.indexOf(proxy) < index ? proxy.toDialler() : proxy.toTarget();
        }

        private void setFault() {
            final int turn = ending.ordinal() + activity.length();
            final Class<?> error = ERRORS.get(turn % ERRORS.size());
            final String fault = ending.faultRole() + ":" + error.getName() + "@" + trigger;
            child().send(Event.of("property", "name", "hawser.test.fault", "value", fault));
        }

        @Override
        long die() throws IOException {
            isDying = true;
            final long now = nowMicros();
            switch (ending) {
                case KILL_IDLE, KILL_BUSY, KILL_FLOODING, TERMINATE -> child().signal(ending.signal());
                case FREEZE -> {
                    child().signal(ending.signal());
                    if (isBlocking()) {
                        letSurvivorsBlock();
                    }
                }
                case FAULT_SEND, FAULT_RECV, FAULT_WATCH -> Files.createFile(trigger);
                case FAULT_GREET -> {
                    Files.createFile(trigger);
                    knock();
                }
                default -> run.tell(index, "misdeed", "what", ending);
            }
            return now;
        }

        /** The greeting thread sleeps until somebody comes. */
        private void knock() throws IOException {
            new Socket(InetAddress.getLoopbackAddress(), cluster.port(index)).close();
        }

        private EventChild child() {
            return cluster.child(index);
        }

        @Override
        public void close() throws IOException {
            child().send(Event.of("property", "name", "hawser.test.fault"));
            if (ending == Ending.FILL_HEAP && isDying) {
                child().await("emptied", run.id()); // before that nothing can be asked of it
            }
            proxies.forEach(FaultProxy::close);
            cluster.clearDetours();
            Files.deleteIfExists(trigger);
            if (!ending.isSurvived()) {
                child().signal(Signal.KILL);
                child().awaitExit(ChildProcess.PATIENCE);
            }
        }
    }

    /** Played by this test on plain sockets: the last process, so that it dials the others. */
    private static final class Raw extends Victim {
        private final List<RawPeer> links = new ArrayList<>();

        Raw(final ChildCluster cluster, final int index, final Ending ending, final String activity) {
            super(cluster, index, ending, activity);
        }

        @Override
        ChildCluster.Run form() throws IOException {
            startSurvivors();
            for (final int process : cluster.allBut(index)) {
                links.add(RawPeer.greet(cluster.port(process), hello(process)));
            }
            for (final RawPeer link : links) {
                link.readyUp();
            }
            for (final RawPeer link : links) {
                link.await(RawFrame.READY);
            }
            run.awaitFormed(cluster.allBut(index));
            run.awaitAtWork(cluster.allBut(index));
            if (isBlocking()) {
                letSurvivorsBlock();
                run.awaitBlocked(cluster.allBut(index));
            } else {
                links.forEach(RawPeer::discardInBackground);
            }
            if (isWaiting()) {
                letSurvivorsBlock();
                run.awaitBlocked(cluster.allBut(index));
            }
            return run;
        }

        private RawHello hello(final int target) {
            final RawHello hello = new RawHello();
            hello.clusterId = "it";
            hello.generation = run.id();
            hello.nonce = run.id() << 8;
            hello.processIndex = index;
            hello.processCount = cluster.processCount();
            hello.workersPerProcess = cluster.workersPerProcess();
            hello.targetProcess = target;
            hello.heartbeatInterval = cluster.duration("heartbeatMs");
            hello.silenceTimeout = cluster.duration("silenceMs");
            return hello;
        }

        @Override
        long die() throws IOException {
            final long now = nowMicros();
            for (final RawPeer link : links) {
                switch (ending) {
                    case RST -> link.reset();
                    case HALF_HANGUP -> {
                        link.sendPart(RawFrame.hangUp(0, 0, 0, 0), 40);
                        link.fin();
                    }
                    default -> link.fin();
                }
            }
            return now;
        }

        @Override
        public void close() throws IOException {
            for (final RawPeer link : links) {
                link.close();
            }
        }
    }
}
