package io.hawser.transport;

import io.hawser.fate.Cause;
import io.hawser.fate.CauseKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A whole cluster in virtual time, from one seed: processes that form a mesh, send each other messages, hang up at random times; what
 * is done to them meanwhile; and their starting again, with a higher generation, until a job has ended cleanly. {@link SimulatedMesh}
 * says what is the product's own in it. Checkers watch it.
 */
final class ClusterSimulation implements SimulatedMesh.Observer {
    static final int SCRIPTED_PROCESSES = 3;

    private static final long MS = 1_000_000;
    private static final long LIMIT_NS = 180_000 * MS;
    private static final long FIRST_EPOCH_MS = 1_700_000_000_000L;
    private static final int TRACE_LENGTH = 400;
    private static final int LARGE_EVERY = 499;

    /** The least: room for a dozen messages. */
    private static final long SMALL_WINDOW = 4_608;

    private final long seed;
    private final Random random;
    private final Mutant mutant;
    private final VirtualTime time;
    private final SimulatedNetwork network;
    private final ClusterConfig config;
    private final FaultPlan plan;
    private final boolean isLarge;
    private final List<SimulationChecker> checkers;
    private final int processes;
    private final long delayMaxNs;
    private final long workMaxNs;
    private final long skewMaxMs;
    private final Host[] hosts;
    private final List<Fault> faults = new ArrayList<>();
    private final List<FaultPlan.Planned> struck = new ArrayList<>();
    private final List<MeshLife> lives = new ArrayList<>();
    private final Map<SimulatedMesh, MeshLife> lifeOf = new IdentityHashMap<>();
    private final Map<Long, MeshLife> lifeByNonce = new HashMap<>();
    private final List<String> trace = new ArrayList<>();
    private final List<MeshLife> zombies = new ArrayList<>();
    private long pids = 100;

    /** One place in the cluster: whoever is the process there now, and the user who starts it again. */
    private static final class Host {
        SimulatedProcess process;
        MeshLife life;
        long nextGeneration = 1;
        boolean isDone;
        boolean isStarting;
        int ticket;
    }

    /** A cluster as the seed wants it, and what is done to it. */
    ClusterSimulation(long seed, Mutant mutant, List<SimulationChecker> checkers) {
        this(seed, mutant, checkers, 0, List.of());
    }

    /** A cluster of three, to which this is done and nothing else. */
    static ClusterSimulation scripted(
            long seed, Mutant mutant, List<FaultPlan.Planned> script, List<SimulationChecker> checkers) {
        return new ClusterSimulation(seed, mutant, checkers, 0, script);
    }

    /** A large cluster, one of which is killed as soon as all have started. */
    static ClusterSimulation large(long seed, int processes, List<SimulationChecker> checkers) {
        return new ClusterSimulation(seed, Mutant.NONE, checkers, processes, List.of());
    }

    private ClusterSimulation(
            long seed,
            Mutant mutant,
            List<SimulationChecker> checkers,
            int largeProcesses,
            List<FaultPlan.Planned> script) {
        this.isLarge = largeProcesses > 0;
        this.seed = seed;
        this.mutant = mutant;
        this.checkers = checkers;
        this.random = new Random(seed * 0x9E3779B97F4A7C15L);
        this.time = new VirtualTime(SessionPair.startNs(random));
        this.processes = isLarge ? largeProcesses : processCount(script);
        this.delayMaxNs = (1 + random.nextInt(random.nextBoolean() ? 2 : 15)) * MS;
        this.workMaxNs = 1 + random.nextLong(random.nextBoolean() ? 150 * MS : 1_000 * MS);
        this.skewMaxMs = random.nextInt(3) == 0 ? 5_000 : 0;
        this.network = new SimulatedNetwork(time, random, processes, delayMaxNs);
        this.config = isLarge ? unhurried(config()) : config();
        this.hosts = IntStream.range(0, processes).mapToObj(i -> new Host()).toArray(Host[]::new);
        this.plan = plan(script);
    }

    private FaultPlan plan(List<FaultPlan.Planned> script) {
        if (isLarge) {
            return FaultPlan.oneKill(random, processes, config);
        }
        return script.isEmpty()
                ? new FaultPlan(random, processes, config)
                : FaultPlan.scripted(random, processes, config, script);
    }

    private int processCount(List<FaultPlan.Planned> script) {
        if (!script.isEmpty()) {
            return SCRIPTED_PROCESSES;
        }
        if (seed % LARGE_EVERY == 0) {
            return 17 + random.nextInt(48);
        }
        return random.nextInt(8) == 0 ? 2 : 3 + random.nextInt(random.nextInt(10) == 0 ? 14 : 3);
    }

    private ClusterConfig config() {
        return ClusterConfig.builder()
                .clusterId("simulated")
                .addresses(IntStream.range(0, processes)
                        .mapToObj(i -> new Endpoint("10.0.0." + i, 7_000))
                        .toList())
                .heartbeatInterval(Duration.ofMillis(100))
                .silenceTimeout(Duration.ofMillis(500))
                .abortTimeout(Duration.ofMillis(400))
                .helloTimeout(Duration.ofMillis(300))
                .dialBackoffMin(Duration.ofMillis(5))
                .dialBackoffMax(Duration.ofMillis(100))
                .formationTimeout(Duration.ofSeconds(5))
                .frameLimit(1_024)
                .channelWindow(random.nextBoolean() ? SMALL_WINDOW : 1 << 20)
                .floatingWindow(random.nextBoolean() ? 0 : 1 << 14)
                .payloadChecks(random.nextBoolean())
                .build();
    }

    /** Each process has a heartbeat for each other one: the times are those of a large cluster. */
    private static ClusterConfig unhurried(ClusterConfig config) {
        return config.toBuilder()
                .heartbeatInterval(Duration.ofSeconds(2))
                .silenceTimeout(Duration.ofSeconds(10))
                .abortTimeout(Duration.ofSeconds(5))
                .helloTimeout(Duration.ofSeconds(5))
                .formationTimeout(Duration.ofSeconds(60))
                .build();
    }

    // ---- running

    /** Runs until the job has ended cleanly everywhere, and asks the checkers. */
    void run() {
        try {
            for (int index = 0; index < processes; index++) {
                start(index, random.nextLong(random.nextInt(8) == 0 ? 1_000 * MS : 30 * MS));
            }
            plan.onEvent(FaultPlan.Trigger.BEGINNING, -1, -1, this::schedule);
            boolean isGoingOn = true;
            while (isGoingOn && !isDone()) {
                isGoingOn = time.step(LIMIT_NS);
            }
            checkers.forEach(checker -> checker.onEnd(this));
            SimulationChecker.check(isDone(), "L3 broken: the cluster neither works nor ends", lives.toArray());
        } catch (Throwable failed) {
            throw new AssertionError(story(failed), failed);
        }
    }

    private String story(Throwable failed) {
        return "seed " + seed + ", " + processes + " processes, " + mutant + ": " + failed.getMessage() + "\nfaults: "
                + faults + "\n" + String.join("\n", trace);
    }

    private boolean isDone() {
        for (Host host : hosts) {
            if (!host.isDone || host.isStarting) {
                return false;
            }
        }
        return lives.stream().allMatch(life -> life.overNs >= 0 || life.isKilled);
    }

    private void trace(String what) {
        if (trace.size() < TRACE_LENGTH) {
            trace.add(time.elapsedNs() / 1_000 + " us: " + what);
        }
    }

    // ---- the user of each process

    private void start(int index, long delayNs) {
        Host host = hosts[index];
        host.isStarting = true;
        host.isDone = false;
        int ticket = ++host.ticket;
        time.after(delayNs, () -> launch(index, ticket));
    }

    private void launch(int index, int ticket) {
        Host host = hosts[index];
        if (ticket != host.ticket) {
            return; // somebody has decided otherwise meanwhile
        }
        if (host.process == null || !host.process.isAlive()) {
            long skewMs = skewMaxMs == 0 ? 0 : random.nextLong(2 * skewMaxMs) - skewMaxMs;
            host.process = new SimulatedProcess(
                    index, pids++, time, random, FIRST_EPOCH_MS + skewMs, 1 + random.nextLong(MS / 2));
        }
        host.process.later(SimulatedProcess.WORKERS, 0, () -> form(host, ticket));
    }

    private void form(Host host, int ticket) {
        if (ticket != host.ticket) {
            return;
        }
        host.isStarting = false;
        host.nextGeneration = Math.max(host.nextGeneration, generationIfNobodyKnows(host));
        ClusterConfig own = config.toBuilder()
                .processIndex(host.process.index)
                .generation(host.nextGeneration)
                .build();
        SimulatedMesh mesh = new SimulatedMesh(own, host.process, random.nextLong(), network, this, mutant);
        host.life = new MeshLife(mesh, time.elapsedNs());
        lives.add(host.life);
        lifeOf.put(mesh, host.life);
        lifeByNonce.put(mesh.nonce, host.life);
        trace("forms: " + mesh);
        callBackWhoIsDone();
    }

    /**
     * If nobody else is left who knows which generations are over, the user has to know: no protocol can. Nor if a process that was
     * replaced may wake up as ignorant as the newcomer, and be met before anybody else; or start what it was forming, if everybody's READY lies there,
     * and who said it has died since.
     */
    private long generationIfNobodyKnows(Host host) {
        long lastStarted = lives.stream()
                .filter(MeshLife::hasStarted)
                .mapToLong(life -> life.mesh.generation())
                .max()
                .orElse(0);
        List<MeshLife> starters = zombies.stream()
                .filter(life -> life.mesh.generation() > lastStarted && mayStillStart(life))
                .toList();
        long last = starters.stream()
                .mapToLong(life -> life.mesh.generation())
                .max()
                .orElse(lastStarted);
        if (zombies.stream().anyMatch(life -> life.overNs < 0 && life.mesh.generation() <= lastStarted)) {
            return last + 1;
        }
        for (Host other : hosts) {
            boolean isThere = other != host && other.process != null && other.process.isAlive() && other.life != null;
            if (isThere && (hasHeardMore(other, last) || knows(other.life, lastStarted, starters))) {
                return 1;
            }
        }
        return last + 1;
    }

    private boolean mayStillStart(MeshLife zombie) {
        return zombie.overNs < 0
                && IntStream.range(0, processes)
                        .filter(index -> index != zombie.process())
                        .allMatch(index -> lives.stream()
                                .anyMatch(life ->
                                        life.process() == index && life.mesh.hasSaidReadyTo(zombie.mesh.nonce)));
    }

    private boolean knows(MeshLife life, long started, List<MeshLife> starters) {
        return starters.isEmpty()
                ? tookPart(life, started)
                : life.overNs < 0 && starters.stream().allMatch(zombie -> life.mesh.hasSaidReadyTo(zombie.mesh.nonce));
    }

    private static boolean hasHeardMore(Host host, long generation) {
        return Math.max(host.nextGeneration, host.life.mesh.generation()) > generation;
    }

    /** Who has said READY to one that has started knows that, or has to reckon with it. */
    private boolean tookPart(MeshLife life, long started) {
        return life.overNs < 0
                && lives.stream()
                        .filter(other -> other.hasStarted() && other.mesh.generation() == started)
                        .flatMap(other -> other.mesh.startedLinks.stream())
                        .anyMatch(link -> link.session.peer().nonce() == life.mesh.nonce);
    }

    private void formAgain(int index) {
        if (!hosts[index].isStarting) {
            start(index, random.nextLong(50 * MS));
        }
    }

    @Override
    public void onStarted(SimulatedMesh mesh) {
        MeshLife life = lifeOf.get(mesh);
        life.startedNs = time.elapsedNs();
        trace("started: " + mesh);
        checkers.forEach(checker -> checker.onStarted(life));
        work(mesh);
        onStep(mesh, -1, FaultPlan.Trigger.START);
    }

    /** The workers: push to everybody at random times, then hang up. */
    private void work(SimulatedMesh mesh) {
        long hangUpNs = random.nextLong(workMaxNs);
        int bursts = random.nextInt(3);
        int first = isLarge ? (mesh.process.index + 1) % processes : 0; // then only the next one gets something
        for (int peer = first; peer < (isLarge ? first + 1 : processes); peer++) {
            for (int i = 0; i < bursts && peer != mesh.process.index; i++) {
                int target = peer;
                mesh.process.later(SimulatedProcess.WORKERS, random.nextLong(hangUpNs + 1), () -> push(mesh, target));
            }
        }
        mesh.process.later(SimulatedProcess.WORKERS, hangUpNs + 1, () -> {
            trace("hangs up: " + mesh);
            mesh.hangUp();
            onStep(mesh, -1, FaultPlan.Trigger.HANG_UP);
        });
    }

    private void push(SimulatedMesh mesh, int peer) {
        for (int i = random.nextInt(random.nextInt(10) == 0 ? 60 : 6); i >= 0; i--) {
            mesh.push(peer, random.nextInt(200));
        }
    }

    @Override
    public void onDelivered(SimulatedMesh mesh, SimulatedMesh.Link link, SimulatedMesh.Message message) {
        MeshLife life = lifeOf.get(mesh);
        checkers.forEach(checker -> checker.onDelivered(life, link, message));
    }

    @Override
    public void onLost(SimulatedMesh mesh) {
        MeshLife life = lifeOf.get(mesh);
        life.lostNs = time.elapsedNs();
        trace("lost: " + mesh);
        onStep(mesh, -1, FaultPlan.Trigger.LOSS);
    }

    @Override
    public void onOver(SimulatedMesh mesh) {
        MeshLife life = lifeOf.get(mesh);
        life.overNs = time.elapsedNs();
        trace("over: " + mesh);
        int index = mesh.process.index;
        Host host = hosts[index];
        if (host.life != life) {
            return; // its successor has taken its place already
        }
        host.nextGeneration = mesh.generation() + (mesh.hasFormingFailed() ? 0 : 1);
        if (life.isClean() && lives.stream().noneMatch(other -> hasFailedBeside(life, other))) {
            host.isDone = true;
        } else {
            formAgain(index);
            callBackWhoIsDone();
        }
    }

    private static boolean hasFailedBeside(MeshLife life, MeshLife other) {
        return other.mesh.generation() == life.mesh.generation() && other.isWitness();
    }

    /** Who ended cleanly while others did not has to do the job again with them. */
    private void callBackWhoIsDone() {
        for (int index = 0; index < processes; index++) {
            if (hosts[index].isDone) {
                formAgain(index);
            }
        }
    }

    // ---- faults

    @Override
    public void onStep(SimulatedMesh mesh, int peer, FaultPlan.Trigger step) {
        plan.onEvent(step, mesh.process.index, peer, this::schedule);
    }

    private void schedule(FaultPlan.Planned planned) {
        time.after(planned.delayNs(), () -> strike(planned));
    }

    private void strike(FaultPlan.Planned planned) {
        Host host = hosts[planned.process()];
        if (host.process == null || !host.process.isAlive() || host.life == null || isDone()) {
            return;
        }
        switch (planned.kind()) {
            case KILL, VANISH -> kill(host, planned);
            case PAUSE -> pause(host, planned);
            case PANIC -> panic(host, planned);
            default -> harmLink(planned, host);
        }
    }

    private Fault note(FaultPlan.Planned planned, Host host) {
        struck.add(planned);
        long nowNs = time.elapsedNs();
        Fault fault = new Fault(
                planned.kind(),
                nowNs,
                nowNs + planned.durationNs(),
                planned.process(),
                planned.other(),
                host.process.pid);
        faults.add(fault);
        trace("FAULT " + fault);
        return fault;
    }

    private void kill(Host host, FaultPlan.Planned planned) {
        note(planned, host);
        for (MeshLife life : lives) {
            if (life.mesh.process == host.process && life.overNs < 0) {
                life.isKilled = true;
                life.mesh.kill(planned.kind() == Fault.Kind.VANISH);
            }
        }
        host.process.kill();
        relaunch(host, planned);
    }

    /** Somebody starts a successor, who knows the generation or does not. */
    private void relaunch(Host host, FaultPlan.Planned planned) {
        host.nextGeneration = switch (random.nextInt(3)) {
            case 0 -> 1;
            case 1 -> host.life.mesh.generation();
            default -> host.life.mesh.generation() + 1;
        };
        callBackWhoIsDone();
        long lateNs = random.nextInt(16) == 0 ? config.formationTimeoutNs() + 1_000 * MS : 0; // the others give up
        start(planned.process(), lateNs + random.nextLong(random.nextInt(4) == 0 ? 2_000 * MS : 100 * MS));
    }

    private void pause(Host host, FaultPlan.Planned planned) {
        note(planned, host);
        SimulatedProcess paused = host.process;
        paused.pause();
        time.after(planned.durationNs(), paused::resume);
        if (planned.isReplaced()) {
            zombies.add(host.life);
            host.process = null; // taken for dead: a successor starts elsewhere, and the old one wakes one day
            relaunch(host, planned);
        }
    }

    private void panic(Host host, FaultPlan.Planned planned) {
        SimulatedMesh mesh = host.life.mesh;
        if (mesh.isStarted() && !mesh.isOver() && !host.process.isPaused()) {
            note(planned, host);
            mesh.health.lose(mesh.causeHere(CauseKind.WORKER_PANICKED)
                    .subjectWorker(planned.process())
                    .seen("boom")
                    .build());
        }
    }

    private void harmLink(FaultPlan.Planned planned, Host host) {
        List<SimulatedNetwork.Connection> connections = network.between(planned.process(), planned.other());
        if (planned.kind() == Fault.Kind.BLOCK) {
            note(planned, host);
            network.block(planned.process(), planned.other(), planned.durationNs());
            return;
        }
        boolean isUnseen = planned.kind() == Fault.Kind.FLIP && !config.payloadChecks();
        if (connections.isEmpty() || isUnseen) {
            return; // without payload checks an inverted bit of a message is the engine's to find
        }
        SimulatedNetwork.Connection connection = connections.get(connections.size() - 1);
        Wire wire = connection.towards(planned.other());
        note(planned, host);
        switch (planned.kind()) {
            case CUT -> {
                boolean isReset = random.nextBoolean();
                connection.forth().cut(isReset);
                connection.back().cut(isReset);
            }
            case STALL -> wire.stall(planned.durationNs());
            case FLIP -> wire.flip();
            default -> wire.tamper();
        }
    }

    // ---- what checkers ask

    /** {@return what happened, in order} */
    List<String> trace() {
        return trace;
    }

    long eventCount() {
        return time.eventCount();
    }

    List<MeshLife> lives() {
        return lives;
    }

    List<Fault> faults() {
        return faults;
    }

    /** {@return what of the plan was carried out} */
    List<FaultPlan.Planned> struck() {
        return struck;
    }

    SimulatedMesh.Link oppositeOf(SimulatedMesh.Link link) {
        MeshLife other = lifeByNonce.get(link.session.peer().nonce());
        return other.mesh.startedLinks.stream()
                .filter(back -> back.session.peer().nonce() == link.mesh().nonce)
                .findFirst()
                .orElse(null);
    }

    MeshLife lifeOf(long nonce) {
        return lifeByNonce.get(nonce);
    }

    /** {@return whether something was done anywhere from the first of the links with which this one has started to its end} */
    boolean isAnythingDoneDuringForming(MeshLife starter) {
        long firstNs = starter.mesh.startedLinks.stream()
                .mapToLong(link -> link.openedNs)
                .min()
                .orElse(starter.startedNs);
        long fromNs = firstNs - wordBoundNs(); // who dies with his HELLO under way is greeted when dead
        return faults.stream()
                .anyMatch(
                        fault -> showsUntilNs(fault) >= fromNs && (starter.isKilled || fault.atNs() <= starter.overNs));
    }

    /** What was open stays silent, and is given up for that later, by others than those who have made their links since. */
    private long showsUntilNs(Fault fault) {
        return fault.isForEver() ? Math.max(fault.endNs(), fault.atNs() + silenceBoundNs(config)) : fault.endNs();
    }

    /** {@return whether something was done that this names} What was over before the first link of its generation was opened does not count; but who is dead may still be greeted. */
    boolean isExplained(Cause cause) {
        long firstNs = lives.stream()
                .filter(life -> life.hasStarted() && life.mesh.generation() == cause.generation())
                .flatMap(life -> life.mesh.startedLinks.stream())
                .mapToLong(link -> link.openedNs)
                .min()
                .orElse(0);
        return faults.stream()
                .anyMatch(fault ->
                        (fault.isDeath() || fault.endNs() >= firstNs - wordBoundNs()) && fault.explains(cause));
    }

    boolean isTampered(SimulatedMesh.Link link) {
        int own = link.mesh().process.index;
        return faults.stream().anyMatch(fault -> fault.kind() == Fault.Kind.TAMPER && fault.harms(own, link.peer()));
    }

    private boolean hasStarted(int process, long generation) {
        return lives.stream()
                .anyMatch(
                        life -> life.process() == process && life.hasStarted() && life.mesh.generation() == generation);
    }

    boolean hasStarted(long nonce, long generation) {
        MeshLife life = lifeByNonce.get(nonce);
        return life != null && life.hasStarted() && life.mesh.generation() == generation;
    }

    /** {@return what ticks, wake-ups and ways cost at most, several of each} */
    long slackNs() {
        return 4 * delayMaxNs + 100 * MS;
    }

    /** {@return what a word costs at most to those who listen: a way, and the wake-ups at both ends of it} */
    long wordBoundNs() {
        return 2 * delayMaxNs + 5 * MS;
    }

    long silenceBoundNs(ClusterConfig of) {
        return of.silenceTimeoutNs() + of.heartbeatIntervalNs();
    }

    /** {@return for how long its process was suspended within a span} */
    long pausedNs(MeshLife life, long fromNs, long toNs) {
        long sumNs = 0;
        for (Fault fault : faults) {
            if (fault.kind() == Fault.Kind.PAUSE && fault.pid() == life.mesh.process.pid) {
                sumNs += Math.max(0, Math.min(toNs, fault.untilNs()) - Math.max(fromNs, fault.atNs()));
            }
        }
        return sumNs;
    }

    /** {@return whether this fault is certain to show on a link with which the mesh has started} */
    boolean isFatalTo(Fault fault, MeshLife life) {
        if (fault.pid() == life.mesh.process.pid || hasBeenPaused(life)) {
            return false;
        }
        boolean isCertain = switch (fault.kind()) {
            case KILL -> !hasHappenedBefore(Fault.Kind.BLOCK, fault, life.process());
            case VANISH -> true;
            case PANIC -> isUndisturbed(fault, life);
            case PAUSE -> fault.untilNs() - fault.atNs() > silenceBoundNs(config) + slackNs();
            case BLOCK -> fault.other() == life.process();
            default -> false;
        };
        boolean isLate = hasHappenedBefore(Fault.Kind.STALL, fault, life.process());
        return isCertain && !isLate && life.mesh.startedLinks.stream().anyMatch(link -> isOpenAt(fault, link));
    }

    /** {@return whether nothing else was ever done to the two, or between them} */
    private boolean isUndisturbed(Fault panic, MeshLife life) {
        return faults.stream()
                .noneMatch(fault ->
                        fault != panic && (fault.pid() == panic.pid() || fault.harms(panic.process(), life.process())));
    }

    private boolean hasHappenedBefore(Fault.Kind kind, Fault later, int process) {
        return faults.stream()
                .anyMatch(fault -> fault.kind() == kind
                        && fault.process() == later.process()
                        && fault.other() == process
                        && fault.atNs() <= later.atNs());
    }

    private boolean hasBeenPaused(MeshLife life) {
        return pausedNs(life, 0, Long.MAX_VALUE) > 0;
    }

    private static boolean isOpenAt(Fault fault, SimulatedMesh.Link link) {
        return link.peer() == fault.process()
                && link.session.peer().pid() == fault.pid()
                && link.session.received() != Session.Stage.CONFIRMED;
    }

    /**
     * Whether two rounds of ABORT can bring these together: between any two there is a link that nothing was done to and whose
     * streams had not ended by CONFIRM before, or a third one with such links to both; and none kept to itself for long what it knew.
     */
    boolean couldAgree(List<MeshLife> witnesses) {
        long firstLossNs = firstLossNs(witnesses);
        long lastOverNs = lastOverNs(witnesses);
        List<MeshLife> messengers = awake(witnesses);
        for (MeshLife life : lives) {
            boolean isOfThem = life.hasStarted()
                    && life.mesh.generation() == witnesses.get(0).mesh.generation();
            if (life.isWitness() && isOfThem && !hasStarted(life.root().observerProcess(), life.mesh.generation())) {
                return false; // the first to see it has not started, and tells those only with whom it has a link to
                // lose
            }
            if (isOfThem && life.lostNs >= 0 && isAsleep(life, life.lostNs, lastOverNs)) {
                return false;
            }
            boolean isFirstHand =
                    life.lostNs >= 0 && life.mesh.health.firstCause().reporterProcess() < 0;
            if (isOfThem && isFirstHand && life.lostNs - firstLossNs > config.abortTimeoutNs() / 4) {
                return false; // it started, or saw something of its own, when others had settled already
            }
            boolean isLate = isOfThem && life.isWitness() && !messengers.contains(life);
            if (isLate && life.root().observerProcess() == life.process()) {
                return false; // it woke when the others were gone, and saw something with its own eyes
            }
        }
        boolean hasMessengerDied = lives.stream()
                .anyMatch(life -> life.isKilled
                        && life.lostNs >= 0
                        && life.mesh.generation() == witnesses.get(0).mesh.generation());
        for (MeshLife a : witnesses) {
            for (MeshLife b : witnesses) {
                boolean isNear = isWhole(a, b) && (messengers.contains(a) || messengers.contains(b));
                boolean isJoined = isNear
                        || !hasMessengerDied && messengers.stream().anyMatch(c -> isWhole(a, c) && isWhole(c, b));
                if (a != b && !isJoined) {
                    return false;
                }
            }
        }
        return true;
    }

    /**
     * Whether somebody does not know the root whom the two rounds should have told it: in the first whoever saw it says so to all, in the second
     * all who know it by then; so it comes from somebody who knew it when settling, or by a third one from who saw it.
     *
     * <p>None of these counts that was asleep meanwhile, nor that had been found silent by whoever should have heard it. Nobody waits for such a
     * one: it has had the silence time-out to say something, and however much longer one waited, it could wake right after that.
     */
    boolean couldLearnRoot(List<MeshLife> witnesses) {
        Cause root = Cause.rootOf(witnesses.stream()
                .flatMap(life -> Stream.of(life.mesh.health.earliestCause(), life.root()))
                .toList());
        List<MeshLife> tellers = awake(witnesses);
        return witnesses.stream()
                .filter(life -> !life.root().sameEvent(root))
                .anyMatch(life -> tellers.stream().anyMatch(teller -> tellsRoot(teller, life, root, tellers)));
    }

    private boolean tellsRoot(MeshLife teller, MeshLife life, Cause root, List<MeshLife> between) {
        if (root.sameEvent(teller.mesh.settledRoot()) && isHeard(teller, life)) {
            return true;
        }
        return root.sameEvent(teller.mesh.health.firstCause())
                && between.stream().anyMatch(c -> isHeard(teller, c) && isHeard(c, life));
    }

    private static long firstLossNs(List<MeshLife> witnesses) {
        return witnesses.stream().mapToLong(life -> life.lostNs).min().orElseThrow();
    }

    private static long lastOverNs(List<MeshLife> witnesses) {
        return witnesses.stream().mapToLong(life -> life.overNs).max().orElseThrow();
    }

    private List<MeshLife> awake(List<MeshLife> witnesses) {
        long firstLossNs = firstLossNs(witnesses);
        long lastOverNs = lastOverNs(witnesses);
        return witnesses.stream()
                .filter(life -> !isAsleep(life, firstLossNs, lastOverNs))
                .toList();
    }

    private boolean isHeard(MeshLife from, MeshLife by) {
        return from != by && isWhole(from, by) && !linkBetween(by, from).hasFoundSilent();
    }

    private boolean isAsleep(MeshLife life, long fromNs, long toNs) {
        return pausedNs(life, fromNs, toNs) > config.abortTimeoutNs() / 8;
    }

    private boolean isWhole(MeshLife a, MeshLife b) {
        SimulatedMesh.Link there = linkBetween(a, b);
        SimulatedMesh.Link back = linkBetween(b, a);
        return there != null
                && back != null
                && there.session.sent() != Session.Stage.CONFIRMED
                && back.session.sent() != Session.Stage.CONFIRMED
                && faults.stream()
                        .noneMatch(fault -> fault.harms(a.process(), b.process()) && fault.atNs() >= there.openedNs);
    }

    private static SimulatedMesh.Link linkBetween(MeshLife from, MeshLife to) {
        return from.mesh.startedLinks.stream()
                .filter(link -> link.peer() == to.process())
                .findFirst()
                .orElse(null);
    }
}
