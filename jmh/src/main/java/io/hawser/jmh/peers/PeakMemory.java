package io.hawser.jmh.peers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The most memory that this process has had resident, as Linux tells it.
 *
 * <p><em>Threading:</em> safe; no state.
 */
final class PeakMemory {
    private static final String LABEL = "VmHWM:";

    private PeakMemory() {}

    /** The peak in MiB; not a number where the system does not tell. */
    static double mebibytes() {
        try {
            return parse(Files.readAllLines(Path.of("/proc/self/status")));
        } catch (final IOException e) {
            return Double.NaN;
        }
    }

    static double parse(final List<String> status) {
        return status.stream()
                .filter(line -> line.startsWith(LABEL))
                .map(line -> line.substring(LABEL.length()).strip().split(" ", 2)[0])
                .mapToDouble(kibibytes -> Long.parseLong(kibibytes) / 1024.0)
                .findFirst()
                .orElse(Double.NaN);
    }
}
