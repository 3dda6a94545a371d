package io.hawser.transport;

import io.hawser.fate.Cause;
import io.hawser.fate.CauseBuilder;
import io.hawser.fate.CauseKind;
import io.hawser.fate.Clock;
import io.hawser.fate.Escalation;
import io.hawser.fate.Health;
import io.hawser.fate.ScopeOutcome;
import io.hawser.framing.CancelFlyweight;
import io.hawser.framing.CancelledFlyweight;
import io.hawser.framing.FateFlyweight;
import io.hawser.framing.FrameEncoder;
import io.hawser.framing.FrameHeaderFlyweight;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;

/** The scopes of a whole cluster without threads, sockets and sessions: what processes say about scopes lies on its way until the test carries it. */
final class ScopeCluster {
    static final int WORKERS = 2;
    static final long SILENCE_NS = 1_000;

    final List<Node> nodes = new ArrayList<>();
    long nowNs;

    ScopeCluster(final int processes) {
        this(processes, Scopes.Limits.OF_PROTOCOL);
    }

    ScopeCluster(final int processes, final Scopes.Limits limits) {
        for (int process = 0; process < processes; process++) {
            nodes.add(new Node(process, processes, limits));
        }
    }

    Node node(final int process) {
        return nodes.get(process);
    }

    /** All that has been said arrives, until nobody says anything more. */
    void carryAll() {
        boolean isMoved = true;
        while (isMoved) {
            isMoved = false;
            for (final Node from : nodes) {
                for (final Way way : from.ways) {
                    isMoved |= way.carry();
                }
            }
        }
    }

    /** One process. */
    final class Node implements Scopes.Host {
        final int process;
        final Health health;
        final Scopes scopes;
        final List<Way> ways = new ArrayList<>();
        final List<Long> changed = new ArrayList<>();

        private Node(final int process, final int processes, final Scopes.Limits limits) {
            this.process = process;
            this.health = Health.root("node-" + process);
            this.scopes = new Scopes(this, process, processes, WORKERS, SILENCE_NS, limits);
            for (int peer = 0; peer < processes; peer++) {
                if (peer != process) {
                    ways.add(new Way(this, peer));
                }
            }
        }

        int worker(final int index) {
            return process * WORKERS + index;
        }

        /** Its first worker opens a scope of all. */
        Scope open(final long id) {
            return open(id, ScopeMembers.all(), 0);
        }

        Scope open(final long id, final ScopeMembers members, final int index) {
            return scopes.open(id, members, Escalation.CONTAINED, worker(index));
        }

        /** All its workers open a scope of all. */
        Scope openWhole(final long id) {
            for (int index = 0; index < WORKERS; index++) {
                open(id, ScopeMembers.all(), index);
            }
            return open(id);
        }

        void complete(final Scope scope) {
            for (int index = 0; index < WORKERS; index++) {
                scope.complete(worker(index), new SendRing[0]);
            }
        }

        Cause boom() {
            return causeHere(CauseKind.WORKER_PANICKED)
                    .subjectWorker(worker(0))
                    .seen("boom")
                    .build();
        }

        Way to(final int peer) {
            return ways.stream().filter(way -> way.peer == peer).findFirst().orElseThrow();
        }

        @Override
        public Clock clock() {
            return new VirtualClock(() -> nowNs);
        }

        @Override
        public Health health() {
            return health;
        }

        @Override
        public CauseBuilder causeHere(final CauseKind kind) {
            return Cause.builder(kind)
                    .subjectProcess(process)
                    .observerProcess(process)
                    .observedAtEpochMs(nowNs)
                    .generation(1);
        }

        @Override
        public List<Way> scopePeers() {
            return ways;
        }

        @Override
        public void onScopeChanged(final Scope scope) {
            changed.add(scope.id());
        }

        @Override
        public boolean onCancelUnopened(final long scopeId, final ScopeOutcome.Cancelled how) {
            return false;
        }

        @Override
        public void onThreadFailed(final String role, final Throwable error) {
            throw new AssertionError(role, error);
        }
    }

    /** What one process says to another. */
    final class Way implements Scopes.Peer {
        final int peer;
        final ScopeFrames frames = new ScopeFrames();
        final SendLanes lanes;
        boolean hasSpoken;
        boolean isForced;
        String fault;

        private final Node from;
        private final FrameEncoder encoder = new FrameEncoder();
        private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[ScopeFrames.FRAME_LENGTH_MAX]);
        private final FrameHeaderFlyweight header = new FrameHeaderFlyweight();

        private Way(final Node from, final int peer) {
            this.from = from;
            this.peer = peer;
            this.lanes = new SendLanes(Hellos.of(from.process), Hellos.of(peer), from.scopes.stopped());
        }

        /** The next thing said arrives; false if there is none. */
        boolean carry() {
            if (frames.encodeNext(encoder, buffer, 0, lanes, isForced) == 0) {
                return false;
            }
            header.wrap(buffer, 0);
            final int payload = FrameHeaderFlyweight.HEADER_LENGTH;
            final int length = header.payloadLength();
            final long id = header.scopeId();
            final Node to = nodes.get(peer);
            final String now = switch (header.type()) {
                case FATE -> {
                    final FateFlyweight fate = new FateFlyweight().wrap(buffer, payload, length);
                    final long[] longs = new long[fate.memberLongs()];
                    for (int i = 0; i < longs.length; i++) {
                        longs[i] = fate.members(i);
                    }
                    yield to.scopes.onFate(
                            from.process, id, ScopeMembers.ofLongs(longs), ScopeWord.read(fate, from.process));
                }
                case CANCEL -> {
                    to.scopes.onCancel(
                            to.to(from.process),
                            id,
                            header.sourceWorker(),
                            new CancelFlyweight().wrap(buffer, payload, length).text());
                    yield null;
                }
                case CANCELLED ->
                    to.scopes.onCancelled(
                            from.process,
                            id,
                            new CancelledFlyweight()
                                    .wrap(buffer, payload, length)
                                    .answer());
                default -> throw new AssertionError(header.type());
            };
            fault = now == null ? fault : now;
            return true;
        }

        int carryAll() {
            int count = 0;
            while (carry()) {
                count++;
            }
            return count;
        }

        @Override
        public int peer() {
            return peer;
        }

        @Override
        public ScopeFrames scopeFrames() {
            return frames;
        }

        @Override
        public SendLanes sendLanes() {
            return lanes;
        }

        @Override
        public void wakeSender() {}

        @Override
        public boolean speaksForItself() {
            return hasSpoken;
        }
    }
}
