package io.hawser.spill;

import io.hawser.allocator.SpillException;
import java.io.File;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Where the files of a store are made, beside those of other stores and processes. There is no directory of a process's own, which SIGKILL would
 * leave behind; the names of files say whose they are ({@link FileOwner}).
 *
 * <p><em>Threading:</em> any thread.
 */
final class SpillDirectory {
    private static final AtomicLong FILES = new AtomicLong();

    /** Characters of the store's name in those of files, which may have 255 in all. */
    private static final int NAME_LIMIT = 100;

    private final Path path;
    private final String name;

    /** What this store has made, the deepest first; by any thread that opens a segment. */
    private final CopyOnWriteArrayList<Path> made;

    private SpillDirectory(final Path path, final String name, final List<Path> made) {
        this.path = path;
        this.name = name;
        this.made = new CopyOnWriteArrayList<>(made);
    }

    /**
     * Makes the directory unless it exists, and removes what killed processes have left in it.
     *
     * @param directory for the files
     * @param name      of the store, for the names of files
     * @return the directory, to be closed by the caller
     * @throws SpillException if it cannot be used
     */
    static SpillDirectory open(final Path directory, final String name) {
        final Path path = directory.toAbsolutePath();
        final List<Path> made = missing(path);
        try {
            Files.createDirectories(path);
            if (!Files.isWritable(path)) {
                throw new IOException("not writable");
            }
            sweep(path);
        } catch (final IOException cause) {
            throw new SpillException(
                    "cannot spill to this directory; use another, or make it writable: directory=" + path + " cause="
                            + cause,
                    cause);
        }
        final String plain = name.replaceAll("[^A-Za-z0-9._-]", "_");
        return new SpillDirectory(path, plain.substring(0, Math.min(NAME_LIMIT, plain.length())), made);
    }

    /**
     * A new name.
     *
     * @return of a file that does not exist, in a directory that does
     * @throws IOException if the directory has been removed and cannot be made
     */
    File newFile() throws IOException {
        made.addAllAbsent(missing(path)); // another store that had made it may have removed it, found empty
        Files.createDirectories(path);
        File file;
        do {
            file = path.resolve(FileOwner.SELF.fileName(FILES.getAndIncrement(), name))
                    .toFile();
        } while (file.exists());
        return file;
    }

    /** Removes the directories that were made for it, unless others use them. Idempotent. */
    void close() {
        for (final Path each : made) {
            if (!each.toFile().delete() && Files.exists(each)) {
                return;
            }
        }
    }

    @Override
    public String toString() {
        return path.toString();
    }

    private static List<Path> missing(final Path directory) {
        final List<Path> missing = new ArrayList<>();
        for (Path each = directory; each != null && Files.notExists(each); each = each.getParent()) {
            missing.add(each);
        }
        return missing;
    }

    private static void sweep(final Path directory) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, FileOwner.PREFIX + "*")) {
            for (final Path file : files) {
                final FileOwner owner = FileOwner.of(file.getFileName().toString());
                if (owner != null && owner.isGone()) {
                    Files.deleteIfExists(file);
                }
            }
        }
    }
}
