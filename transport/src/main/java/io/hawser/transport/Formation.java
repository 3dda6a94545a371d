package io.hawser.transport;

import io.hawser.fate.Cause;
import io.hawser.fate.CauseKind;
import io.hawser.framing.RefuseReason;
import java.util.ArrayList;
import java.util.List;

/**
 * The decisions of forming a mesh: who is let in, which generation it becomes, when READY is said, when the start is. It knows
 * no socket, thread or clock. PROTOCOL.md, "Forming", is its specification.
 *
 * <p><em>Threading:</em> the greet thread only.
 *
 * @param <L> the links that it keeps, of which it knows no more than {@link Greeted}
 */
final class Formation<L extends Formation.Greeted> {
    /** A connection on which HELLOs have gone both ways. */
    interface Greeted {
        int peer();

        Session session();
    }

    /** What is known of one peer. */
    static final class Slot<L> {
        private final int process;
        private L link;
        private boolean isReady;
        private long rivalNonce;
        private long rivalCameNs;

        /** Of the claimant at the listed address that came while another one held the slot; 0 if there was none. */
        private long listedNonce;

        private long listedSeenNs;

        private int attempts;
        private String lastError = "";

        /** What the peer itself said when it left; no error of a later dial hides it. */
        private String farewell = "";

        private Slot(int process) {
            this.process = process;
        }

        int process() {
            return process;
        }

        L link() {
            return link;
        }

        void onDial() {
            attempts++;
        }

        int attempts() {
            return attempts;
        }

        void onError(String error) {
            lastError = error;
        }

        String lastError() {
            if (farewell.isEmpty() || lastError.isEmpty()) {
                return farewell + lastError;
            }
            return farewell + "; since then: " + lastError;
        }
    }

    /** Beyond this a proposal is an error or an attack: one HELLO could end the numbering. */
    static final long GENERATION_LIMIT = 1L << 62;

    private final ClusterConfig config;
    private final Listing listing;
    private final List<Slot<L>> slots = new ArrayList<>();
    private Hello own;
    private boolean isStarted;

    Formation(ClusterConfig config, Hello own) {
        this(config, own, new Listing(config));
    }

    Formation(ClusterConfig config, Hello own, Listing listing) {
        this.config = config;
        this.own = own;
        this.listing = listing;
        for (int i = 0; i < config.processCount(); i++) {
            slots.add(i == config.processIndex() ? null : new Slot<>(i));
        }
    }

    Hello own() {
        return own;
    }

    long generation() {
        return own.generation();
    }

    boolean isStarted() {
        return isStarted;
    }

    /** {@return the slot of a peer, null for this process itself} */
    Slot<L> slot(int process) {
        return slots.get(process);
    }

    /**
     * Judges a HELLO. If it is fine but of a newer generation, null is returned and {@link #raise} has to follow.
     *
     * @param theirs what the peer says
     * @param role   our role on that connection
     * @param target process that we dialled, -1 if it dialled us
     * @param nowNs  the time
     * @return the refusal, or null if the peer is welcome
     */
    Refusal judge(Hello theirs, Session.Role role, int target, long nowNs) {
        Hello addressed = own.to(target);
        Refusal refusal = Greeting.judgeIdentity(addressed, theirs, role);
        if (refusal != null) {
            return refusal;
        }
        if (isStarted) {
            return judgeWhileRunning(theirs, nowNs);
        }
        if (theirs.generation() < generation()) {
            return refusal(
                    RefuseReason.STALE_GENERATION,
                    "generation " + theirs.generation() + " is over, generation " + generation() + " is being formed");
        }
        if (theirs.generation() > GENERATION_LIMIT) {
            return refusal(RefuseReason.MALFORMED, "generation " + theirs.generation() + " is beyond all numbering");
        }
        refusal = Greeting.judgeSettings(addressed, theirs);
        return refusal == null && theirs.generation() == generation() ? judgeHolder(theirs, nowNs) : refusal;
    }

    private Refusal judgeWhileRunning(Hello theirs, long nowNs) {
        if (theirs.generation() != generation()) {
            return refusal(
                    RefuseReason.BUSY,
                    "generation " + generation() + " still runs here, generation " + theirs.generation()
                            + " has to wait for its end");
        }
        Refusal refusal = judgeHolder(theirs, nowNs);
        return refusal != null ? refusal : refusal(RefuseReason.BUSY, "generation " + generation() + " runs already");
    }

    private Refusal judgeHolder(Hello theirs, long nowNs) {
        Slot<L> slot = slot(theirs.processIndex());
        L holder = slot.link;
        if (holder == null) {
            boolean isLeftFree = slot.listedNonce != 0 && nowNs - slot.listedSeenNs < config.silenceTimeoutNs();
            return !isLeftFree || slot.listedNonce == theirs.nonce() || isListed(theirs)
                    ? null
                    : refusal(
                            RefuseReason.BUSY,
                            "processIndex=" + theirs.processIndex() + " is left to the process at "
                                    + listing.of(theirs.processIndex()) + ", which was here just now");
        }
        if (holder.session().peer().nonce() == theirs.nonce()) {
            return null;
        }
        Hello held = holder.session().peer();
        if (!isStarted && isListed(theirs) && !isListed(held)) {
            slot.listedNonce = theirs.nonce();
            slot.listedSeenNs = nowNs;
            return null; // of two that claim an index only the one at the listed address can be reached by all
        }
        String text = "processIndex=" + theirs.processIndex() + " is already held by pid " + held.pid() + " on "
                + held.host() + " at " + held.address() + " in generation " + held.generation();
        if (slot.rivalNonce == theirs.nonce()) {
            if (holder.session().hasAnsweredSince(slot.rivalCameNs)
                    && !holder.session().hasEnded()) {
                return refusal(RefuseReason.DUPLICATE, text + ", which is alive; start each index once");
            }
        } else {
            slot.rivalNonce = theirs.nonce();
            slot.rivalCameNs = nowNs;
        }
        return refusal(RefuseReason.BUSY, text + ", which may be dead: waiting for a sign of it");
    }

    /**
     * {@return whether this peer, which is welcome, takes the place of one that was told READY} That one may have started, so the
     * generation has to be raised; the newcomer comes again then.
     */
    boolean isTooLateFor(Hello theirs) {
        L holder = slot(theirs.processIndex()).link;
        return holder != null
                && holder.session().peer().nonce() != theirs.nonce()
                && holder.session().isReadyWanted();
    }

    private boolean isListed(Hello hello) {
        return listing.of(hello.processIndex()).toString().equals(hello.address());
    }

    private Refusal refusal(RefuseReason reason, String text) {
        return new Refusal(reason, generation(), text);
    }

    /** {@return whether a newer generation has to be taken over before this peer can be let in} */
    boolean isNewer(Hello theirs) {
        return theirs.generation() > generation();
    }

    /**
     * Takes over a newer generation: nothing of the older one counts any more.
     *
     * @param generation the newer one
     * @return the links of the older one, to be retired
     */
    List<L> raise(long generation) {
        List<L> retired = new ArrayList<>();
        for (Slot<L> slot : slots) {
            if (slot != null && slot.link != null) {
                retired.add(slot.link);
                slot.link = null;
                slot.isReady = false;
            }
        }
        own = own.withGeneration(generation);
        return retired;
    }

    /**
     * A link is greeted. READY is due on all links once every slot has one.
     *
     * @param link the link
     * @return the link that it replaces, null if none
     */
    L onGreeted(L link) {
        Slot<L> slot = slot(link.peer());
        L replaced = slot.link;
        slot.link = link;
        slot.isReady = false;
        slot.lastError = "";
        slot.farewell = "";
        return replaced;
    }

    boolean areAllGreeted() {
        for (Slot<L> slot : slots) {
            if (slot != null && slot.link == null) {
                return false;
            }
        }
        return true;
    }

    /**
     * A peer has said READY.
     *
     * @param link on which link
     * @return whether that completes the barrier: start now
     */
    boolean onPeerReady(L link) {
        if (isCurrent(link)) {
            slot(link.peer()).isReady = true;
        }
        return isComplete();
    }

    /** {@return whether READY has been exchanged with everybody, for the first time} */
    boolean isComplete() {
        if (isStarted || !areAllGreeted()) {
            return false;
        }
        for (Slot<L> slot : slots) {
            if (slot != null && !slot.isReady) {
                return false;
            }
        }
        return true;
    }

    void start() {
        isStarted = true;
    }

    boolean isCurrent(L link) {
        return slot(link.peer()).link == link;
    }

    /**
     * A link was lost before the start. Its peer is told the cause.
     *
     * @param link  the link
     * @param error what happened to it
     * @param cause the same, for its peer
     * @return whether its peer may have started, so that the generation has to be raised
     */
    boolean onLost(L link, String error, Cause cause) {
        if (!isCurrent(link)) {
            return false;
        }
        Slot<L> slot = slot(link.peer());
        slot.link = null;
        slot.isReady = false;
        slot.listedNonce = 0;
        boolean isFarewell = cause.kind() == CauseKind.FORMATION_ABANDONED && cause.subjectProcess() == link.peer();
        slot.farewell = isFarewell ? error : "";
        slot.lastError = isFarewell ? "" : error;
        link.session().abort(cause); // first, so that no READY leaves that is not seen here
        return link.session().hasSaidReady();
    }

    /**
     * {@return the least generation to propose when forming is given up now} Who has been told READY may have started this one, so it is not to be formed once more.
     */
    long nextGeneration() {
        for (Slot<L> slot : slots) {
            if (slot != null && slot.link != null && slot.link.session().isReadyWanted()) {
                return generation() + 1;
            }
        }
        return generation();
    }

    /** {@return who the members are} Once all are greeted. */
    Roster roster() {
        List<Roster.Member> members = new ArrayList<>();
        for (Slot<L> slot : slots) {
            Hello hello = slot == null ? own : slot.link.session().peer();
            members.add(new Roster.Member(
                    hello.processIndex(), hello.pid(), hello.host(), hello.address(), hello.nonce(), hello.former()));
        }
        return new Roster(members);
    }

    FormationReport report(String reason, long elapsedNs) {
        List<FormationReport.Peer> peers = new ArrayList<>();
        for (Slot<L> slot : slots) {
            if (slot != null) {
                peers.add(new FormationReport.Peer(
                        slot.process,
                        listing.of(slot.process),
                        stateOf(slot),
                        slot.link != null,
                        slot.attempts,
                        slot.lastError()));
            }
        }
        return new FormationReport(config.processIndex(), generation(), reason, elapsedNs, peers);
    }

    private String stateOf(Slot<L> slot) {
        if (slot.link != null) {
            return slot.isReady ? "connected and ready" : "connected, waiting for its READY";
        }
        return slot.process < config.processIndex() ? "not connected, we dial it" : "not connected, it has to dial us";
    }
}
