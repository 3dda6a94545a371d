package io.hawser.flink;

/**
 * How a consumer has ended one of its channels, as it tells the producer.
 *
 * <p><em>Threading:</em> immutable.
 */
enum ConsumerEnd {
    /** It had received the end of the partition. */
    FINISHED(1),

    /** It let go before that: its task was cancelled. */
    CANCELLED(2),

    /** It let go before that: its task had failed. */
    FAILED(3);

    private final int code;

    ConsumerEnd(final int code) {
        this.code = code;
    }

    /** {@return its number on the wire} */
    int code() {
        return code;
    }

    /** {@return the end with that number; {@link #CANCELLED} for one that this version does not know} */
    static ConsumerEnd of(final int code) {
        for (final ConsumerEnd end : values()) {
            if (end.code == code) {
                return end;
            }
        }
        return CANCELLED;
    }
}
