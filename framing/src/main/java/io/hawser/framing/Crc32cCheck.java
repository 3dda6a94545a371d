package io.hawser.framing;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.agrona.DirectBuffer;

/**
 * Computes CRC32C (Castagnoli, as in RFC 3720) over a region of any {@link DirectBuffer}, without allocation in
 * steady state.
 *
 * <p>The JDK's CRC32C is an intrinsic for arrays and for direct {@link ByteBuffer}s. A region on the heap goes to it
 * as an array. A region off the heap goes through a duplicate of its ByteBuffer, so that the position and limit of
 * the original stay untouched; the duplicates are kept for a few buffers. If more buffers than that take turns, a
 * short region is copied into a scratch array instead, since a header is checked for each frame and a duplicate would
 * be garbage. Memory without either (a bare address) is copied in pieces.
 *
 * <p><em>Threading:</em> not thread-safe; each thread that seals or decodes owns one.
 */
public final class Crc32cCheck {

    /** A header fits, and every link of a large mesh has several of these. */
    private static final int COPY_LIMIT = 128;

    private static final int VIEW_COUNT = 8;

    private final CRC32C crc = new CRC32C();
    private final byte[] scratch = new byte[COPY_LIMIT];
    private final ByteBuffer[] originals = new ByteBuffer[VIEW_COUNT];
    private final ByteBuffer[] views = new ByteBuffer[VIEW_COUNT];
    private int nextView;

    /** Creates one with no views kept. */
    public Crc32cCheck() {}

    /**
     * Computes the CRC32C of a region.
     *
     * @param buffer that holds the region.
     * @param offset of the region's first byte.
     * @param length of the region in bytes.
     * @return the CRC as it stands on the wire, an unsigned 32-bit number.
     */
    public int compute(final DirectBuffer buffer, final int offset, final int length) {
        buffer.boundsCheck(offset, length);
        crc.reset();
        final byte[] array = buffer.byteArray();
        if (array != null) {
            crc.update(array, buffer.wrapAdjustment() + offset, length);
        } else {
            updateFromMemory(buffer, offset, length);
        }
        return (int) crc.getValue();
    }

    private void updateFromMemory(final DirectBuffer buffer, final int offset, final int length) {
        final ByteBuffer original = buffer.byteBuffer();
        final ByteBuffer view = original == null ? null : view(original, length);
        if (view == null) {
            updateByCopy(buffer, offset, length);
            return;
        }
        final int start = buffer.wrapAdjustment() + offset;
        view.limit(start + length).position(start);
        crc.update(view);
    }

    private void updateByCopy(final DirectBuffer buffer, final int offset, final int length) {
        int done = 0;
        while (done < length) {
            final int piece = Math.min(COPY_LIMIT, length - done);
            buffer.getBytes(offset + done, scratch, 0, piece);
            crc.update(scratch, 0, piece);
            done += piece;
        }
    }

    // identity is meant: equal content says nothing about the memory behind it
    @SuppressWarnings("ReferenceEquality")
    private ByteBuffer view(final ByteBuffer original, final int length) {
        for (int i = 0; i < VIEW_COUNT; i++) {
            if (originals[i] == original) {
                return views[i].clear();
            }
        }
        return originals[nextView] == null || length > COPY_LIMIT ? newView(original) : null;
    }

    private ByteBuffer newView(final ByteBuffer original) {
        final ByteBuffer view = original.duplicate().clear();
        originals[nextView] = original;
        views[nextView] = view;
        nextView = (nextView + 1) % VIEW_COUNT;
        return view;
    }
}
