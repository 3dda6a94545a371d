package io.hawser.transport;

import io.hawser.fate.CauseKind;
import io.hawser.fate.Escalation;
import io.hawser.fate.ScopeOutcome;
import io.hawser.framing.CancelAnswer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * One cluster in virtual time, from one seed, and a few dataflows in it that are opened, finished, cancelled and failed by chance, all within a few milliseconds
 * before or after the same moment; then something is done to the cluster. Everybody who lives has to come to the same outcome of each.
 */
final class ScopeSimulation implements SimulatedMesh.Observer {
    /** What is done at that moment. */
    enum Strike {
        /** Nothing: all hang up one after the other. */
        NOTHING,
        /** A process is killed; its kernel closes its sockets. */
        KILL,
        /** A machine is gone, without a word. */
        VANISH,
        /** One connection is cut, both ends see that. */
        CUT,
        /** Two processes hear each other no more, or one does not hear the other. */
        BLOCK,
        /** One process hears nobody any more, and nobody hears it. */
        ISOLATE
    }

    private static final long MS = 1_000_000;
    private static final long LIMIT_NS = 30_000 * MS;

    /** A dataflow, and what is known from outside of what was done to it. */
    private static final class Flow {
        final long id;
        final ScopeMembers members;
        final List<ScopeOutcome.Cancelled> cancels = new ArrayList<>();
        final List<CompletionStage<CancelAnswer>> answers = new ArrayList<>();
        boolean hasFailed;

        Flow(final long id, final ScopeMembers members) {
            this.id = id;
            this.members = members;
        }
    }

    /** One process and its workers. */
    private final class Host {
        final SimulatedProcess process;
        final SimulatedMesh mesh;
        final Map<Long, Scope> opened = new LinkedHashMap<>();
        boolean isKilled;
        boolean isStarted;
        boolean hasHungUp;

        Host(final int index) {
            process = new SimulatedProcess(
                    index, 100 + index, time, random, 1_700_000_000_000L, 1 + random.nextLong(MS / 2));
            mesh = new SimulatedMesh(
                    config.toBuilder().processIndex(index).build(),
                    process,
                    random.nextLong(),
                    network,
                    ScopeSimulation.this,
                    mutant);
        }

        boolean isClean() {
            return mesh.hasEndedCleanly();
        }

        boolean hasLostAfterConfirm() {
            return !isClean()
                    && mesh.startedLinks.stream().anyMatch(link -> link.session.received() == Session.Stage.CONFIRMED);
        }

        boolean isSurvivor() {
            return !isKilled;
        }

        /** A worker does something, unless it has ended or its process is dead. */
        void at(final long delayNs, final Runnable action) {
            process.later(SimulatedProcess.WORKERS, delayNs, () -> {
                if (!hasHungUp && !mesh.health.isLost()) {
                    action.run();
                }
            });
        }
    }

    private final long seed;
    private final Strike strike;
    private final Mutant mutant;

    /** Whether the story is told if it fails; that takes most of the time. */
    private final boolean isTold;

    private final Random random;
    private final VirtualTime time;
    private final SimulatedNetwork network;
    private final ClusterConfig config;
    private final int processes;
    private final int workers;
    private final List<Host> hosts = new ArrayList<>();
    private final List<Flow> flows = new ArrayList<>();
    private final List<String> trace = new ArrayList<>();
    private final boolean[][] isCut;

    /** How often each outcome came. */
    final int[] outcomes = new int[3];

    /** How often two survivors could not have told each other. */
    int excused;

    private int startedCount;
    private long strikeNs;

    ScopeSimulation(final long seed, final Strike strike, final Mutant mutant, final boolean isTold) {
        this.isTold = isTold;
        this.mutant = mutant;
        this.seed = seed;
        this.strike = strike;
        this.random = new Random(seed * 0x9E3779B97F4A7C15L + strike.ordinal());
        this.time = new VirtualTime(SessionPair.startNs(random));
        this.processes = 3 + random.nextInt(3);
        this.workers = 1 + random.nextInt(2);
        this.isCut = new boolean[processes][processes];
        this.network = new SimulatedNetwork(time, random, processes, (1 + random.nextInt(4)) * MS);
        this.config = ClusterConfig.builder()
                .clusterId("simulated")
                .addresses(IntStream.range(0, processes)
                        .mapToObj(i -> new Endpoint("10.0.0." + i, 7_000))
                        .toList())
                .workersPerProcess(workers)
                .heartbeatInterval(Duration.ofMillis(100))
                .silenceTimeout(Duration.ofMillis(500))
                .abortTimeout(Duration.ofMillis(400))
                .formationTimeout(Duration.ofSeconds(5))
                .build();
    }

    int flowCount() {
        return flows.size();
    }

    void run() {
        try {
            for (int index = 0; index < processes; index++) {
                hosts.add(new Host(index));
            }
            boolean isGoingOn = true;
            while (isGoingOn && !isDone()) {
                isGoingOn = time.step(LIMIT_NS);
            }
            check(isDone(), () -> "L3 broken: not all have ended");
            flows.forEach(this::check);
            hosts.stream().filter(Host::isSurvivor).forEach(this::checkEnd);
        } catch (final Throwable failed) {
            throw new AssertionError(story(failed), failed);
        }
    }

    private String story(final Throwable failed) {
        return "seed " + seed + " " + strike + ", " + processes + " processes of " + workers + " workers: "
                + failed.getMessage() + "\n" + String.join("\n", trace);
    }

    private boolean isDone() {
        return hosts.stream().allMatch(host -> host.isKilled || host.mesh.isOver());
    }

    private void trace(final Supplier<String> what) {
        if (isTold) {
            trace.add(time.elapsedNs() / 1_000 + " us: " + what.get());
        }
    }

    private static void check(final boolean holds, final Supplier<String> what) {
        if (!holds) {
            throw new AssertionError(what.get());
        }
    }

    // ---- what happens

    @Override
    public void onStarted(final SimulatedMesh mesh) {
        host(mesh).isStarted = true;
        startedCount++;
        if (startedCount == processes) {
            plan();
        }
    }

    private Host host(final SimulatedMesh mesh) {
        return hosts.get(mesh.process.index);
    }

    private void plan() {
        strikeNs = 10 * MS + random.nextLong(10 * MS);
        for (int id = 1 + random.nextInt(16); id > 0; id--) {
            final Flow flow = new Flow(id, members());
            flows.add(flow);
            plan(flow);
        }
        final boolean isHangingUp = strike == Strike.NOTHING || random.nextInt(isSilent() ? 20 : 3) == 0;
        for (final Host host : hosts) {
            host.at(isHangingUp ? around(30) : strikeNs + 2_000 * MS, () -> hangUp(host));
        }
        time.after(strikeNs, this::strike);
    }

    private boolean isSilent() {
        return strike == Strike.VANISH || strike == Strike.BLOCK || strike == Strike.ISOLATE;
    }

    private ScopeMembers members() {
        final int all = processes * workers;
        return random.nextBoolean()
                ? ScopeMembers.all()
                : ScopeMembers.of(random.ints(1 + random.nextInt(all), 0, all).toArray());
    }

    /** Close to the strike, before or after it. */
    private long around(final int spreadMs) {
        return Math.max(1, strikeNs + random.nextLong(2 * spreadMs * MS) - spreadMs * MS);
    }

    private void plan(final Flow flow) {
        final boolean isEarly = random.nextInt(4) > 0;
        for (int worker = 0; worker < processes * workers; worker++) {
            if (flow.members.contains(worker) && random.nextInt(10) > 0) {
                plan(flow, worker, isEarly ? random.nextLong(5 * MS) : around(5));
            }
        }
        for (int i = random.nextInt(3); i > 0; i--) {
            final Host by = hosts.get(random.nextInt(processes));
            final int worker = random.nextInt(workers + 1) - 1;
            final long atNs = random.nextInt(8) == 0 ? 1 : around(5);
            by.at(atNs, () -> cancel(flow, by, worker));
        }
    }

    private void plan(final Flow flow, final int worker, final long openNs) {
        final Host host = hosts.get(worker / workers);
        host.at(openNs, () -> open(flow, host, worker));
        if (random.nextInt(8) > 0) {
            host.at(Math.max(openNs, around(5)), () -> finish(flow, host, worker));
        }
        if (random.nextInt(25) == 0) {
            host.at(around(5), () -> fail(flow, host, worker));
        }
    }

    private void open(final Flow flow, final Host host, final int worker) {
        trace(() -> host.process.index + " opens " + flow.id + " of " + flow.members + " by worker " + worker);
        final Scope scope = host.mesh.scopes.open(flow.id, flow.members, Escalation.CONTAINED, worker);
        host.opened.put(flow.id, scope);
        if (scope.isStopped()) {
            onScopeChanged(host.mesh, scope);
        }
    }

    private void finish(final Flow flow, final Host host, final int worker) {
        final Scope scope = host.opened.get(flow.id);
        if (scope != null && scope.openWorkers.get(worker) && !scope.isStopped()) {
            trace(() -> host.process.index + " finishes " + flow.id + " by worker " + worker);
            scope.complete(worker, new SendRing[0]);
        }
    }

    private void fail(final Flow flow, final Host host, final int worker) {
        final Scope scope = host.opened.get(flow.id);
        if (scope != null) {
            final boolean isSaid = scope.fail(host.mesh
                    .causeHere(CauseKind.WORKER_PANICKED)
                    .subjectWorker(worker)
                    .seen("boom")
                    .build());
            trace(() -> host.process.index + " fails " + flow.id + ": " + isSaid);
            flow.hasFailed |= isSaid;
        }
    }

    private void cancel(final Flow flow, final Host host, final int index) {
        final int worker = index < 0 ? -1 : host.process.index * workers + index;
        final String why = "reason " + random.nextInt(2);
        trace(() -> host.process.index + " cancels " + flow.id + " by worker " + worker);
        flow.answers.add(host.mesh.scopes.cancel(flow.id, worker, why));
        flow.cancels.add(new ScopeOutcome.Cancelled(host.process.index, worker, why));
    }

    private void hangUp(final Host host) {
        trace(() -> host.process.index + " hangs up");
        host.hasHungUp = true;
        host.mesh.hangUp();
    }

    private void strike() {
        final int first = random.nextInt(processes);
        final int second = (first + 1 + random.nextInt(processes - 1)) % processes;
        trace(() -> strike + " " + first + " " + second);
        switch (strike) {
            case KILL, VANISH -> {
                final Host host = hosts.get(first);
                host.isKilled = !host.mesh.isOver();
                host.mesh.kill(strike == Strike.VANISH);
                host.process.kill();
            }
            case CUT -> {
                final boolean isReset = random.nextBoolean();
                for (final SimulatedNetwork.Connection connection : network.between(first, second)) {
                    connection.forth().cut(isReset);
                    connection.back().cut(isReset);
                }
                part(first, second);
            }
            case BLOCK -> {
                network.block(first, second, LIMIT_NS);
                if (random.nextBoolean()) {
                    network.block(second, first, LIMIT_NS);
                }
                part(first, second);
            }
            case ISOLATE -> {
                for (int other = 0; other < processes; other++) {
                    if (other != first) {
                        network.block(first, other, LIMIT_NS);
                        network.block(other, first, LIMIT_NS);
                        part(first, other);
                    }
                }
            }
            default -> {
                // all goes well
            }
        }
    }

    private void part(final int one, final int other) {
        isCut[one][other] = true;
        isCut[other][one] = true;
    }

    @Override
    public void onScopeChanged(final SimulatedMesh mesh, final Scope scope) {
        trace(() -> mesh.process.index + " sees " + scope);
        final Host host = host(mesh);
        if (scope.isStopped() && host.opened.containsKey(scope.id())) {
            host.process.later(SimulatedProcess.WORKERS, random.nextLong(2 * MS), () -> letGo(scope));
        }
    }

    private static void letGo(final Scope scope) {
        final BitSet open = (BitSet) scope.openWorkers.clone();
        open.andNot(scope.finishedWorkers);
        open.stream().forEach(worker -> scope.letGo(worker, new SendRing[0]));
    }

    @Override
    public void onDelivered(
            final SimulatedMesh mesh, final SimulatedMesh.Link link, final SimulatedMesh.Message message) {}

    @Override
    public void onLost(final SimulatedMesh mesh) {
        trace(() -> mesh.process.index + " is lost: " + mesh.health.firstCause().kind() + " of "
                + mesh.health.firstCause().subjectProcess() + " seen by "
                + mesh.health.firstCause().observerProcess());
    }

    @Override
    public void onOver(final SimulatedMesh mesh) {
        trace(() -> mesh.process.index + " is over");
    }

    // ---- what has to be true

    private void check(final Flow flow) {
        final List<Host> witnesses = hosts.stream()
                .filter(host -> host.isSurvivor() && host.opened.containsKey(flow.id))
                .toList();
        for (final Host host : witnesses) {
            final Scope scope = host.opened.get(flow.id);
            check(scope.outcome().isPresent(), () -> "L3 broken: no outcome in " + host.process.index + " of " + scope);
            check(host, flow, scope.outcome().orElseThrow());
            for (final Host other : witnesses) {
                if (!canAgree(flow, host, other)) {
                    excused++;
                    continue;
                }
                check(
                        isSame(
                                scope.outcome().orElseThrow(),
                                other.opened.get(flow.id).outcome().orElseThrow()),
                        () -> "L10 broken: " + host.process.index + " has " + scope + "\n and " + other.process.index
                                + " has " + other.opened.get(flow.id));
            }
        }
        if (!witnesses.isEmpty()) {
            final ScopeOutcome outcome =
                    witnesses.get(0).opened.get(flow.id).outcome().orElseThrow();
            outcomes[outcome.isCompleted() ? 0 : outcome.isCancelled() ? 1 : 2]++;
        }
    }

    private void check(final Host host, final Flow flow, final ScopeOutcome outcome) {
        final Supplier<String> where = () -> " in " + host.process.index + " of " + flow.id + ": " + outcome;
        if (outcome instanceof ScopeOutcome.Cancelled how) {
            check(flow.cancels.contains(how), () -> "Case 95 broken: nobody cancelled" + where.get());
        }
        check(
                !flow.hasFailed || outcome.isFailed(),
                () -> "Case 95 broken: somebody has said that it failed" + where.get());
        check(
                flow.hasFailed || !outcome.isFailed() || host.mesh.health.isLost(),
                () -> "Case 95 broken: nothing failed" + where.get());
        check(
                outcome.isFailed()
                        || host.mesh.health.isLost()
                        || !host.opened.get(flow.id).health().isLost(),
                () -> "L10 broken: a health suffered" + where.get());
    }

    /**
     * Two rounds of telling can bring them together: they have a link to each other, or a third member has to both, and nobody who could tell had ended its stream by CONFIRM before,
     * after which nothing can be told.
     */
    private boolean canAgree(final Flow flow, final Host one, final Host other) {
        if (one.hasLostAfterConfirm() || other.hasLostAfterConfirm() || one.isClean() != other.isClean()) {
            return false;
        }
        final int a = one.process.index;
        final int b = other.process.index;
        return !isCut[a][b]
                || IntStream.range(0, processes)
                        .anyMatch(third -> third != a
                                && third != b
                                && flow.members.countIn(third, workers) > 0
                                && !isCut[a][third]
                                && !isCut[third][b]);
    }

    private static boolean isSame(final ScopeOutcome one, final ScopeOutcome other) {
        return one instanceof ScopeOutcome.Failed failed
                ? other instanceof ScopeOutcome.Failed otherFailed
                        && failed.cause().sameEvent(otherFailed.cause())
                : one.equals(other);
    }

    private void checkEnd(final Host host) {
        check(host.mesh.scopes.openCount() == 0, () -> "L4 broken: scopes are left in " + host.mesh);
        if (strike == Strike.NOTHING) {
            check(host.mesh.hasEndedCleanly(), () -> "L10 broken: somebody's health suffered: " + host.mesh);
        }
        for (final Flow flow : flows) {
            for (final CompletionStage<CancelAnswer> answer : flow.answers) {
                final boolean isOurs =
                        flow.cancels.get(flow.answers.indexOf(answer)).byProcess() == host.process.index;
                if (isOurs) {
                    answer.toCompletableFuture().orTimeout(30, TimeUnit.SECONDS).join();
                }
            }
        }
    }
}
