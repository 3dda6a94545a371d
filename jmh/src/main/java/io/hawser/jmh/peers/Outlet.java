package io.hawser.jmh.peers;

/**
 * The sending side of a transport, as the work sees it. Each entrant builds a message in the form that is natural to its transport.
 *
 * <p><em>Threading:</em> one thread at a time.
 */
interface Outlet {
    /** For whoever only receives. */
    Outlet NONE = new Outlet() {
        @Override
        public void send(final long first, final long last) {
            throw new IllegalStateException("this side only receives: first=" + first);
        }

        @Override
        public void sendBulk(final int number) {
            throw new IllegalStateException("this side only receives: number=" + number);
        }

        @Override
        public void flush() {
            // nothing is ever held back
        }
    };

    /**
     * Hands one small message to the transport. Waits as the transport's back-pressure asks.
     *
     * @param first long of the message
     * @param last  long of the message
     */
    void send(long first, long last);

    /**
     * Hands one large message to the transport, of those that were made beforehand.
     *
     * @param number of the message
     */
    void sendBulk(int number);

    /** Lets go what the transport holds back. */
    void flush();
}
