package io.hawser.jmh.bench;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/**
 * A directory for the files that the processes of one run share, in memory where the system offers that. It is gone after the run, also when this
 * process is interrupted.
 *
 * <p><em>Threading:</em> one thread, and the shutdown hook.
 */
final class SharedDirectory implements AutoCloseable {
    private static final Path MEMORY = Path.of("/dev/shm");

    private final Path path;
    private final Thread hook = new Thread(this::delete, "bench-directory");

    SharedDirectory() throws IOException {
        final Path parent = Files.isWritable(MEMORY) ? MEMORY : Path.of(System.getProperty("java.io.tmpdir"));
        path = Files.createTempDirectory(parent, "hawser-bench-");
        Runtime.getRuntime().addShutdownHook(hook);
    }

    Path path() {
        return path;
    }

    @Override
    public void close() {
        delete();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (final IllegalStateException e) {
            // this JVM is shutting down, so the hook is at work
        }
    }

    @SuppressWarnings("ResultOfMethodCallIgnored") // what cannot be deleted stays
    private void delete() {
        try (Stream<Path> files = Files.walk(path)) {
            files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
        } catch (final IOException e) {
            // it is gone already
        }
    }
}
