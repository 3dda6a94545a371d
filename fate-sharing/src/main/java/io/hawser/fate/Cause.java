package io.hawser.fate;

import java.util.Collection;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * Why health was lost: who failed, what was seen, by whom, when, in which generation, and who told us. This is what an
 * ABORT frame carries, and {@link #describe()} is what the person on call reads.
 *
 * <p>Two causes are compared through {@link #sameEvent(Cause)} and {@link #precedes(Cause)}; {@code equals} is identity.
 * The thought that a failure travels with its reason, and arrives as a value, is that of Erlang's links and monitors.
 *
 * <p><em>Threading:</em> immutable once handed out.
 */
public final class Cause {
    /** The longest {@link #seen()} in UTF-8 bytes, which is what an ABORT frame holds. Longer text is cut. */
    public static final int MAX_SEEN_BYTES = 2_048;

    /** The longest {@link #subjectHost()} in UTF-8 bytes, which is what an ABORT frame holds. Longer text is cut. */
    public static final int MAX_HOST_BYTES = 255;

    /** The longest {@link #subjectAddress()} in UTF-8 bytes, which is what an ABORT frame holds. Longer text is cut. */
    public static final int MAX_ADDRESS_BYTES = 255;

    private final CauseKind kind;
    private final int subjectProcess;
    private final int subjectWorker;
    private final long subjectPid;
    private final long subjectNonce;
    private final String subjectHost;
    private final String subjectAddress;
    private final int observerProcess;
    private final int reporterProcess;
    private final long generation;
    /** What tells what was seen, null if that is known already. */
    private final Supplier<String> seenLater;

    /** Written by whoever asks first, or asks at the same time: the same text each time, and strings need no publication. */
    private String seen;

    // written by the constructor, or once by PreparedCause before the cause is published through an atomic word
    private long observedAtEpochMs;
    private long elapsedNs;
    private Throwable throwable;

    /** Stands for "this cause, and it is final" in a cause ledger; made here so that settling allocates nothing. */
    private final Settled settled = new Settled(this);

    Cause(CauseBuilder from) {
        kind = from.kind;
        subjectProcess = from.subjectProcess;
        subjectWorker = from.subjectWorker;
        subjectPid = from.subjectPid;
        subjectNonce = from.subjectNonce;
        subjectHost = from.subjectHost;
        subjectAddress = from.subjectAddress;
        observerProcess = from.observerProcess;
        reporterProcess = from.reporterProcess;
        generation = from.generation;
        seenLater = from.seenLater;
        seen = seenLater == null ? from.seen : null;
        observedAtEpochMs = from.observedAtEpochMs;
        elapsedNs = from.elapsedNs;
        throwable = from.throwable;
    }

    /**
     * Starts a cause of one kind.
     *
     * @param kind what happened.
     * @return a builder, in which subject, observer and generation must still be set.
     */
    public static CauseBuilder builder(CauseKind kind) {
        return new CauseBuilder(kind);
    }

    /**
     * Chooses the root cause among several, as {@link Health#consider} does: whoever has the same causes chooses the same, in whatever order they come.
     *
     * @param causes at least one.
     * @return the earliest, or what the process that failed there has said of itself.
     * @throws IllegalArgumentException if there is none.
     */
    public static Cause rootOf(Collection<Cause> causes) {
        if (causes.isEmpty()) {
            throw new IllegalArgumentException("there is no root among no causes: causes=0");
        }
        CauseLedger ledger = new CauseLedger();
        Cause first = causes.iterator().next();
        for (Cause cause : causes) {
            ledger.consider(first, cause);
        }
        return ledger.root(first);
    }

    /**
     * What happened.
     *
     * @return the kind.
     */
    public CauseKind kind() {
        return kind;
    }

    /**
     * The process that failed first.
     *
     * @return its index, 0 or more.
     */
    public int subjectProcess() {
        return subjectProcess;
    }

    /**
     * The worker that failed first.
     *
     * @return its global index; -1 if it was not a worker.
     */
    public int subjectWorker() {
        return subjectWorker;
    }

    /**
     * The operating system's number of the process that failed.
     *
     * @return the pid; 0 if unknown.
     */
    public long subjectPid() {
        return subjectPid;
    }

    /**
     * The instance nonce of the process that failed.
     *
     * @return the nonce; 0 if unknown.
     */
    public long subjectNonce() {
        return subjectNonce;
    }

    /**
     * The host of the process that failed.
     *
     * @return its name; empty if unknown.
     */
    public String subjectHost() {
        return subjectHost;
    }

    /**
     * The address of the process that failed.
     *
     * @return host and port as configured or advertised; empty if unknown.
     */
    public String subjectAddress() {
        return subjectAddress;
    }

    /**
     * The process that saw it.
     *
     * @return its index; the same as {@link #subjectProcess()} if a process tells of itself.
     */
    public int observerProcess() {
        return observerProcess;
    }

    /**
     * The peer whose ABORT told us.
     *
     * @return its index; -1 if this is first hand.
     */
    public int reporterProcess() {
        return reporterProcess;
    }

    /**
     * When it was seen, by the wall clock of the process that saw it.
     *
     * @return milliseconds since 1970-01-01T00:00:00Z.
     */
    public long observedAtEpochMs() {
        return observedAtEpochMs;
    }

    /**
     * The generation of the cluster in which it happened.
     *
     * @return 1 or more.
     */
    public long generation() {
        return generation;
    }

    /**
     * The measured silence or pause.
     *
     * @return nanoseconds; 0 if none was measured.
     */
    public long elapsedNs() {
        return elapsedNs;
    }

    /**
     * What was seen, in words.
     *
     * @return one line without control characters; may be empty.
     */
    public String seen() {
        String text = seen;
        if (text == null) {
            try {
                text = OneLineText.of(seenLater.get(), MAX_SEEN_BYTES);
            } catch (OutOfMemoryError full) {
                return ""; // kind, process and time still tell who failed first
            }
            seen = text;
        }
        return text;
    }

    /**
     * What was thrown, if it was thrown in this process. It does not travel.
     *
     * @return the throwable, or null.
     */
    public Throwable throwable() {
        return throwable;
    }

    /**
     * The same cause as told by a peer.
     *
     * @param process index of the peer whose ABORT carried it.
     * @return a copy that names its reporter.
     */
    public Cause reportedBy(int process) {
        return new CauseBuilder(this).reporterProcess(process).build();
    }

    /**
     * Whether both tell of one event, whoever reported it.
     *
     * @param other another cause; null is no event.
     * @return true if kind, subject, observer, time and generation are equal.
     */
    public boolean sameEvent(Cause other) {
        return other != null
                && kind == other.kind
                && subjectProcess == other.subjectProcess
                && subjectWorker == other.subjectWorker
                && observerProcess == other.observerProcess
                && observedAtEpochMs == other.observedAtEpochMs
                && generation == other.generation;
    }

    /**
     * Whether the process that failed has itself said so. About one failure that outranks what others inferred from its traces.
     * That it gave up forming is no such report: it follows from what happened to it or to others.
     *
     * @return true if subject and observer are the same process and it tells of a failure of its own.
     */
    public boolean isSelfReport() {
        return subjectProcess == observerProcess && !isGivingUp();
    }

    private boolean isGivingUp() {
        return kind == CauseKind.FORMATION_ABANDONED;
    }

    /**
     * Which of several causes came first: all processes that know the same causes find the same one (law L2). Within
     * one generation two different events never tie.
     *
     * <p>That a process gave up forming comes after everything else, whatever its clock says: something else made it do so.
     *
     * @param other another cause of the same generation.
     * @return true if this one comes first by time seen, then observer, kind, subject process, subject worker.
     */
    public boolean precedes(Cause other) {
        Objects.requireNonNull(other, "other");
        int order = Boolean.compare(isGivingUp(), other.isGivingUp());
        order = order != 0 ? order : Long.compare(observedAtEpochMs, other.observedAtEpochMs);
        order = order != 0 ? order : Integer.compare(observerProcess, other.observerProcess);
        order = order != 0 ? order : Integer.compare(kind.code(), other.kind.code());
        order = order != 0 ? order : Integer.compare(subjectProcess, other.subjectProcess);
        order = order != 0 ? order : Integer.compare(subjectWorker, other.subjectWorker);
        return order < 0;
    }

    /**
     * The one line that says it all for the loss of a whole cluster.
     *
     * @return who failed, what was seen, by whom and when, what it led to, what to do; independent of the locale.
     */
    public String describe() {
        return describe(consequence());
    }

    /**
     * The one line that says it all, for a loss that led to something else than the end of the cluster.
     *
     * @param ledTo what it led to, as a clause without a full stop.
     * @return as {@link #describe()}.
     */
    public String describe(String ledTo) {
        return CauseLine.of(this, Objects.requireNonNull(ledTo, "ledTo"));
    }

    /**
     * The same as {@link #describe()}.
     *
     * @return one line.
     */
    @Override
    public String toString() {
        return describe();
    }

    String consequence() {
        return "all workers of generation " + generation + " stop";
    }

    void stamp(long atEpochMs, long spanNs, Throwable thrown) {
        observedAtEpochMs = atEpochMs;
        elapsedNs = spanNs;
        throwable = thrown;
    }

    Settled settled() {
        return settled;
    }

    /** See {@link CauseLedger}. */
    static final class Settled {
        final Cause cause;

        private Settled(Cause cause) {
            this.cause = cause;
        }
    }
}
