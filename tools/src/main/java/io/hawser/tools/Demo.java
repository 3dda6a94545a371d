package io.hawser.tools;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Runs the demonstration: starts its processes, causes the faults that were asked for, starts anew what they have ended,
 * and collects the ranks. What the processes tell is dealt with one event after the other.
 *
 * <p><em>Threading:</em> the main thread. Threads that read from the processes put events into a queue.
 */
final class Demo implements AutoCloseable {
    /** Nothing that processes do in silence takes so long, not even to form a cluster in vain. */
    private static final long STALL_TIMEOUT_S = 90;

    /** Ctrl-C ends all processes at once; within this time the end of this one has begun too, or it was not Ctrl-C. */
    private static final long INTERRUPT_GRACE_MS = 500;

    private final DemoOptions options;
    private final Random random;
    private final Transcript out;
    private final boolean isVerbose;
    private final BlockingQueue<Notice> notices = new LinkedBlockingQueue<>();
    private final List<Member> members = new ArrayList<>();
    private final List<FaultReport> reports = new ArrayList<>();
    private final double[][] ranks;

    private final ChildProcesses children;

    /** Of each process; set once, by run. */
    private List<Integer> ports;

    /** Faults that have not struck yet, and are not about to. */
    private final Deque<Fault> plan;

    /** While the cluster forms: at which steps which process is to be killed. */
    private final Map<Integer, Deque<Fault>> kills = new HashMap<>();

    /** Those that are to end, and to be started anew. */
    private final Set<Integer> condemned = new HashSet<>();

    /** Whether some process was killed since the cluster began to form. */
    private boolean wasKilled;

    /** Where processes are listed that may come back elsewhere; null if they do not. */
    private Path directory;

    /** That all have formed; 0 before the first. */
    private long generation;

    /** What is about to happen to that generation; null while the cluster forms, and if nothing will. */
    private Strike strike;

    /** An event, and who told it. */
    private record Notice(ChildProcess child, Event event) {}

    /**
     * Prepares to run.
     *
     * @param options   what is asked for.
     * @param random    where to look for free ports.
     * @param out       tells what happens.
     * @param isVerbose whether to tell what the processes log.
     */
    Demo(final DemoOptions options, final Random random, final Transcript out, final boolean isVerbose) {
        this.options = options;
        this.random = random;
        this.out = out;
        this.isVerbose = isVerbose;
        ranks = new double[options.peers()][];
        plan = new ArrayDeque<>(options.faults());
        children = new ChildProcesses(this::onEvent, this::onOutput, this::onInterrupted);
    }

    /**
     * Starts all processes, and runs until the ranks are there.
     *
     * @return all ranks, by worker and slot.
     * @throws IOException          if a process cannot be started or signalled.
     * @throws InterruptedException if the thread is interrupted.
     * @throws DemoFailure          if it cannot go on.
     */
    double[][] run() throws IOException, InterruptedException {
        ports = new ArrayList<>(Ports.free(options.processes(), random));
        if (options.isElsewhere()) {
            directory = Files.createTempDirectory("hawser-demo").resolve("processes");
            list();
        }
        planForming();
        for (int index = 0; index < options.processes(); index++) {
            members.add(new Member(index));
            start(members.get(index));
        }
        out.event(Numbers.count(options.processes(), "process", "processes") + " started, on ports " + ports + " of "
                + Ports.HOST);
        while (!members.stream().allMatch(Member::isDone)) {
            handle(nextNotice());
        }
        return ranks;
    }

    /**
     * Waits until all processes have ended by themselves, which they do once the ranks are there.
     *
     * @throws IOException          if a process cannot be started or signalled.
     * @throws InterruptedException if the thread is interrupted.
     * @throws DemoFailure          if one of them ends with an exit status that tells of a failure.
     */
    void awaitEnd() throws IOException, InterruptedException {
        while (!members.stream().allMatch(Member::hasEnded)) {
            handle(nextNotice());
        }
    }

    /** Ends all processes that have not ended. */
    @Override
    public void close() {
        children.close();
        if (directory != null) {
            delete(directory);
            delete(directory.getParent());
        }
    }

    private void delete(final Path path) {
        try {
            Files.deleteIfExists(path);
        } catch (final IOException e) {
            out.event("cannot delete " + path + ": " + e.getMessage());
        }
    }

    /** Writes where the processes are now; nobody reads half of it. */
    private void list() throws IOException {
        final Path fresh = directory.resolveSibling("fresh");
        Files.write(fresh, ports.stream().map(port -> Ports.HOST + ":" + port).toList());
        Files.move(fresh, directory, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** The processes, by index. */
    List<Member> members() {
        return members;
    }

    /** The number of the last generation. */
    long generations() {
        return generation;
    }

    /** What became of each fault, in their order. */
    List<FaultReport> reports() {
        return reports;
    }

    private void onEvent(final ChildProcess child, final Event event) {
        notices.add(new Notice(child, event));
    }

    private void onOutput(final int index, final String line) {
        if (isVerbose) {
            out.plain("p" + index + "| " + line);
        }
    }

    private void onInterrupted() {
        out.plain("interrupted; all processes have ended");
    }

    private void start(final Member member) throws IOException {
        final List<String> arguments = new ArrayList<>(List.of(
                "demo-process",
                "--process=" + member.index(),
                "--generation=" + (generation + 1),
                "--ports="
                        + String.join(",", ports.stream().map(String::valueOf).toList())));
        if (directory != null) {
            arguments.add("--directory=" + directory);
        }
        arguments.addAll(options.toArguments());
        member.startedAs(children.start(member.index(), arguments));
    }

    private Notice nextNotice() throws InterruptedException {
        final Notice notice = notices.poll(STALL_TIMEOUT_S, TimeUnit.SECONDS);
        if (notice == null) {
            throw failure(ExitStatus.WRONG, "nothing happened for " + STALL_TIMEOUT_S + " s", members);
        }
        return notice;
    }

    private void handle(final Notice notice) throws IOException, InterruptedException {
        final Member member = members.get(notice.child().index());
        final Event event = notice.event();
        switch (event.type()) {
            case Event.LOADED -> onLoaded(member, event);
            case Event.FORMED -> onFormed(member, event);
            case Event.ITERATION -> onIteration(event);
            case Event.FAULT_POINT -> onFaultPoint(member, event);
            case Event.LOST -> onLost(member, event);
            case Event.RANKS -> ranks[(int) event.number("worker")] = Doubles.fromText(event.text("values"));
            case Event.DONE -> member.done(event);
            case Event.FORMATION_FAILED -> throw failure(ExitStatus.NOT_FORMED, event.text("report"), List.of(member));
            case Event.FAILED ->
                throw failure(ExitStatus.WRONG, member + " failed: " + event.text("what"), List.of(member));
            case ChildProcess.EXITED -> onExited(member, event);
            default -> throw new IllegalStateException("unknown event: type=" + event.type());
        }
    }

    private void onLoaded(final Member member, final Event event) {
        member.loaded(event);
        out.event("process " + member.index() + " loaded "
                + Numbers.count(member.classes(), "class", "classes") + " in "
                + Numbers.fixed(member.loadSeconds(), 2) + " s");
        form(member);
    }

    private void onFormed(final Member member, final Event event) {
        member.formed(event.number("generation"));
        if (isFormed()) {
            generation = event.number("generation");
            tellFormed();
            final Fault fault = plan.poll();
            strike = fault == null ? null : new Strike(fault, generation, options.processes());
            members.forEach(each -> each.child().tell(Orders.go(generation, fault)));
        }
    }

    // ---- forming

    /** The faults up to the next one in an iteration strike while the cluster forms. */
    private void planForming() {
        strike = null;
        wasKilled = false;
        while (!plan.isEmpty() && plan.peek().isWhileForming()) {
            final Fault fault = plan.poll();
            kills.computeIfAbsent(fault.target(), target -> new ArrayDeque<>()).add(fault);
        }
    }

    private void form(final Member member) {
        final Fault kill =
                kills.getOrDefault(member.index(), new ArrayDeque<>()).peek();
        member.child().tell(Orders.form(kill == null ? null : kill.step()));
    }

    private void killWhileForming(final Member member, final Event event) {
        final Fault kill = kills.get(member.index()).remove();
        wasKilled = true;
        condemned.add(member.index());
        member.child().kill();
        reports.add(new FaultReport(kill, event.number("generation"), List.of()));
        out.event(kill.moment() + " of generation " + event.number("generation") + ": "
                + kill.kind().deed() + " " + member);
    }

    private boolean isFormed() {
        final long first = members.get(0).formedGeneration();
        return first != 0 && members.stream().allMatch(member -> member.formedGeneration() == first);
    }

    private void tellFormed() {
        out.event("generation " + generation + " formed: " + Numbers.count(options.processes(), "process", "processes")
                + ", " + Numbers.count(options.peers(), "worker", "workers"));
        for (final Member each : members) {
            if (each.loadedInGeneration() < generation) {
                out.detail("process " + each.index() + " kept " + Numbers.count(each.classes(), "class", "classes")
                        + ", loaded in generation " + each.loadedInGeneration());
            }
        }
    }

    private void onIteration(final Event event) {
        out.status("generation " + event.number("generation") + ", iteration " + event.number("iteration") + " of "
                + options.iterations());
    }

    private void onFaultPoint(final Member member, final Event event) throws IOException, InterruptedException {
        if (!event.text("step").equals("-")) {
            killWhileForming(member, event);
            return;
        }
        if (strike == null || !strike.isOn(member.index())) {
            throw failure(ExitStatus.WRONG, member + " waits for a fault that nobody asked for", List.of());
        }
        strike();
    }

    /** Sends the signal: the victim waits for it. */
    private void strike() throws IOException, InterruptedException {
        final Fault fault = strike.fault();
        final Member victim = members.get(fault.target());
        condemned.add(victim.index());
        strike.strikeAt(Micros.now());
        if (fault.kind() == Fault.Kind.KILL) {
            victim.child().kill();
        } else {
            victim.child().freeze();
        }
        out.event(fault.moment() + ": " + fault.kind().deed() + " " + victim);
        endIfComplete();
    }

    private void onLost(final Member member, final Event event) throws IOException, InterruptedException {
        member.lost();
        if (strike == null && wasKilled) { // it had started what the killed one never came to
            out.event("process " + member.index() + " had started generation " + event.number("generation")
                    + ", which is lost with the process that was killed: " + event.text("cause"));
            form(member);
            return;
        }
        if (strike == null || event.number("generation") != generation) {
            throw failure(ExitStatus.WRONG, unexpectedLoss(member, event), members);
        }
        strike.lost(member.index(), event);
        if (strike.isComplete() && !strike.hasStruck()) {
            throw failure(ExitStatus.WRONG, unexpectedLoss(member, event), members);
        }
        endIfComplete();
    }

    private static String unexpectedLoss(final Member member, final Event event) {
        return member + " lost generation " + event.number("generation") + ", but not by a fault that was asked for: "
                + event.text("cause");
    }

    /** Goes on once all survivors have told of the fault. */
    private void endIfComplete() throws IOException {
        if (!strike.isComplete()) {
            return;
        }
        final FaultReport report = strike.report();
        reports.add(report);
        tell(report);
        final Member victim = strike.isOnProcess() ? members.get(report.fault().target()) : null;
        planForming();
        members.stream().filter(member -> member != victim).forEach(this::form);
        if (victim != null) {
            victim.child().kill();
            if (victim.hasEnded()) {
                relaunch(victim);
            }
        }
    }

    private void tell(final FaultReport report) {
        final Fault fault = report.fault();
        if (!strike.isOnProcess()) {
            out.event(fault.moment() + ": " + fault.kind().deed() + " worker " + fault.target());
        }
        for (final FaultReport.Survivor survivor : report.survivors()) {
            out.event("process " + survivor.process() + " has control back after "
                    + Numbers.fixed(survivor.millisToReturn(), 1) + " ms: " + survivor.cause());
        }
        if (!report.isSameCause()) {
            out.event("the survivors do not agree on the cause");
        }
    }

    private void onExited(final Member member, final Event event) throws IOException, InterruptedException {
        member.ended();
        if (condemned.contains(member.index())) {
            if (strike == null) { // otherwise once the survivors have told of it
                relaunch(member);
            }
        } else if (!member.isDone() || event.number("status") != ExitStatus.RIGHT) {
            throw failure(
                    ExitStatus.WRONG,
                    member + " ended with exit status " + event.number("status") + ", which nobody asked for",
                    List.of(member));
        }
    }

    private void relaunch(final Member victim) throws IOException {
        final String before = victim.toString();
        condemned.remove(victim.index());
        if (directory != null) {
            ports.set(victim.index(), Ports.free(1, random).get(0));
            list();
        }
        start(victim);
        out.event(before + " is gone; it is started anew with pid "
                + victim.child().pid() + (directory == null ? "" : " at port " + ports.get(victim.index())));
    }

    /** Makes an exception that shows the last output of some processes. If all are being ended anyway, this waits for that end. */
    private DemoFailure failure(final int exitStatus, final String what, final List<Member> suspects)
            throws InterruptedException {
        if (children.awaitEnding(INTERRUPT_GRACE_MS)) {
            Thread.currentThread().join(); // the shutdown hook ends this JVM, and has the last word about its status
        }
        final StringBuilder message = new StringBuilder(what);
        for (final Member suspect : suspects) {
            suspect.child()
                    .tail()
                    .forEach(line -> message.append("\n  p")
                            .append(suspect.index())
                            .append("| ")
                            .append(line));
        }
        return new DemoFailure(exitStatus, message.toString());
    }
}
