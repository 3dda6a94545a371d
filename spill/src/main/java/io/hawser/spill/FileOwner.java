package io.hawser.spill;

import java.time.Instant;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The process that a file belongs to, as its name tells: {@code hawser-spill-<pid>-<start in ms since 1970>-<number>-<store>}. The start tells a
 * process from a later one that was given the same id.
 *
 * <p><em>Threading:</em> immutable.
 */
record FileOwner(long pid, long startMs) {
    /** What the names of all files start with. */
    static final String PREFIX = "hawser-spill-";

    /** This process. */
    static final FileOwner SELF = new FileOwner(
            ProcessHandle.current().pid(), startMs(ProcessHandle.current()).orElse(0L));

    /** A process tells its start to hundredths of a second, and on Linux by way of a clock that is corrected now and then. */
    private static final long TOLERANCE_MS = 10_000;

    private static final Pattern NAME = Pattern.compile(PREFIX + "(\\d{1,18})-(\\d{1,18})-\\d+-.*");

    /** The owner of a file, or null if the name is not one of ours. */
    static FileOwner of(final String fileName) {
        final Matcher matcher = NAME.matcher(fileName);
        return matcher.matches()
                ? new FileOwner(Long.parseLong(matcher.group(1)), Long.parseLong(matcher.group(2)))
                : null;
    }

    String fileName(final long number, final String store) {
        return PREFIX + pid + "-" + startMs + "-" + number + "-" + store;
    }

    /** Whether the process has certainly ended. */
    boolean isGone() {
        final Optional<ProcessHandle> process = ProcessHandle.of(pid);
        if (process.isEmpty()) {
            return true;
        }
        final Optional<Long> started = startMs == 0 ? Optional.empty() : startMs(process.get());
        return started.isPresent() && Math.abs(started.get() - startMs) > TOLERANCE_MS;
    }

    private static Optional<Long> startMs(final ProcessHandle process) {
        return process.info().startInstant().map(Instant::toEpochMilli);
    }
}
