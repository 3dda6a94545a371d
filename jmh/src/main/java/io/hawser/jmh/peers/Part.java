package io.hawser.jmh.peers;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * What one process of a run has to do. {@link PartParser} reads what {@link #arguments()} writes.
 *
 * <p><em>Threading:</em> immutable.
 *
 * @param entrant   name of the transport
 * @param workload  the work
 * @param role      of this process
 * @param index     of this process
 * @param host      that all processes listen on
 * @param ports     free ones of that host
 * @param warmUpMs  how long nothing is measured
 * @param measureMs how long it is measured then
 * @param ratePerS  messages per second where the rate is fixed
 * @param directory for files that the processes share
 */
public record Part(
        String entrant,
        Workload workload,
        Role role,
        int index,
        String host,
        List<Integer> ports,
        long warmUpMs,
        long measureMs,
        int ratePerS,
        Path directory) {

    /**
     * The command line of {@link EntrantProcess} for this part.
     *
     * @return names and values
     */
    public List<String> arguments() {
        final List<String> arguments = new ArrayList<>();
        for (final PartOption option : PartOption.values()) {
            arguments.add("--" + option.argument());
            arguments.add(option.of(this));
        }
        return arguments;
    }

    Window window() {
        return new Window(TimeUnit.MILLISECONDS.toNanos(warmUpMs), TimeUnit.MILLISECONDS.toNanos(measureMs));
    }

    int port(final int number) {
        if (number >= ports.size()) {
            throw new IllegalArgumentException("too few ports: number=" + number + " ports=" + ports);
        }
        return ports.get(number);
    }
}
