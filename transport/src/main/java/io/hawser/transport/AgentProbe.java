package io.hawser.transport;

/**
 * Where tests may make a thread of the transport fail: called once in each duty cycle. In production it does nothing.
 *
 * <p>The system property {@code hawser.test.fault} names the thread, the error and the trigger, as in
 * {@code send-1:java.lang.OutOfMemoryError@/path/of/a/file}: the send thread to process 1 throws that error once the file exists.
 * Without {@code -1} every thread of that role does. Roles are send, recv, greet and watch.
 */
interface AgentProbe {
    /** The probe of production: nothing. */
    AgentProbe NONE = (role, peer) -> {};

    /**
     * A duty cycle begins.
     *
     * @param role "send", "recv", "greet" or "watch"
     * @param peer the peer whose thread it is, -1 if it serves all
     */
    void onCycle(String role, int peer);

    /** {@return the probe for agents made from now on} */
    static AgentProbe current() {
        String fault = System.getProperty("hawser.test.fault");
        return fault == null ? NONE : FaultProbe.parse(fault);
    }
}
