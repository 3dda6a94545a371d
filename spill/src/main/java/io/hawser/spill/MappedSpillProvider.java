package io.hawser.spill;

import io.hawser.allocator.SpillStore;
import io.hawser.transport.RuntimeFlags;
import java.nio.file.Path;

/**
 * Opens stores over memory-mapped files. What {@link java.util.ServiceLoader} finds.
 *
 * <p>The files are on the disk in full before they are written to, so that a full disk is a {@link io.hawser.allocator.SpillException} and not the
 * death of the JVM by SIGBUS. That holds for file systems that keep a block once it is written; not for those that compress zeros away or copy on
 * write (ZFS, Btrfs): use another for the directory, or leave them room.
 *
 * <p>On Linux and other POSIX systems no file has a name while it holds messages, so that nothing remains whatever ends the process; elsewhere the
 * next store in the same directory removes what a killed process has left.
 *
 * <p><em>Threading:</em> any thread; no state.
 */
public final class MappedSpillProvider implements SpillStore.Provider {
    /** Creates the provider; for {@link java.util.ServiceLoader}. */
    public MappedSpillProvider() {}

    /**
     * {@inheritDoc}
     *
     * @throws IllegalArgumentException if the limit is not positive
     */
    @Override
    public SpillStore open(final Path directory, final String name, final long limit) {
        RuntimeFlags.check();
        ChronicleFlags.check();
        if (limit <= 0) {
            throw new IllegalArgumentException("a store needs room: limit=" + limit);
        }
        return new MappedSpillStore(SpillDirectory.open(directory, name), limit, BlockAllocator.ZEROS);
    }
}
