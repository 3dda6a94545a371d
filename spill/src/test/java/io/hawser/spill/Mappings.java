package io.hawser.spill;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** What the kernel says is mapped of the files below a directory, deleted or not. */
final class Mappings {
    private static final Path MAPS = Path.of("/proc/self/maps");

    private Mappings() {}

    static void assumeKnown() {
        Assumptions.assumeTrue(Files.isReadable(MAPS), "maps=" + MAPS);
    }

    static long bytes(final Path directory) throws IOException {
        try (Stream<String> lines = Files.lines(MAPS)) {
            return lines.filter(line -> line.contains(directory.toString()))
                    .mapToLong(Mappings::length)
                    .sum();
        }
    }

    private static long length(final String line) {
        final String[] range = line.substring(0, line.indexOf(' ')).split("-");
        return Long.parseUnsignedLong(range[1], 16) - Long.parseUnsignedLong(range[0], 16);
    }
}
