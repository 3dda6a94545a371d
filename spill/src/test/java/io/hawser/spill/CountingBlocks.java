package io.hawser.spill;

import java.io.IOException;
import java.io.RandomAccessFile;

/** Allocates like production does, counts, and runs out of disk when told. */
final class CountingBlocks implements BlockAllocator {
    int files;
    boolean isDiskFull;

    @Override
    public void allocate(final RandomAccessFile file, final int length) throws IOException {
        if (isDiskFull) {
            file.write(1);
            throw new IOException("No space left on device (injected)");
        }
        files++;
        ZEROS.allocate(file, length);
    }
}
