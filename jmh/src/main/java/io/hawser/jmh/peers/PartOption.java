package io.hawser.jmh.peers;

import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The parameters of a {@link Part}, as they stand on a command line ({@code --warm-ms 1000}) or in the environment ({@code BENCH_WARM_MS=1000}).
 *
 * <p><em>Threading:</em> immutable.
 */
enum PartOption {
    ENTRANT("hawser", Part::entrant),
    WORKLOAD("W2", part -> part.workload().name()),
    ROLE("receiver", part -> part.role().argument()),
    INDEX("", part -> Integer.toString(part.index())),
    HOST("127.0.0.1", Part::host),
    PORTS("", part -> part.ports().stream().map(port -> Integer.toString(port)).collect(Collectors.joining(","))),
    WARM_MS("3000", part -> Long.toString(part.warmUpMs())),
    MEASURE_MS("8000", part -> Long.toString(part.measureMs())),
    RATE("100000", part -> Integer.toString(part.ratePerS())),
    DIR("", part -> part.directory().toString());

    private final String fallback;
    private final Function<Part, String> value;

    PartOption(final String fallback, final Function<Part, String> value) {
        this.fallback = fallback;
        this.value = value;
    }

    /** The name on the command line, without dashes in front. */
    String argument() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The name in the environment. */
    String variable() {
        return "BENCH_" + name();
    }

    /** What holds where neither says anything. */
    String fallback() {
        return fallback;
    }

    String of(final Part part) {
        return value.apply(part);
    }
}
