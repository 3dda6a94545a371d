package io.hawser.allocator;

import org.agrona.DirectBuffer;

/**
 * Sees messages piece by piece, where the pieces lie. Pieces of one message come in order; between them may come whole messages and pieces from other
 * workers.
 *
 * <p><em>Threading:</em> called by the worker's thread, from within {@link RawPuller#pollFragments}.
 */
@FunctionalInterface
public interface FragmentHandler {
    /**
     * A piece of a message, or all of it. What is thrown here leaves {@code pollFragments}; the piece counts as consumed.
     *
     * @param buffer        that holds the piece. Lent for this call: whoever wants the bytes afterwards copies them
     * @param offset        of the piece's first byte
     * @param length        of the piece in bytes; 0 only for a message of length 0
     * @param sourceWorker  global index of the worker that pushed it
     * @param position      where the piece belongs in its message, in bytes: 0 for the first one
     * @param messageLength of the whole message in bytes; with the last piece position + length is equal to it
     */
    void onFragment(DirectBuffer buffer, int offset, int length, int sourceWorker, long position, long messageLength);
}
