package io.hawser.jmh.peers;

/**
 * A transport that takes part.
 *
 * <p><em>Threading:</em> the main thread of a process, which plays one part and ends.
 */
interface Entrant {
    /**
     * Plays the part of one process, from making itself known to having measured.
     *
     * @param part  what to do
     * @param stage to be told when this process can be connected to
     * @return what was measured here
     * @throws Exception whatever goes wrong; the run counts for nothing
     */
    ResultLine play(Part part, Stage stage) throws Exception;
}
