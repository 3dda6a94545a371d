package io.hawser.fate;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.concurrent.locks.LockSupport;

/**
 * The health of one scope: the cluster, or a dataflow in it. A scope is healthy until it is lost, with a cause, or ends
 * cleanly; exactly one of the two happens, once.
 *
 * <pre>
 *     lose(cause)                        cluster
 *        goes down, to every           /         \
 *        healthy scope below      query-1       query-2      what fails here goes up
 *                                               /     \      only if the scope was made
 *                                          stage-a  stage-b  with Escalation.TO_PARENT
 * </pre>
 *
 * <p>Every loop asks {@link #isLost()} or calls {@link #check()}; whatever waits registers a {@link Wakeup} first, asks
 * again, and only then waits. Losing health is one compare-and-set followed by the prepared wake-ups: it takes no lock and
 * allocates nothing, so that it works when the heap is full. It writes no log: that is for whoever reports the loss.
 *
 * <p>The flag that I/O threads write and everybody checks is the wish of the timely-dataflow community; that a failure
 * spreads along declared ties, and that it can be watched without being shared, is Erlang's (links and monitors).
 *
 * <p><em>Threading:</em> any thread may call anything. The one word of a scope is read and compared-and-set with volatile
 * ordering; who reads a loss also sees all that the losing thread did before.
 */
public final class Health implements AutoCloseable {
    /** A deeper tree is a mistake in a loop that makes scopes; a loss walks the tree by recursion. */
    public static final int MAX_DEPTH = 32;

    private static final Object ENDED = HealthState.ENDED;

    private static final AtomicReferenceFieldUpdater<Health, Object> WORD =
            AtomicReferenceFieldUpdater.newUpdater(Health.class, Object.class, "word");

    static {
        HealthRehearsal.run();
    }

    private final String name;
    private final Health parent;
    private final Escalation escalation;
    private final ThreadFactory threadFactory;
    private final int depth;
    private final boolean isOwned;
    private final CauseLedger ledger = new CauseLedger();
    private final WakeupSet wakeups = new WakeupSet();
    private final CopyOnWriteArray<Health> children = new CopyOnWriteArray<>();

    /** Null while healthy, the first {@link Cause} when lost, {@link #ENDED} when ended. */
    private volatile Object word;

    Health(String name, Health parent, Escalation escalation, ThreadFactory threadFactory, int depth, boolean isOwned) {
        this.name = ScopeName.check(name, "name");
        this.parent = parent;
        this.escalation = Objects.requireNonNull(escalation, "escalation");
        this.threadFactory = Objects.requireNonNull(threadFactory, "threadFactory");
        this.depth = depth;
        this.isOwned = isOwned;
    }

    /**
     * The root of a new tree, whose listeners run on plain threads.
     *
     * @param name what a thread dump and a message call it, for example the cluster's name.
     * @return a healthy scope.
     */
    public static Health root(String name) {
        return root(name, Thread::new);
    }

    /**
     * The root of a new tree.
     *
     * @param name what a thread dump and a message call it, for example the cluster's name.
     * @param threadFactory makes the thread of each {@link HealthListener}; name and daemon flag are set afterwards.
     * @return a healthy scope.
     */
    public static Health root(String name, ThreadFactory threadFactory) {
        return new Health(name, null, Escalation.CONTAINED, threadFactory, 0, false);
    }

    /**
     * A scope below this one, whose own failures stay its own.
     *
     * @param childName what a thread dump and a message call it; need not be unique.
     * @return a healthy scope; if this one is lost already, one that is lost through the same cause.
     * @throws IllegalStateException if this scope has ended, or the tree is {@link #MAX_DEPTH} deep.
     */
    public Health child(String childName) {
        return child(childName, Escalation.CONTAINED);
    }

    /**
     * A scope below this one. It is kept until it ends or is lost, so close it when its work is done.
     *
     * @param childName what a thread dump and a message call it; need not be unique.
     * @param childEscalation whether its failures are failures of this scope too.
     * @return a healthy scope; if this one is lost already, one that is lost through the same cause.
     * @throws IllegalStateException if this scope has ended, or the tree is {@link #MAX_DEPTH} deep.
     */
    public Health child(String childName, Escalation childEscalation) {
        if (depth + 1 >= MAX_DEPTH) {
            throw new IllegalStateException("the tree of scopes is too deep: depth=" + (depth + 1));
        }
        Health child = new Health(childName, this, childEscalation, threadFactory, depth + 1, false);
        children.removeIf(other -> other.word != null);
        children.add(child);
        // pairs with lose and end, which set the word and then take the children: one of the two sees the other
        Object now = word;
        if (now == ENDED) {
            child.end();
            throw new IllegalStateException("the scope has ended: name=" + name);
        }
        if (now != null) {
            children.remove(child);
            child.inherit((Cause) now);
        }
        return child;
    }

    /**
     * The name given when it was made.
     *
     * @return the name, without those of the scopes above.
     */
    public String name() {
        return name;
    }

    /**
     * What this scope is.
     *
     * @return the state at this moment; LOST and ENDED stay.
     */
    public HealthState state() {
        Object now = word;
        if (now == null) {
            return HealthState.HEALTHY;
        }
        return now == ENDED ? HealthState.ENDED : HealthState.LOST;
    }

    /**
     * Whether it failed: one volatile load, for every loop.
     *
     * @return true from the moment of loss on.
     */
    public boolean isLost() {
        Object now = word;
        return now != null && now != ENDED;
    }

    /**
     * Leaves the caller's loop if the scope is lost; returns if it is healthy or has ended.
     *
     * @throws HealthLostException with the root cause as it is known now.
     */
    public void check() {
        if (isLost()) {
            throw lostException();
        }
    }

    /**
     * Loses the health of this scope and of every healthy scope below; above, only by {@link Escalation#TO_PARENT}. All
     * registered wake-ups have been run when this returns true. Locks nothing and allocates nothing.
     *
     * @param cause what happened. If health is lost already, it is attached as secondary.
     * @return true if this call lost it; false if it was lost before or has ended.
     */
    public boolean lose(Cause cause) {
        Objects.requireNonNull(cause, "cause");
        if (loseFirst(cause)) {
            return true;
        }
        Object now = word;
        if (now != ENDED) {
            ledger.note((Cause) now, cause);
        }
        return false;
    }

    /**
     * Takes what another process saw, or what was seen late, into the choice of the root cause; it loses health if that
     * has not happened yet. In whatever order the same causes are given, the same one becomes the root (law L2).
     *
     * <p>A scope that was lost through its parent follows the parent's root cause; causes given to it are secondary.
     *
     * @param cause the other's first cause.
     * @return true if this is the root cause now; false if it is secondary, or the scope has ended.
     */
    public boolean consider(Cause cause) {
        Objects.requireNonNull(cause, "cause");
        if (loseFirst(cause)) {
            return true;
        }
        Object now = word;
        if (now == ENDED) {
            return false;
        }
        return consider((Cause) now, cause);
    }

    /**
     * Fixes the root cause: what comes later is secondary. No effect unless health is lost; idempotent. The root cause of a
     * scope that was lost through its parent is fixed there.
     */
    public void settle() {
        Cause first = firstCause();
        if (first == null) {
            return;
        }
        if (isEscalated(first)) {
            parent.settle();
        } else {
            ledger.settle(first);
        }
    }

    /**
     * The cause through which health was lost here: the first one that reached this scope.
     *
     * @return the cause, for ever the same; null if health is not lost.
     */
    public Cause firstCause() {
        return isLost() ? (Cause) word : null;
    }

    /**
     * The earliest of the first cause and all causes considered before {@link #settle()}, and fixed after it. If the process that
     * failed there has reported a failure of its own ({@link Cause#isSelfReport()}), that report takes its place.
     *
     * @return the cause; null if health is not lost.
     */
    public Cause rootCause() {
        Cause first = firstCause();
        if (first == null) {
            return null;
        }
        return followsParent(first) ? parent.rootCause() : ledger.root(first);
    }

    /**
     * The earliest of the first cause and all causes considered, also if a report of the process that failed there has taken its place as the root cause. Whoever is told both finds the same root cause.
     *
     * @return the cause; null if health is not lost.
     */
    public Cause earliestCause() {
        Cause first = firstCause();
        if (first == null) {
            return null;
        }
        return followsParent(first) ? parent.earliestCause() : ledger.earliest(first);
    }

    /**
     * The causes known here besides the root cause: consequences, mostly.
     *
     * @return a copy, in the order of arrival, each event once, those of the parent first if health was lost through it;
     *     bounded, see {@link #secondaryCount()}.
     */
    public List<Cause> secondaryCauses() {
        List<Cause> listed = new ArrayList<>();
        Cause first = firstCause();
        if (first != null) {
            collectSecondary(first, rootCause(), listed);
        }
        return Collections.unmodifiableList(listed);
    }

    /**
     * How many causes besides the root cause came, those included that no longer fitted into {@link #secondaryCauses()}.
     *
     * @return 0 or more.
     */
    public long secondaryCount() {
        long count = secondaryCauses().size();
        Health scope = this;
        while (scope.isLost()) {
            count += scope.ledger.unlistedCount();
            if (!scope.followsParent(scope.firstCause())) {
                break;
            }
            scope = scope.parent;
        }
        return count;
    }

    /**
     * Ends this scope and the healthy scopes below, cleanly: they cannot be lost any more. The parent forgets it.
     *
     * @return true if this call ended it; false if it is lost or ended already.
     * @throws IllegalStateException if only its {@link HealthOwner} may end it.
     */
    public boolean end() {
        if (isOwned) {
            throw new IllegalStateException(
                    "this scope ends with what it belongs to; to stop that, close or abort it: name=" + name);
        }
        return endNow();
    }

    /** As {@link #end()}, also for the owner of an owned root. */
    boolean endNow() {
        if (!WORD.compareAndSet(this, null, ENDED)) {
            return false;
        }
        Object[] below = children.takeAll();
        for (int i = 0; i < below.length; i++) {
            children.at(below, i).end();
        }
        wakeups.fireAll(true);
        forget();
        return true;
    }

    /**
     * Ends the scope if it is healthy, and has the parent forget it in any case. Idempotent, waits for nothing.
     *
     * @throws IllegalStateException if only its {@link HealthOwner} may end it.
     */
    @Override
    public void close() {
        if (!end()) {
            forget();
        }
    }

    /**
     * Registers something to be done at the moment of loss. If health is lost already, it is done at once, here; after a
     * clean end, never.
     *
     * @param wakeup what to do; it runs at most once.
     * @return the registration, to be closed by whoever no longer waits.
     */
    public WakeupRegistration addWakeup(Wakeup wakeup) {
        return register(Objects.requireNonNull(wakeup, "wakeup"), false);
    }

    /**
     * Registers a thread to be unparked at the moment of loss. The thread must ask {@link #isLost()} between registering
     * and parking, each time.
     *
     * @param thread a thread that parks.
     * @return the registration, to be closed when the thread no longer parks.
     */
    public WakeupRegistration addThread(Thread thread) {
        Objects.requireNonNull(thread, "thread");
        return addWakeup(() -> LockSupport.unpark(thread));
    }

    /**
     * How many wake-ups broke their contract by throwing. Others were not affected.
     *
     * @return 0 or more.
     */
    public long wakeupFailureCount() {
        return wakeups.failureCount();
    }

    /**
     * Registers a listener of the user, which may take its time. It gets a daemon thread of its own, made now and named
     * {@code hawser-<scope>-listener-<name>}, which ends after the call, or when the scope ends or the registration is
     * closed. If health is lost already, the listener is called at once, in that thread.
     *
     * @param listenerName what a thread dump and the log call it.
     * @param listener whom to tell, once.
     * @return the registration.
     */
    public Registration onLost(String listenerName, HealthListener listener) {
        return ListenerThread.start(this, threadFactory, listenerName, listener);
    }

    /**
     * Name and state, and when lost the root cause.
     *
     * @return one line.
     */
    @Override
    public String toString() {
        Cause root = rootCause();
        return "health of " + name + ": " + (root == null ? state() : "LOST; " + root.describe(consequence(root)));
    }

    WakeupRegistration register(Wakeup wakeup, boolean isForEndToo) {
        WakeupRegistration registration = wakeups.add(wakeup, isForEndToo);
        // pairs with lose and end, which set the word and then take the wake-ups: one of the two sees the other
        Object now = word;
        if (now != null) {
            wakeups.fireLate(registration, now == ENDED);
        }
        return registration;
    }

    int childCount() {
        return children.size();
    }

    int wakeupCount() {
        return wakeups.size();
    }

    private boolean loseFirst(Cause cause) {
        if (!WORD.compareAndSet(this, null, cause)) {
            return false;
        }
        spread(cause);
        if (escalation == Escalation.TO_PARENT) {
            parent.lose(cause);
        }
        return true;
    }

    private void inherit(Cause cause) {
        if (WORD.compareAndSet(this, null, cause)) {
            spread(cause);
        }
    }

    private void spread(Cause cause) {
        wakeups.fireAll(false);
        Object[] below = children.takeAll();
        for (int i = 0; i < below.length; i++) {
            children.at(below, i).inherit(cause);
        }
    }

    private boolean consider(Cause first, Cause cause) {
        if (isEscalated(first)) {
            return parent.consider(cause);
        }
        if (isInherited(first)) {
            ledger.note(first, cause);
            return false;
        }
        return ledger.consider(first, cause);
    }

    private void forget() {
        if (parent != null) {
            parent.children.remove(this);
        }
    }

    private boolean isInherited(Cause first) {
        return parent != null && parent.word == first;
    }

    private boolean sharesFateUpwards() {
        return escalation == Escalation.TO_PARENT && parent.isLost();
    }

    /** As above, but does not run ahead of the thread that loses health: helps it to take the cause up first. */
    private boolean isEscalated(Cause first) {
        if (escalation == Escalation.TO_PARENT) {
            parent.lose(first);
        }
        return sharesFateUpwards();
    }

    private boolean followsParent(Cause first) {
        return isInherited(first) || sharesFateUpwards();
    }

    private void collectSecondary(Cause first, Cause root, List<Cause> into) {
        if (followsParent(first)) {
            parent.collectSecondary(parent.firstCause(), root, into);
        }
        ledger.collectSecondary(first, root, into);
    }

    private HealthLostException lostException() {
        Cause root = rootCause();
        return new HealthLostException(root, secondaryCauses(), lostScope());
    }

    private String consequence(Cause root) {
        String scope = lostScope();
        return scope == null ? root.consequence() : HealthLostException.consequence(root, scope);
    }

    /** The name of the highest scope that was lost through the same cause, null if that is the whole tree. */
    private String lostScope() {
        Health origin = this;
        while (origin.followsParent(origin.firstCause())) {
            origin = origin.parent;
        }
        return origin.parent == null ? null : origin.name;
    }
}
