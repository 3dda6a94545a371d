package io.hawser.framing;

import org.agrona.DirectBuffer;

/**
 * The payload of FATE: the final word of a process about a scope.
 *
 * <pre>
 *  0                   1                   2                   3
 *  0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 * +---------------------------------------------------------------+
 * |                            process                            |   0
 * +---------------------------------------------------------------+
 * |                             word                              |   4
 * +---------------------------------------------------------------+
 * |                     cancelled by process                      |   8
 * +---------------------------------------------------------------+
 * |                      cancelled by worker                      |  12
 * +---------------------------------------------------------------+
 * |      count of int64 below     |          text length          |  16
 * +---------------------------------------------------------------+
 * |                          reserved, 0                          |  20
 * +---------------------------------------------------------------+
 * |            members, one bit each, by global index          ...  24
 * +---------------------------------------------------------------+
 * |     cancelled: the reason in words; failed: an ABORT payload ...
 * +---------------------------------------------------------------+
 * </pre>
 *
 * <p>To write: members first, then {@link #cancelled} or {@link #cause()}.
 *
 * <p><em>Threading:</em> not thread-safe; one thread owns a flyweight at a time.
 */
public final class FateFlyweight extends PayloadFlyweight {

    private static final int PROCESS_OFFSET = 0;
    private static final int WORD_OFFSET = PROCESS_OFFSET + Integer.BYTES;
    private static final int BY_PROCESS_OFFSET = WORD_OFFSET + Integer.BYTES;
    private static final int BY_WORKER_OFFSET = BY_PROCESS_OFFSET + Integer.BYTES;
    private static final int MEMBER_LONGS_OFFSET = BY_WORKER_OFFSET + Integer.BYTES;
    private static final int TEXT_LENGTH_OFFSET = MEMBER_LONGS_OFFSET + Short.BYTES;
    private static final int RESERVED_OFFSET = TEXT_LENGTH_OFFSET + Short.BYTES;

    /** Bytes of the fields that every FATE has. */
    public static final int FIXED_LENGTH = RESERVED_OFFSET + Integer.BYTES;

    /** As many words of 64 members each as fit. */
    public static final int MEMBER_LONGS_LIMIT = 64;

    /** Bytes of the longest payload of this type. */
    public static final int MAX_LENGTH = FIXED_LENGTH + MEMBER_LONGS_LIMIT * Long.BYTES + AbortFlyweight.MAX_LENGTH;

    private static final int NOBODY = -1;

    private final AbortFlyweight cause = new AbortFlyweight();

    /** Creates a flyweight that is not yet wrapped. */
    public FateFlyweight() {}

    /**
     * Wraps the payload of a frame.
     *
     * @param buffer that holds it.
     * @param offset of the payload's first byte.
     * @param length of the payload without the padding.
     * @return this.
     */
    public FateFlyweight wrap(final DirectBuffer buffer, final int offset, final int length) {
        view.wrap(buffer, offset, length);
        if (length >= FIXED_LENGTH) {
            wrapCause();
        }
        return this;
    }

    /**
     * Whose word it is.
     *
     * @return the index of the process.
     */
    public int process() {
        return getInt(PROCESS_OFFSET);
    }

    /**
     * The word.
     *
     * @return the constant, or null if the number is outside the closed set.
     */
    public FateWord word() {
        return FateWord.of(getInt(WORD_OFFSET));
    }

    /**
     * Who has asked for the end of a cancelled scope.
     *
     * @return the index of the process, −1 if the scope is not cancelled.
     */
    public int cancelledByProcess() {
        return getInt(BY_PROCESS_OFFSET);
    }

    /**
     * Which worker has asked for the end of a cancelled scope.
     *
     * @return its global index, −1 if the scope is not cancelled, or not by a worker.
     */
    public int cancelledByWorker() {
        return getInt(BY_WORKER_OFFSET);
    }

    /**
     * The length of the set of members.
     *
     * @return how many int64 it takes; 0 if all workers of the cluster are members.
     */
    public int memberLongs() {
        return getUint16(MEMBER_LONGS_OFFSET);
    }

    /**
     * A part of the set of members.
     *
     * @param index 0…{@link #memberLongs()} − 1.
     * @return 64 members, one bit each.
     */
    public long members(final int index) {
        return getLong(FIXED_LENGTH + index * Long.BYTES);
    }

    /**
     * Why the scope was cancelled. What is not UTF-8 in it is replaced.
     *
     * @return the text, maybe empty.
     */
    public String text() {
        return getText(tailOffset(), textLength());
    }

    /**
     * Why the scope has failed; of a word that says so, to be read or put.
     *
     * @return always the same view.
     */
    public AbortFlyweight cause() {
        return cause;
    }

    /**
     * Puts whose word it is, and of which members; nobody has cancelled, until {@link #cancelled} says so.
     *
     * @param process the index of the process.
     * @param word    the constant.
     * @param members one bit each; empty for all workers of the cluster.
     * @return this.
     */
    public FateFlyweight word(final int process, final FateWord word, final long[] members) {
        putInt(PROCESS_OFFSET, process);
        putInt(WORD_OFFSET, word.number());
        putInt(BY_PROCESS_OFFSET, NOBODY);
        putInt(BY_WORKER_OFFSET, NOBODY);
        putUint16(MEMBER_LONGS_OFFSET, members.length);
        for (int i = 0; i < members.length; i++) {
            putLong(FIXED_LENGTH + i * Long.BYTES, members[i]);
        }
        if (word == FateWord.FAILED) {
            cause.begin(view, tailOffset(), view.capacity() - tailOffset());
        }
        return this;
    }

    /**
     * Puts who has cancelled the scope, and why.
     *
     * @param process the index of the process.
     * @param worker  its worker's global index, or −1.
     * @param text    the words, cut to {@link #TEXT_LIMIT} bytes at a code-point boundary, null as empty.
     * @return this.
     */
    public FateFlyweight cancelled(final int process, final int worker, final CharSequence text) {
        putInt(BY_PROCESS_OFFSET, process);
        putInt(BY_WORKER_OFFSET, worker);
        putText(TEXT_LENGTH_OFFSET, tailOffset(), text, TEXT_LIMIT);
        return this;
    }

    private int tailOffset() {
        return FIXED_LENGTH + memberLongs() * Long.BYTES;
    }

    private int textLength() {
        return getUint16(TEXT_LENGTH_OFFSET);
    }

    private boolean isFailed() {
        return getInt(WORD_OFFSET) == FateWord.FAILED.number();
    }

    private void wrapCause() {
        final int tail = tailOffset();
        if (isFailed() && tail <= view.capacity()) {
            cause.wrap(view, tail, view.capacity() - tail);
        }
    }

    @Override
    public int payloadLength() {
        return tailOffset() + textLength() + (isFailed() ? cause.payloadLength() : 0);
    }

    @Override
    public FrameFault validate() {
        if (view.capacity() < FIXED_LENGTH
                || memberLongs() > MEMBER_LONGS_LIMIT
                || textLength() > TEXT_LIMIT
                || view.capacity() < tailOffset() + textLength()) {
            return FrameFault.BAD_PAYLOAD;
        }
        if (isFailed()) {
            final FrameFault fault = cause.validate();
            if (fault != FrameFault.NONE) {
                return fault;
            }
        }
        if (!isWhole()) {
            return FrameFault.BAD_PAYLOAD;
        }
        if (getInt(RESERVED_OFFSET) != 0) {
            return FrameFault.RESERVED_BITS;
        }
        return word() != null && process() >= 0 && isCanceller() ? FrameFault.NONE : FrameFault.BAD_VALUE;
    }

    private boolean isCanceller() {
        return word() == FateWord.CANCELLED
                ? cancelledByProcess() >= 0 && cancelledByWorker() >= NOBODY
                : cancelledByProcess() == NOBODY && cancelledByWorker() == NOBODY && textLength() == 0;
    }

    @Override
    int fixedLength() {
        return FIXED_LENGTH;
    }

    @Override
    FrameType type() {
        return FrameType.FATE;
    }

    @Override
    void describe(final StringBuilder text) {
        text.append(" process=")
                .append(process())
                .append(" word=")
                .append(getInt(WORD_OFFSET))
                .append(" cancelledByProcess=")
                .append(cancelledByProcess())
                .append(" cancelledByWorker=")
                .append(cancelledByWorker())
                .append(" memberLongs=")
                .append(memberLongs());
    }
}
