package io.hawser.flink;

/**
 * How channels of one link have ended since that was told last: a job of a thousand channels that is cancelled is one line, not a thousand.
 *
 * <p><em>Threading:</em> for the thread of the link's {@link ShuffleAgent}.
 */
final class EndCounts {
    private final StringBuilder text = new StringBuilder();
    private final int[] counts = new int[Kind.values().length];
    private final OutboundChannel[] firsts = new OutboundChannel[Kind.values().length];
    private boolean isEmpty = true;

    /** What is told of. */
    enum Kind {
        CONSUMER_CANCELLED("cancelled by their consumers"),
        CONSUMER_FAILED("given up by consumers that failed"),
        PRODUCER_CANCELLED("released by their producers, which were cancelled"),
        PRODUCER_FAILED("of producers that failed");

        private final String phrase;

        Kind(final String phrase) {
            this.phrase = phrase;
        }
    }

    void add(final Kind kind, final OutboundChannel channel) {
        isEmpty = false;
        if (counts[kind.ordinal()]++ == 0) {
            firsts[kind.ordinal()] = channel;
        }
    }

    /** {@return what has ended, and forgets it; null if nothing has} */
    String take() {
        if (isEmpty) {
            return null;
        }
        text.setLength(0);
        for (final Kind kind : Kind.values()) {
            final int i = kind.ordinal();
            if (counts[i] > 0) {
                text.append(text.length() == 0 ? "" : ", ")
                        .append(counts[i])
                        .append(' ')
                        .append(kind.phrase)
                        .append(" (first: ")
                        .append(firsts[i])
                        .append(')');
                counts[i] = 0;
                firsts[i] = null;
            }
        }
        isEmpty = true;
        return text.toString();
    }
}
