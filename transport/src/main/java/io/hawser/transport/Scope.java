package io.hawser.transport;

import io.hawser.fate.Cause;
import io.hawser.fate.Escalation;
import io.hawser.fate.Health;
import io.hawser.fate.HealthLostException;
import io.hawser.fate.ScopeCancelledException;
import io.hawser.fate.ScopeOutcome;
import java.util.BitSet;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * One dataflow of a mesh, as one process knows it: who its members are, whether it is stopped, and how it ended. Made by {@link Mesh#openScope}.
 *
 * <p><em>Threading:</em> any thread, except where a method says otherwise. Nothing blocks.
 */
public final class Scope {

    private final Scopes scopes;
    private final long id;
    private final ScopeMembers members;
    private final CompletableFuture<ScopeOutcome> future = new CompletableFuture<>();

    // guarded by Scopes
    final ScopeLedger ledger;
    final BitSet openWorkers = new BitSet();

    /** Processes whose words wait for that of this one, as they are counted. */
    final BitSet waitingForUs = new BitSet();

    final BitSet finishedWorkers = new BitSet();
    final SentMarks marks = new SentMarks();
    Escalation escalation = Escalation.CONTAINED;
    boolean isOpened;
    long decidedNs;

    // written under the monitor of Scopes
    private volatile Health health;
    private volatile ScopeWord stop;
    private volatile ScopeOutcome outcome;

    Scope(
            final Scopes scopes,
            final long id,
            final ScopeMembers members,
            final ScopeLedger ledger,
            final Health health) {
        this.scopes = scopes;
        this.id = id;
        this.members = members;
        this.ledger = ledger;
        this.health = health;
    }

    /**
     * By which number all members mean it.
     *
     * @return the id, 1 or more
     */
    public long id() {
        return id;
    }

    /**
     * Who takes part.
     *
     * @return the members
     */
    public ScopeMembers members() {
        return members;
    }

    /**
     * Its health, a child of that of the cluster. A failure loses it on all members; a cancel does not touch it. Of several causes it may prefer another one than the outcome, which all members
     * agree on.
     *
     * @return the scope of health
     */
    public Health health() {
        return health;
    }

    /**
     * Whether nothing is pushed or pulled in it any more, because it was cancelled or has failed.
     *
     * @return true from that moment on; false after a clean end
     */
    public boolean isStopped() {
        return stop != null || health.isLost();
    }

    /**
     * Leaves the caller's loop if it is stopped.
     *
     * @throws ScopeCancelledException          if it was cancelled
     * @throws HealthLostException if it has failed, or the cluster is lost
     */
    public void check() {
        if (isStopped()) {
            throw stopException();
        }
    }

    private RuntimeException stopException() {
        final ScopeWord word = stop;
        if (word != null && word.cause() != null) {
            health.lose(word.cause()); // whoever has said the word may not have got there yet
        }
        health.check();
        scopes.rootHealth().check(); // a scope that has ended does not hear of that
        if (word != null && word.cancel() != null) {
            return new ScopeCancelledException("dataflow " + id, word.cancel());
        }
        return new IllegalStateException("it was stopped and is not, please report it: " + this);
    }

    /**
     * Fails it on all members. No effect if it is stopped or has ended already, but that the cause is kept as a secondary one.
     *
     * @param cause why, see {@link Mesh#causeHere}
     * @return whether this made it fail here
     */
    public boolean fail(final Cause cause) {
        return scopes.fail(this, cause);
    }

    /**
     * A worker of this process has finished its part, and pushes and pulls in it no more. Once all members of the process have, it says so to the others, after what was pushed.
     *
     * @param worker global index of the worker
     * @param rings  its send rings, flushed; by that worker's thread. Nulls are skipped
     */
    public void complete(final int worker, final SendRing[] rings) {
        scopes.finish(this, worker, rings, true);
    }

    /**
     * A worker of this process, having learnt that it is stopped, has let go of all that belongs to it.
     *
     * @param worker global index of the worker
     * @param rings  its send rings; by that worker's thread. Nulls are skipped
     */
    public void letGo(final int worker, final SendRing[] rings) {
        scopes.finish(this, worker, rings, false);
    }

    /**
     * How it ended, once all members have said how it ended for them.
     *
     * @return the outcome, empty until then
     */
    public Optional<ScopeOutcome> outcome() {
        return Optional.ofNullable(outcome);
    }

    /**
     * How it ended, for whoever wants to be told.
     *
     * @return completed with the outcome, by a thread of the common pool unless it is known already; never exceptionally: once the cluster is lost or has ended, there is an outcome, too
     */
    public CompletionStage<ScopeOutcome> whenOver() {
        synchronized (future) {
            return future.minimalCompletionStage();
        }
    }

    void replaceHealth(final Health newHealth) {
        health = newHealth;
    }

    void stop(final ScopeWord word) {
        stop = word;
    }

    /** Whether this process has said that it is stopped, so that others have forgotten the lanes of it that lead to them, or will. */
    boolean isOwnStop() {
        return stop != null;
    }

    void decide(final ScopeOutcome how) {
        outcome = how;
    }

    boolean isDecided() {
        return outcome != null;
    }

    /** Tells whoever waits. Outside of any monitor. */
    void announce() {
        synchronized (future) { // nobody comes in between
            if (future.getNumberOfDependents() == 0) {
                future.complete(outcome); // no code of a user's runs in this thread
                return;
            }
        }
        future.completeAsync(() -> outcome);
    }

    @Override
    public String toString() {
        final ScopeOutcome now = outcome;
        return "dataflow " + id + " of " + members + ": " + (now != null ? now : isStopped() ? "stopped" : "running");
    }
}
