package io.hawser.spill;

import org.agrona.BitUtil;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A stretch of a queue: pieces one after the other in the memory of one file. None of them goes on in another. Each starts at a multiple of 8, in
 * the byte order of the machine:
 *
 * <pre>
 *    0                   1                   2                   3
 *    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *   +---------------------------------------------------------------+
 *   |                              tag                              |
 *   |                                                               |
 *   +---------------------------------------------------------------+
 *   |                     length of the payload                     |
 *   +---------------------------------------------------------------+
 *   |                            unused                             |
 *   +---------------------------------------------------------------+
 *   |                  payload, padded to 8 bytes                  ...
 *   +---------------------------------------------------------------+
 * </pre>
 *
 * <p><em>Threading:</em> one thread at a time.
 */
final class Segment {
    /** Of a piece, before its payload. */
    static final int HEADER_LENGTH = 16;

    /** Lengths of segments are multiples of it: of the page size everywhere, and of what Windows maps. */
    static final int GRANULE = 64 * 1024;

    /** What fits the longest segment that an int can address. */
    static final int MAX_PIECE_LENGTH = Integer.MAX_VALUE - 2 * GRANULE;

    private static final int LENGTH_OFFSET = 8;
    private static final int ALIGNMENT = 8;

    /** The segment behind this one, or null; the queue's. */
    Segment next;

    private final SegmentFile file;
    private final UnsafeBuffer memory;
    private int readPosition;
    private int writePosition;

    Segment(final SegmentFile file) {
        this.file = file;
        memory = new UnsafeBuffer(file.address(), file.length());
    }

    /** How long a segment has to be for one piece, in bytes. */
    static int lengthFor(final int pieceLength) {
        return BitUtil.align(HEADER_LENGTH + pieceLength, GRANULE);
    }

    int length() {
        return memory.capacity();
    }

    boolean isEmpty() {
        return readPosition == writePosition;
    }

    boolean hasRoomFor(final int pieceLength) {
        return pieceLength <= memory.capacity() - writePosition - HEADER_LENGTH;
    }

    /** Appends a piece, for which there has to be room. It is there only once all of it has been written. */
    void append(final long tag, final DirectBuffer source, final int offset, final int length) {
        memory.putLong(writePosition, tag);
        memory.putInt(writePosition + LENGTH_OFFSET, length);
        memory.putBytes(writePosition + HEADER_LENGTH, source, offset, length);
        writePosition += recordLength(length);
    }

    DirectBuffer buffer() {
        return memory;
    }

    int headOffset() {
        return readPosition + HEADER_LENGTH;
    }

    int headLength() {
        return memory.getInt(readPosition + LENGTH_OFFSET);
    }

    long headTag() {
        return memory.getLong(readPosition);
    }

    void removeHead() {
        readPosition += recordLength(headLength());
    }

    /** Makes an empty segment as if new. */
    void reset() {
        readPosition = 0;
        writePosition = 0;
    }

    /** Gives its memory and its place on the disk back; who still holds the buffer finds it empty. */
    void close() {
        memory.wrap(0, 0);
        file.close();
    }

    private static int recordLength(final int pieceLength) {
        return BitUtil.align(HEADER_LENGTH + pieceLength, ALIGNMENT);
    }
}
