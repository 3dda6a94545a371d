package io.hawser.spill;

import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import net.openhft.chronicle.bytes.MappedBytesStore;
import net.openhft.chronicle.bytes.MappedFile;
import net.openhft.chronicle.bytes.SyncMode;
import net.openhft.chronicle.core.io.ReferenceOwner;

/**
 * One mapped file, which has all of its blocks, and no name any more where the system lets a mapped file be deleted. No descriptor is kept.
 *
 * <p><em>Threading:</em> one thread at a time.
 */
final class SegmentFile implements ReferenceOwner {
    private final int length;
    private final MappedFile file;
    private final MappedBytesStore memory;
    private final boolean isUnlinked;

    /**
     * Makes, maps and unlinks a file, in this order and without pause, then allocates its blocks; nobody touches the memory before that.
     *
     * @param path   that does not exist
     * @param length in bytes
     * @param blocks that allocates
     * @throws IOException if the disk is full or fails; the file is gone then
     */
    SegmentFile(final File path, final int length, final BlockAllocator blocks) throws IOException {
        this.length = length;
        final boolean wasInterrupted =
                Thread.interrupted(); // which would close the channel that Chronicle asks for the length
        MappedBytesStore mapped = null;
        boolean isAllocated = false;
        file = MappedFile.of(path, length, 0, false);
        try (RandomAccessFile open = file.raf()) {
            open.setLength(length);
            mapped = file.acquireByteStore(this, 0, null, Mapping::new);
            mapped.syncMode(SyncMode.NONE);
            isUnlinked = path.delete();
            blocks.allocate(open, length);
            isAllocated = true;
        } finally {
            memory = mapped;
            if (!isAllocated) {
                close();
            }
            if (wasInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Its length in bytes. */
    int length() {
        return length;
    }

    /** Where its memory starts. */
    long address() {
        return memory.addressForRead(0);
    }

    /** Unmaps and deletes it, at once. */
    void close() {
        if (memory != null) {
            memory.releaseLast(this);
        }
        file.releaseLast();
        if (!isUnlinked) {
            file.file().delete();
        }
    }

    /** Chronicle's mapping, but unmapped by who releases it: Chronicle leaves that to a thread, and the disk would be full for a while longer. */
    private static final class Mapping extends MappedBytesStore {
        Mapping(
                final ReferenceOwner owner,
                final MappedFile file,
                final long start,
                final long address,
                final long capacity,
                final long safeCapacity,
                final int pageSize) {
            super(owner, file, start, address, capacity, safeCapacity, pageSize);
        }

        @Override
        protected boolean canReleaseInBackground() {
            return false;
        }
    }
}
