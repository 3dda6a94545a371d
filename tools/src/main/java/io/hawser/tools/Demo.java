package io.hawser.tools;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
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

    private long generation = 1;
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
        ports = Ports.free(options.processes(), random);
        nextStrike();
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
    }

    /** The processes, by index. */
    List<Member> members() {
        return members;
    }

    /** How many clusters were formed one after the other. */
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
                "--generation=" + generation,
                "--ports="
                        + String.join(",", ports.stream().map(String::valueOf).toList())));
        arguments.addAll(options.toArguments());
        member.startedAs(children.start(member.index(), arguments), generation);
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
            case Event.FAULT_POINT -> onFaultPoint(member);
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
    }

    private void onFormed(final Member member, final Event event) throws IOException, InterruptedException {
        member.formed(event.number("generation"));
        if (strike != null && event.number("generation") > generation) {
            strike.passedBy(member.index());
            endIfComplete();
        }
        if (isFormed()) {
            tellFormed();
            strikeIfReady();
        }
    }

    private boolean isFormed() {
        return members.stream().allMatch(member -> member.isFormedIn(generation));
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

    private void onFaultPoint(final Member member) throws IOException, InterruptedException {
        if (strike == null || !strike.isOn(member.index())) {
            throw failure(ExitStatus.WRONG, member + " waits for a fault that nobody asked for", List.of());
        }
        strike.victimIsReady();
        strikeIfReady();
    }

    /** Sends the signal once the victim waits for it, and all others have formed the cluster that they are to lose. */
    private void strikeIfReady() throws IOException, InterruptedException {
        if (strike == null || !strike.isVictimReady() || !isFormed()) {
            return;
        }
        final Fault fault = strike.fault();
        final Member victim = members.get(fault.target());
        strike.strikeAt(Micros.now());
        if (fault.kind() == Fault.Kind.KILL) {
            victim.child().kill();
        } else {
            victim.child().freeze();
        }
        out.event("iteration " + fault.iteration() + ": " + fault.kind().deed() + " " + victim);
        endIfComplete();
    }

    private void onLost(final Member member, final Event event) throws IOException, InterruptedException {
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
        if (strike.isOnProcess()) {
            endVictim(members.get(report.fault().target()));
        } else {
            nextGeneration();
        }
    }

    private void tell(final FaultReport report) {
        final Fault fault = report.fault();
        if (!strike.isOnProcess()) {
            out.event("iteration " + fault.iteration() + ": " + fault.kind().deed() + " worker " + fault.target());
        }
        for (final FaultReport.Survivor survivor : report.survivors()) {
            out.event("process " + survivor.process() + " has control back after "
                    + Numbers.fixed(survivor.millisToReturn(), 1) + " ms: " + survivor.cause());
        }
        if (!report.isSameCause()) {
            out.event("the survivors do not agree on the cause");
        }
    }

    private void endVictim(final Member victim) throws IOException {
        if (victim.hasEnded()) {
            relaunch(victim);
        } else {
            victim.child().kill();
        }
    }

    private void onExited(final Member member, final Event event) throws IOException, InterruptedException {
        member.ended();
        if (strike != null && strike.isOn(member.index()) && strike.hasStruck()) {
            if (strike.isComplete()) {
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
        nextGeneration();
        final String before = victim.toString();
        start(victim);
        out.event(before + " is gone; it is started anew with pid "
                + victim.child().pid());
    }

    private void nextGeneration() {
        generation++;
        nextStrike();
    }

    private void nextStrike() {
        final Fault fault = options.faultIn(generation);
        strike = fault == null ? null : new Strike(fault, generation, options.processes());
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
