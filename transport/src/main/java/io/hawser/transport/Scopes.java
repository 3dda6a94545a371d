package io.hawser.transport;

import io.hawser.fate.Cause;
import io.hawser.fate.CauseBuilder;
import io.hawser.fate.CauseKind;
import io.hawser.fate.Clock;
import io.hawser.fate.Escalation;
import io.hawser.fate.Health;
import io.hawser.fate.ScopeOutcome;
import io.hawser.framing.CancelAnswer;
import io.hawser.framing.PayloadFlyweight;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * All scopes below the cluster that this process knows, and the one place where what somebody says about one becomes what this process says. PROTOCOL.md, "Scopes", is its
 * specification.
 *
 * <p><em>Threading:</em> any thread. One monitor guards all of it; what follows outside, waking threads and telling listeners, is gathered in {@link Effects} and done without it.
 */
final class Scopes {

    /** What scopes need of the rest of the mesh. */
    interface Host {
        Clock clock();

        Health health();

        CauseBuilder causeHere(CauseKind kind);

        /** Those with whom this process has a link. */
        List<? extends Peer> scopePeers();

        /** A scope was stopped, or has its outcome; outside of any monitor. */
        void onScopeChanged(Scope scope);

        void onThreadFailed(String role, Throwable error);

        /** Whether a scope that is not open is known all the same, by an offer; that is given up then. Outside of any monitor. */
        boolean onCancelUnopened(long scopeId, ScopeOutcome.Cancelled how);
    }

    /** One link as scopes see it. */
    interface Peer {
        int peer();

        ScopeFrames scopeFrames();

        /** Nothing of a scope is under way any more, in either direction; whether this process has said that it is stopped. */
        void forgetScope(long scopeId, boolean isStopped);

        void wakeSender();

        /** Whether the peer itself has said, or will say, whatever it knows. */
        boolean speaksForItself();
    }

    /**
     * How much is kept.
     *
     * @param open       how many scopes without an outcome a process knows at most, and how many words of a peer it lets wait for its own. Part of the protocol
     * @param remembered how many outcomes, and cancels of scopes that nobody knew, are remembered
     * @param unanswered how many CANCELs to one peer may be unanswered. Part of the protocol
     */
    record Limits(int open, int remembered, int unanswered) {
        static final Limits OF_PROTOCOL = new Limits(65_536, 16_384, 65_536);
    }

    private static final int TEXT_LIMIT = PayloadFlyweight.TEXT_LIMIT;

    private final Host host;
    private final int self;
    private final int processCount;
    private final int workersPerProcess;
    private final long relayNs;
    private final Limits limits;
    private final StoppedScopes stopped = new StoppedScopes();

    // guarded by this
    private final Map<Long, Scope> known = new LinkedHashMap<>();
    private final Map<Long, Scope> recent;
    private final Map<Long, ScopeOutcome.Cancelled> cancelledUnknown;
    private final List<Scope> leaving = new ArrayList<>();
    private final BitSet hungUp = new BitSet();

    /** Workers of this process. */
    private final BitSet endedWorkers = new BitSet();

    private final int[] unansweredWords;
    private final List<Deque<Asked>> asked = new ArrayList<>();
    private boolean isHungUp;
    private boolean isSettled;

    /** Remembers the latest. */
    private static final class Bounded<V> extends LinkedHashMap<Long, V> {
        private static final long serialVersionUID = 1L;

        private final int limit;

        Bounded(final int limit) {
            this.limit = limit;
        }

        @Override
        protected boolean removeEldestEntry(final Map.Entry<Long, V> eldest) {
            return size() > limit;
        }
    }

    /** A cancel that other processes have been asked for. */
    private static final class Asked {
        private final long scopeId;
        private final CompletableFuture<CancelAnswer> future = new CompletableFuture<>();
        private CancelAnswer best = CancelAnswer.UNKNOWN;
        private int missingCount;

        Asked(final long scopeId) {
            this.scopeId = scopeId;
        }

        void answer(final CancelAnswer answer) {
            if (answer.number() < best.number()) {
                best = answer;
            }
            missingCount--;
        }
    }

    /** What is to be done once the monitor has been left. */
    private final class Effects {
        private boolean isToWake;
        private final List<Scope> changed = new ArrayList<>();
        private final List<Scope> decided = new ArrayList<>();
        private final List<Scope> forgotten = new ArrayList<>();
        private final List<Asked> answered = new ArrayList<>();
        private Scope failed;
        private Cause failure;

        void apply() {
            if (failed != null) {
                failed.health().lose(failure);
            }
            final List<? extends Peer> peers = host.scopePeers();
            for (final Scope scope : forgotten) {
                peers.forEach(peer -> peer.forgetScope(scope.id(), scope.isOwnStop()));
            }
            if (isToWake) {
                peers.forEach(Peer::wakeSender);
            }
            for (final Scope scope : decided) {
                if (!scope.outcome().orElseThrow().isFailed()) {
                    scope.health().end();
                }
            }
            changed.forEach(host::onScopeChanged);
            decided.forEach(Scope::announce);
            answered.forEach(ask -> ask.future.completeAsync(() -> ask.best));
        }
    }

    /**
     * No scope is known.
     *
     * @param host              the rest of the mesh
     * @param self              index of this process
     * @param processCount      of the cluster
     * @param workersPerProcess of the cluster
     * @param silenceTimeoutNs  within which whatever was said has arrived, or its link is lost
     */
    Scopes(
            final Host host,
            final int self,
            final int processCount,
            final int workersPerProcess,
            final long silenceTimeoutNs) {
        this(host, self, processCount, workersPerProcess, silenceTimeoutNs, Limits.OF_PROTOCOL);
    }

    Scopes(
            final Host host,
            final int self,
            final int processCount,
            final int workersPerProcess,
            final long silenceTimeoutNs,
            final Limits limits) {
        this.limits = limits;
        this.recent = new Bounded<>(limits.remembered());
        this.cancelledUnknown = new Bounded<>(limits.remembered());
        this.host = host;
        this.self = self;
        this.processCount = processCount;
        this.workersPerProcess = workersPerProcess;
        this.relayNs = 2 * silenceTimeoutNs;
        this.unansweredWords = new int[processCount];
        for (int i = 0; i < processCount; i++) {
            asked.add(new ArrayDeque<>());
        }
    }

    StoppedScopes stopped() {
        return stopped;
    }

    Health rootHealth() {
        return host.health();
    }

    private void change(final Consumer<Effects> change) {
        final Effects effects = new Effects();
        try {
            synchronized (this) {
                change.accept(effects);
            }
        } finally {
            effects.apply(); // also of a change that came to nothing: what it has tidied up
        }
    }

    // ---- opening

    /** A worker of this process opens a scope. */
    Scope open(final long id, final ScopeMembers members, final Escalation escalation, final int worker) {
        host.health().check();
        final Scope[] opened = new Scope[1];
        change(effects -> {
            reapLeaving(effects);
            opened[0] = open(id, members, escalation, worker, effects);
        });
        return opened[0];
    }

    private Scope open(
            final long id,
            final ScopeMembers members,
            final Escalation escalation,
            final int worker,
            final Effects effects) {
        final Scope present = find(id);
        if (present == null && known.size() >= limits.open()) {
            throw new IllegalStateException(
                    "no more dataflows at a time, wait until some are over: openDataflows=" + known.size());
        }
        final Scope scope = present != null ? present : add(id, members, effects);
        if (!scope.members().equals(members)) {
            throw new IllegalStateException("all members have to name the same members: dataflowId=" + id + " here="
                    + members + " elsewhere=" + scope.members());
        }
        if (!scope.isOpened) {
            scope.isOpened = true;
            setEscalation(scope, escalation);
        } else if (scope.escalation != escalation) {
            throw new IllegalStateException("all workers have to open a dataflow with the same escalation: dataflowId="
                    + id + " here=" + escalation + " elsewhere=" + scope.escalation);
        }
        scope.openWorkers.set(worker);
        cancelIfAsked(scope, effects);
        decide(scope, effects); // if all have hung up before
        return scope;
    }

    private void setEscalation(final Scope scope, final Escalation escalation) {
        scope.escalation = escalation;
        if (escalation == Escalation.TO_PARENT && !scope.isStopped() && !scope.isDecided()) {
            scope.health().end(); // nobody has it yet
            scope.replaceHealth(newHealth(scope.id(), escalation));
            watch(scope);
        }
    }

    private Scope add(final long id, final ScopeMembers members, final Effects effects) {
        final Scope scope = new Scope(
                this,
                id,
                members,
                new ScopeLedger(members, processCount, workersPerProcess),
                newHealth(id, Escalation.CONTAINED));
        watch(scope);
        known.put(id, scope);
        for (int process = hungUp.nextSetBit(0); process >= 0; process = hungUp.nextSetBit(process + 1)) {
            scope.ledger.say(ScopeWord.completed(process));
        }
        if (isHungUp && scope.ledger.say(ScopeWord.completed(self))) {
            tell(scope, ScopeWord.completed(self), effects); // the hang-up says so, too, but may not go out any more
        }
        return scope;
    }

    private Health newHealth(final long id, final Escalation escalation) {
        return host.health().child("dataflow-" + id, escalation);
    }

    private void watch(final Scope scope) {
        final Health health = scope.health();
        health.addWakeup(() -> {
            try {
                onHealthLost(scope, health);
            } catch (final Throwable noMemory) { // the word would never be said: then all have to go
                host.onThreadFailed("that lost " + health.name(), noMemory);
            }
        });
    }

    /** Somebody has lost its health directly, or the cluster's is lost. */
    private void onHealthLost(final Scope scope, final Health health) {
        if (host.health().isLost() || scope.health() != health) {
            return;
        }
        final Cause cause = sayable(health.firstCause());
        change(effects -> say(scope, ScopeWord.failed(self, cause), effects));
    }

    // ---- what this process says

    /** What users give need not be a cause of this cluster; what peers are told has to be. */
    private Cause sayable(final Cause cause) {
        return cause.subjectProcess() < processCount && cause.observerProcess() < processCount
                ? cause
                : host.causeHere(cause.kind())
                        .seen(cause.describe())
                        .throwable(cause.throwable())
                        .build();
    }

    boolean fail(final Scope scope, final Cause given) {
        final Cause cause = sayable(given);
        final boolean[] isSaid = new boolean[1];
        change(effects -> isSaid[0] = say(scope, ScopeWord.failed(self, cause), effects));
        if (isSaid[0] || scope.health().isLost()) {
            scope.health().lose(cause); // in the second case it is kept as a secondary one
        }
        if (isSaid[0]) {
            report(scope, cause);
        }
        return isSaid[0];
    }

    /** The same of one that may be over by now: false then. */
    boolean fail(final long id, final Cause cause) {
        final Scope scope;
        synchronized (this) {
            scope = known.get(id);
        }
        return scope != null && !scope.isStopped() && fail(scope, cause);
    }

    /** The stack trace is to be found where it was thrown. */
    private static void report(final Scope scope, final Cause cause) {
        try {
            Logs.HEALTH.warn("{}", scope.health(), cause.throwable());
        } catch (final Throwable hostile) {
            Logs.HEALTH.warn("dataflow {} fails, and what was thrown refuses to be printed", scope.id());
        }
    }

    void finish(final Scope scope, final int worker, final SendRing[] rings, final boolean isComplete) {
        change(effects -> {
            scope.finishedWorkers.set(worker);
            scope.marks.add(rings);
            if (isComplete) {
                sayCompletedIfAllAre(scope, effects);
            }
            release(scope, effects);
            reapLeaving(effects);
        });
    }

    private boolean areAllFinished(final Scope scope) {
        for (int worker = self * workersPerProcess; worker < (self + 1) * workersPerProcess; worker++) {
            final boolean isDone = scope.finishedWorkers.get(worker) || endedWorkers.get(worker);
            if (scope.members().contains(worker) && !isDone) {
                return false;
            }
        }
        return true;
    }

    /** A worker of this process has ended, cleanly: it takes part in nothing any more, whether it has opened it or not. */
    void onWorkerEnded(final int worker) {
        change(effects -> {
            endedWorkers.set(worker);
            for (final Scope scope : new ArrayList<>(known.values())) {
                sayCompletedIfAllAre(scope, effects);
            }
        });
    }

    private void sayCompletedIfAllAre(final Scope scope, final Effects effects) {
        if (scope.ledger.isMember(self) && areAllFinished(scope)) {
            say(scope, ScopeWord.completed(self), effects);
        }
    }

    /** Says the word of this process, unless it has said one, the cluster is lost, or it has hung up. */
    private boolean say(final Scope scope, final ScopeWord word, final Effects effects) {
        if (host.health().isLost() || scope.isDecided() || !scope.ledger.say(word)) {
            return false;
        }
        if (word.isStop()) {
            scope.stop(word);
            stopped.add(scope.id());
            effects.changed.add(scope);
        }
        for (int process = scope.waitingForUs.nextSetBit(0);
                process >= 0;
                process = scope.waitingForUs.nextSetBit(process + 1)) {
            unansweredWords[process]--;
        }
        scope.waitingForUs.clear();
        tell(scope, word, effects);
        decide(scope, effects);
        return true;
    }

    private void tell(final Scope scope, final ScopeWord word, final Effects effects) {
        for (final Peer peer : host.scopePeers()) {
            if (scope.ledger.isMember(peer.peer())) {
                peer.scopeFrames()
                        .say(
                                scope.id(),
                                word,
                                scope.members(),
                                word.isStop() ? null : scope.marks.passedTo(peer.peer()));
            }
        }
        effects.isToWake = true;
    }

    /** All workers of this process have ended: whatever it has not spoken of is completed, and it says nothing more. */
    void hangUp() {
        change(effects -> {
            for (final Scope scope : new ArrayList<>(known.values())) {
                say(scope, ScopeWord.completed(self), effects);
            }
            isHungUp = true;
        });
    }

    // ---- what others say

    /**
     * A word has come.
     *
     * @param from    the process that told it
     * @param scopeId the scope
     * @param members of the scope, as told
     * @param word    the word, of that process or, if the cluster is lost, of another
     * @return null, or what is wrong with it
     */
    String onFate(final int from, final long scopeId, final ScopeMembers members, final ScopeWord word) {
        if (members.isBeyond(processCount * workersPerProcess)
                || members.countIn(word.process(), workersPerProcess) == 0) {
            return "FATE of scope=" + scopeId + " for process=" + word.process() + ": " + members
                    + ": no such workers, or none of that process";
        }
        final String[] fault = new String[1];
        final Scope[] heard = new Scope[1];
        change(effects -> {
            final Scope present = find(scopeId);
            if (present == null && members.countIn(self, workersPerProcess) == 0) {
                fault[0] = "FATE of scope=" + scopeId + ": this process is no member: " + members;
                return;
            }
            final Scope scope = present == null ? hearOf(scopeId, members, effects) : present;
            if (!scope.members().equals(members)) {
                disagree(scope, from, members, effects);
            }
            if (!scope.isDecided()) { // else it came another way before
                heard[0] = scope;
                fault[0] = hear(scope, from, word, effects);
            }
        });
        final Cause cause = word.cause();
        if (cause != null && heard[0] != null) {
            heard[0].health().consider(cause);
        }
        return fault[0];
    }

    private Scope find(final long id) {
        final Scope over = recent.get(id);
        return over != null ? over : known.get(id);
    }

    /** Another process has spoken of it first. */
    private Scope hearOf(final long id, final ScopeMembers members, final Effects effects) {
        final Scope scope = add(id, members, effects);
        cancelIfAsked(scope, effects);
        return scope;
    }

    private void cancelIfAsked(final Scope scope, final Effects effects) {
        final ScopeOutcome.Cancelled early = cancelledUnknown.remove(scope.id());
        if (early != null) {
            say(scope, ScopeWord.cancelled(self, early), effects);
        }
    }

    /** It fails, and those hear that, too, who are no members as we know them but take themselves for some: they wait for our word. */
    private void disagree(final Scope scope, final int from, final ScopeMembers members, final Effects effects) {
        if (!scope.isDecided()) {
            effects.failed = scope;
            effects.failure = disagreement(from, scope, members);
            say(scope, ScopeWord.failed(self, effects.failure), effects);
        }
        final ScopeWord own = scope.ledger.wordOf(self);
        for (final Peer peer : host.scopePeers()) {
            final boolean isWaiting = peer.peer() == from || members.countIn(peer.peer(), workersPerProcess) > 0;
            if (own != null && isWaiting && !scope.ledger.isMember(peer.peer())) {
                peer.scopeFrames().say(scope.id(), own, scope.members(), null);
                effects.isToWake = true;
            }
        }
    }

    private String hear(final Scope scope, final int from, final ScopeWord word, final Effects effects) {
        if (!scope.ledger.say(word)) {
            return null; // told twice, once by another
        }
        if (word.isStop()) {
            say(scope, word.echoedBy(self), effects);
        }
        sayCompletedIfAllAre(scope, effects);
        final boolean isSpokenOf = !scope.ledger.isMember(self) || scope.ledger.wordOf(self) != null;
        if (!isSpokenOf && from == word.process()) {
            scope.waitingForUs.set(from);
            unansweredWords[from]++;
        }
        if (unansweredWords[from] > limits.open()) {
            return "FATE of scope=" + scope.id() + ": more than " + limits.open()
                    + " words of that process about scopes that this one has not spoken of";
        }
        decide(scope, effects);
        return null;
    }

    private Cause disagreement(final int from, final Scope scope, final ScopeMembers members) {
        return host.causeHere(CauseKind.WORKER_PANICKED)
                .seen("processes do not agree who takes part in dataflow " + scope.id() + ": here " + scope.members()
                        + ", in process " + from + " " + members)
                .build();
    }

    /** A process has hung up: it says nothing more, so what it has not spoken of is completed. */
    void onHungUp(final int process) {
        change(effects -> {
            hungUp.set(process);
            for (final Scope scope : new ArrayList<>(known.values())) {
                scope.ledger.say(ScopeWord.completed(process));
                decide(scope, effects);
            }
        });
    }

    // ---- cancel

    /** Somebody in this process wants a scope to end; see {@link Mesh#cancelScope}. */
    CompletionStage<CancelAnswer> cancel(final long id, final int worker, final String reason) {
        host.health().check();
        final Asked ask = new Asked(id);
        final ScopeOutcome.Cancelled how = new ScopeOutcome.Cancelled(self, worker, cut(reason));
        final boolean isOffered = !isOpened(id) && host.onCancelUnopened(id, how);
        change(effects -> {
            ask.best = cancelHere(id, how, effects);
            if (isOffered && ask.best == CancelAnswer.UNKNOWN) {
                ask.best = CancelAnswer.CANCELLED;
            }
            final Scope scope = known.get(id);
            final boolean isForOthers = ask.best == CancelAnswer.UNKNOWN
                    || isOffered
                    || ask.best == CancelAnswer.ALREADY_DONE
                            && scope != null
                            && scope.ledger.wordOf(self) != null
                            && !scope.ledger.wordOf(self).isStop();
            if (isForOthers) {
                askOthers(ask, worker, how.reason());
            }
            effects.isToWake = true;
            if (ask.missingCount == 0) {
                effects.answered.add(ask);
            }
        });
        return ask.future.minimalCompletionStage();
    }

    private synchronized boolean isOpened(final long id) {
        final Scope scope = known.get(id);
        return recent.containsKey(id) || scope != null && scope.isOpened;
    }

    private void askOthers(final Asked ask, final int worker, final String reason) {
        final List<? extends Peer> peers = host.scopePeers();
        for (final Peer peer : peers) {
            if (asked.get(peer.peer()).size() >= limits.unanswered()) {
                throw new IllegalStateException("too many cancels that process " + peer.peer()
                        + " has not answered: unanswered=" + limits.unanswered());
            }
        }
        if (isSettled) {
            return;
        }
        for (final Peer peer : peers) {
            ask.missingCount++;
            asked.get(peer.peer()).add(ask);
            peer.scopeFrames().ask(ask.scopeId, worker, reason);
        }
    }

    /** A scope may be cancelled before this process has heard of it: then it is as soon as it is opened. */
    private CancelAnswer cancelHere(final long id, final ScopeOutcome.Cancelled how, final Effects effects) {
        if (recent.containsKey(id)) {
            return recent.get(id).outcome().orElseThrow().isCancelled()
                    ? CancelAnswer.CANCELLED
                    : CancelAnswer.ALREADY_DONE;
        }
        final Scope scope = known.get(id);
        if (scope == null) {
            cancelledUnknown.putIfAbsent(id, how);
            return CancelAnswer.UNKNOWN;
        }
        if (!scope.ledger.isMember(self)) {
            return CancelAnswer.UNKNOWN;
        }
        if (say(scope, ScopeWord.cancelled(self, how), effects)) {
            return CancelAnswer.CANCELLED;
        }
        final ScopeWord own = scope.ledger.wordOf(self);
        return own != null && own.cancel() != null ? CancelAnswer.CANCELLED : CancelAnswer.ALREADY_DONE;
    }

    /** Another process wants a scope to end. */
    void onCancel(final Peer from, final long id, final int worker, final String reason) {
        final ScopeOutcome.Cancelled how = new ScopeOutcome.Cancelled(from.peer(), worker, reason);
        final boolean isOffered = !isOpened(id) && host.onCancelUnopened(id, how);
        change(effects -> {
            final CancelAnswer answer = cancelHere(id, how, effects);
            from.scopeFrames()
                    .answer(id, isOffered && answer == CancelAnswer.UNKNOWN ? CancelAnswer.CANCELLED : answer);
            effects.isToWake = true;
        });
    }

    /**
     * The answer to a CANCEL of ours.
     *
     * @return null, or what is wrong with it
     */
    String onCancelled(final int from, final long id, final CancelAnswer answer) {
        final String[] fault = new String[1];
        change(effects -> {
            final Asked ask = asked.get(from).peek();
            if (ask == null || ask.scopeId != id) {
                fault[0] = "CANCELLED of scope=" + id + ": it was not asked for, or another one was before";
                return;
            }
            asked.get(from).poll();
            ask.answer(answer);
            if (ask.missingCount == 0) {
                effects.answered.add(ask);
            }
        });
        return fault[0];
    }

    /** As much of a reason as a frame holds, so that it is the same everywhere. */
    private static String cut(final String reason) {
        final byte[] bytes = reason.getBytes(StandardCharsets.UTF_8);
        int length = Math.min(bytes.length, TEXT_LIMIT);
        while (length > 0 && length < bytes.length && (bytes[length] & 0xC0) == 0x80) {
            length--; // not within a code point
        }
        return new String(bytes, 0, length, StandardCharsets.UTF_8);
    }

    // ---- the end

    private void decide(final Scope scope, final Effects effects) {
        final boolean isClusters = scope.ledger.isFailed() && scope.escalation == Escalation.TO_PARENT;
        if (scope.isDecided() || !scope.ledger.isComplete() || isClusters) {
            return;
        }
        decide(scope, scope.ledger.outcome(), effects);
    }

    private void decide(final Scope scope, final ScopeOutcome outcome, final Effects effects) {
        scope.decide(outcome);
        scope.decidedNs = host.clock().nanoTime();
        known.remove(scope.id());
        recent.put(scope.id(), scope);
        effects.decided.add(scope);
        effects.changed.add(scope);
        leaving.add(scope);
        release(scope, effects);
    }

    /** Once all have spoken, our workers have let go, and our rings are past it, nothing of a scope is under way: its id need not be looked for any more. */
    private void release(final Scope scope, final Effects effects) {
        final boolean isHeld = !scope.finishedWorkers.equals(scope.openWorkers) || !scope.marks.arePassed();
        if (scope.isDecided() && !isHeld && leaving.remove(scope)) {
            stopped.remove(scope.id());
            scope.marks.clear();
            effects.forgotten.add(scope);
        }
    }

    private void reapLeaving(final Effects effects) {
        for (final Scope scope : new ArrayList<>(leaving)) {
            release(scope, effects);
        }
    }

    /** Time has passed: what was left in rings may have gone. */
    void tick() {
        if (hasLeaving()) {
            change(this::reapLeaving);
        }
    }

    /** Most clusters have no dataflows, and may be lost when there is no memory. */
    private synchronized boolean isNothingToSettle() {
        isSettled = true;
        for (int process = 0; process < processCount; process++) {
            if (!asked.get(process).isEmpty()) {
                return false;
            }
        }
        return known.isEmpty();
    }

    private synchronized boolean isNothingToRelay() {
        return known.isEmpty() && recent.isEmpty();
    }

    private synchronized boolean hasLeaving() {
        return !leaving.isEmpty();
    }

    /** The cluster is lost, and every link is heard out: tells the others what those have said who cannot tell it themselves, or not to all. */
    void relay() {
        if (isNothingToRelay()) {
            return;
        }
        change(effects -> {
            final long sinceNs = host.clock().nanoTime() - relayNs;
            final List<Scope> open = new ArrayList<>(known.values());
            recent.values().stream()
                    .filter(scope -> scope.decidedNs - sinceNs >= 0)
                    .forEach(open::add);
            final BitSet cutOff = cutOff();
            for (final Peer peer : host.scopePeers()) {
                if (!peer.speaksForItself() || cutOff.get(peer.peer())) {
                    open.forEach(scope -> relay(scope, peer.peer()));
                }
            }
            effects.isToWake = true;
        });
    }

    /** Who may be cut off from somebody else though not from us: what a known cause names. */
    private BitSet cutOff() {
        final BitSet named = new BitSet();
        if (host.health().isLost()) {
            final List<Cause> causes = new ArrayList<>(host.health().secondaryCauses());
            causes.add(host.health().rootCause());
            for (final Cause cause : causes) {
                named.set(cause.subjectProcess());
                named.set(cause.observerProcess());
            }
        }
        return named;
    }

    private void relay(final Scope scope, final int process) {
        final ScopeWord word = scope.ledger.wordOf(process);
        if (word == null) {
            return;
        }
        for (final Peer peer : host.scopePeers()) {
            if (peer.peer() != process && scope.ledger.isMember(peer.peer())) {
                peer.scopeFrames().relay(scope.id(), word, scope.members());
            }
        }
    }

    /** Nothing more will be heard: what has no outcome has failed with the cluster, or by its own cause. */
    void settle() {
        if (isNothingToSettle()) {
            return;
        }
        change(effects -> {
            isSettled = true;
            for (final Scope scope : new ArrayList<>(known.values())) {
                decide(scope, endOf(scope), effects);
            }
            for (final Deque<Asked> asks : asked) {
                for (final Iterator<Asked> all = asks.iterator(); all.hasNext(); all.remove()) {
                    final Asked ask = all.next();
                    ask.missingCount--;
                    if (ask.missingCount == 0) {
                        effects.answered.add(ask);
                    }
                }
            }
        });
    }

    private ScopeOutcome endOf(final Scope scope) {
        final Cause root = host.health().rootCause();
        final boolean isOwn =
                scope.escalation != Escalation.TO_PARENT && (scope.ledger.isComplete() || scope.ledger.isFailed());
        return isOwn || root == null ? scope.ledger.outcome() : new ScopeOutcome.Failed(root);
    }

    /** How many scopes have no outcome; for tests, and for whoever wants to know. */
    synchronized int openCount() {
        return known.size();
    }

    /** How many are over and not let go of by everybody. */
    synchronized int leavingCount() {
        return leaving.size();
    }
}
