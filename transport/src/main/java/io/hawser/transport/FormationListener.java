package io.hawser.transport;

/**
 * Told how far forming has come: for a progress bar, a log, a test that kills a process at each step.
 *
 * <p><em>Threading:</em> called by the greet thread, which greets nobody meanwhile; so it must not block for long. What it throws is logged, and changes nothing.
 */
@FunctionalInterface
public interface FormationListener {
    /**
     * The steps of forming, in their usual order; losses and higher generations may bring any of them but the last again.
     *
     * <p><em>Threading:</em> immutable.
     */
    enum Step {
        /** The own port is bound. */
        LISTENING,
        /** A link to a peer stands: both have said HELLO. */
        GREETED,
        /** There is a link to every peer: READY goes out to all. */
        ALL_GREETED,
        /** A peer has said READY. */
        PEER_READY,
        /** A higher generation is formed from here on. */
        RAISED,
        /** All have said READY: the generation starts. */
        STARTED
    }

    /**
     * Forming has come to a step.
     *
     * @param step       which one
     * @param generation the generation that is being formed
     * @param peer       index of the process that it concerns, −1 if it concerns all
     */
    void onStep(Step step, long generation, int peer);
}
