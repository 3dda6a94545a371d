package io.hawser.jmh.peers;

/**
 * The work that all entrants are measured at.
 *
 * <p><em>Threading:</em> immutable.
 */
public enum Workload {
    /** Large messages, one way. */
    W1("bulk: 64 KiB one way", Payload.BULK_LENGTH),

    /** Small messages, one way; each is pushed and delivered on its own. */
    W2("small: 64 B one way", 64),

    /** One small message under way at a time. */
    W3("ping-pong: 64 B round trip", 64),

    /** Small messages at a fixed rate, echoed; latency counts from the intended send time. */
    W4("paced: 64 B round trips at a fixed rate", 64),

    /** Four processes, each to each of the others. */
    W5("all to all: 1 KiB among 4 processes", 1024),

    /** {@link #W3} beside {@link #W1}, between the same processes. */
    W6("mixed: 64 B ping-pong beside 64 KiB bulk", 64);

    private static final int MESH_PROCESSES = 4;

    /** A pair for each of two lanes. */
    private static final int PAIR_PORTS = 4;

    private final String description;
    private final int messageLength;

    Workload(final String description, final int messageLength) {
        this.description = description;
        this.messageLength = messageLength;
    }

    /**
     * What happens, for people.
     *
     * @return a few words
     */
    public String description() {
        return description;
    }

    /**
     * How long a message is; of the small ones in {@link #W6}.
     *
     * @return the length in bytes
     */
    public int messageLength() {
        return messageLength;
    }

    /**
     * How many processes take part.
     *
     * @return 2 or 4
     */
    public int processCount() {
        return this == W5 ? MESH_PROCESSES : 2;
    }

    /**
     * How many free ports the processes need.
     *
     * @return the count
     */
    public int portCount() {
        return this == W5 ? MeshOutlets.portCount(MESH_PROCESSES) : PAIR_PORTS;
    }
}
