package io.hawser.spill;

import java.io.IOException;
import java.io.RandomAccessFile;

/**
 * Makes a file own its blocks of the disk. A file that is only said to be long has none: the first write to a page of its mapping asks for one, and
 * if the disk is full then, the answer is SIGBUS. So all are asked for here, where a full disk is an exception.
 *
 * <p><em>Threading:</em> any thread; no state.
 */
@FunctionalInterface
interface BlockAllocator {
    /**
     * Writes zeros, which all systems and file systems understand. Not through a channel, which an interrupt of the worker would close.
     */
    BlockAllocator ZEROS = (file, length) -> {
        final byte[] zeros = new byte[64 * 1024];
        file.seek(0);
        for (int written = 0; written < length; written += zeros.length) {
            file.write(zeros, 0, Math.min(zeros.length, length - written));
        }
    };

    /**
     * Allocates all blocks of a file.
     *
     * @param file   that is as long already, but sparse
     * @param length in bytes
     * @throws IOException if the disk is full or fails
     */
    void allocate(RandomAccessFile file, int length) throws IOException;
}
