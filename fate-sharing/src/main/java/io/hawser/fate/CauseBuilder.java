package io.hawser.fate;

import java.util.Objects;
import java.util.function.Supplier;

/**
 * Gathers what is known about a failure. Numbers are checked as they are set; texts are cleaned and cut rather than
 * refused, because a cause is built when something has already gone wrong.
 *
 * <p><em>Threading:</em> one thread.
 */
public final class CauseBuilder {
    final CauseKind kind;
    int subjectProcess = -1;
    int subjectWorker = -1;
    long subjectPid;
    long subjectNonce;
    String subjectHost = "";
    String subjectAddress = "";
    int observerProcess = -1;
    int reporterProcess = -1;
    long observedAtEpochMs;
    long generation;
    long elapsedNs;
    String seen = "";
    Supplier<String> seenLater;
    Throwable throwable;

    CauseBuilder(CauseKind kind) {
        this.kind = Objects.requireNonNull(kind, "kind");
    }

    CauseBuilder(Cause from) {
        kind = from.kind();
        subjectProcess = from.subjectProcess();
        subjectWorker = from.subjectWorker();
        subjectPid = from.subjectPid();
        subjectNonce = from.subjectNonce();
        subjectHost = from.subjectHost();
        subjectAddress = from.subjectAddress();
        observerProcess = from.observerProcess();
        reporterProcess = from.reporterProcess();
        observedAtEpochMs = from.observedAtEpochMs();
        generation = from.generation();
        elapsedNs = from.elapsedNs();
        seen = from.seen();
        throwable = from.throwable();
    }

    /**
     * Sets the process that failed first. Required.
     *
     * @param process its index, 0 or more.
     * @return this.
     */
    public CauseBuilder subjectProcess(int process) {
        subjectProcess = (int) atLeast(0, process, "subjectProcess");
        return this;
    }

    /**
     * Sets the worker that failed first.
     *
     * @param worker its global index; -1, the default, if it was not a worker.
     * @return this.
     */
    public CauseBuilder subjectWorker(int worker) {
        subjectWorker = (int) atLeast(-1, worker, "subjectWorker");
        return this;
    }

    /**
     * Sets the pid of the process that failed.
     *
     * @param pid the pid; 0, the default, if unknown.
     * @return this.
     */
    public CauseBuilder subjectPid(long pid) {
        subjectPid = atLeast(0, pid, "subjectPid");
        return this;
    }

    /**
     * Sets the instance nonce of the process that failed.
     *
     * @param nonce any number; 0, the default, if unknown.
     * @return this.
     */
    public CauseBuilder subjectNonce(long nonce) {
        subjectNonce = nonce;
        return this;
    }

    /**
     * Sets the host of the process that failed.
     *
     * @param host its name; null or empty, the default, if unknown.
     * @return this.
     */
    public CauseBuilder subjectHost(String host) {
        subjectHost = OneLineText.of(host, Cause.MAX_HOST_BYTES);
        return this;
    }

    /**
     * Sets the address of the process that failed.
     *
     * @param address host and port; null or empty, the default, if unknown.
     * @return this.
     */
    public CauseBuilder subjectAddress(String address) {
        subjectAddress = OneLineText.of(address, Cause.MAX_ADDRESS_BYTES);
        return this;
    }

    /**
     * Sets the process that saw it. Required.
     *
     * @param process its index, 0 or more.
     * @return this.
     */
    public CauseBuilder observerProcess(int process) {
        observerProcess = (int) atLeast(0, process, "observerProcess");
        return this;
    }

    /**
     * Sets the peer whose ABORT told us.
     *
     * @param process its index; -1, the default, if this is first hand.
     * @return this.
     */
    public CauseBuilder reporterProcess(int process) {
        reporterProcess = (int) atLeast(-1, process, "reporterProcess");
        return this;
    }

    /**
     * Sets when it was seen, by the wall clock of the observer.
     *
     * @param epochMs milliseconds since 1970; any value, since a peer's clock may be wrong.
     * @return this.
     */
    public CauseBuilder observedAtEpochMs(long epochMs) {
        observedAtEpochMs = epochMs;
        return this;
    }

    /**
     * Sets the generation of the cluster. Required.
     *
     * @param number 1 or more.
     * @return this.
     */
    public CauseBuilder generation(long number) {
        generation = atLeast(1, number, "generation");
        return this;
    }

    /**
     * Sets the measured silence or pause.
     *
     * @param spanNs nanoseconds; 0, the default, if none was measured.
     * @return this.
     */
    public CauseBuilder elapsedNs(long spanNs) {
        elapsedNs = atLeast(0, spanNs, "elapsedNs");
        return this;
    }

    /**
     * Sets what was seen, in words.
     *
     * @param text any text; it is cut to {@link Cause#MAX_SEEN_BYTES} and made one line. Null or empty: nothing to add.
     * @return this.
     */
    public CauseBuilder seen(String text) {
        seen = OneLineText.of(text, Cause.MAX_SEEN_BYTES);
        seenLater = null;
        return this;
    }

    /**
     * Sets what was seen as something that is put into words only when they are asked for: health is lost before that, and nobody waits for
     * words.
     *
     * @param text makes the words; gives the same ones each time, from values taken now; may be called by any thread.
     * @return this.
     */
    public CauseBuilder seenLater(Supplier<String> text) {
        seen = "";
        seenLater = Objects.requireNonNull(text, "text");
        return this;
    }

    /**
     * Sets what was thrown in this process. If {@link #seen(String)} stays empty, the throwable's own words become what
     * was seen, so that they reach the peers.
     *
     * @param thrown the throwable, or null.
     * @return this.
     */
    public CauseBuilder throwable(Throwable thrown) {
        throwable = thrown;
        return this;
    }

    /**
     * Makes the cause.
     *
     * @return an immutable cause.
     * @throws IllegalStateException if subject process, observer process or generation are not set.
     */
    public Cause build() {
        isSet(subjectProcess >= 0, "subjectProcess", subjectProcess);
        isSet(observerProcess >= 0, "observerProcess", observerProcess);
        isSet(generation >= 1, "generation", generation);
        if (seen.isEmpty() && seenLater == null && throwable != null) {
            seen = OneLineText.of(throwable, Cause.MAX_SEEN_BYTES);
        }
        return new Cause(this);
    }

    /**
     * Makes a cause that lacks only its time and what was thrown, to be kept by whoever may have to lose health when no
     * memory is left.
     *
     * @return a cause to be completed without allocation.
     * @throws IllegalStateException as {@link #build()}.
     */
    public PreparedCause prepare() {
        return new PreparedCause(build());
    }

    private static long atLeast(long min, long value, String name) {
        if (value < min) {
            throw new IllegalArgumentException("must be at least " + min + ": " + name + "=" + value);
        }
        return value;
    }

    private static void isSet(boolean set, String name, long value) {
        if (!set) {
            throw new IllegalStateException("a cause needs it: " + name + "=" + value);
        }
    }
}
