package io.hawser.jmh.peers;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a process has measured, told in one line: {@code RESULT} and a flat JSON object of numbers.
 *
 * <p><em>Threading:</em> one thread.
 */
public final class ResultLine {
    /** Messages per second, a number of the result. */
    public static final String MESSAGES_PER_S = "msgs_per_s";

    /** Payload in 10⁹ bytes per second. */
    public static final String GBYTES_PER_S = "gbytes_per_s";

    /** Median latency, microseconds. */
    public static final String P50_US = "p50_us";

    /** The latency that one in a hundred exceeds. */
    public static final String P99_US = "p99_us";

    /** The latency that one in a thousand exceeds. */
    public static final String P999_US = "p999_us";

    /** The longest latency. */
    public static final String MAX_US = "max_us";

    /** Round trips per second. */
    public static final String ROUND_TRIPS_PER_S = "trips_per_s";

    /** Messages that were verified. */
    public static final String COUNT = "count";

    /** Messages that were sent and did not arrive. */
    public static final String LOST = "lost";

    /** Messages out of order or of wrong content. */
    public static final String BAD = "bad";

    /** Cores that the process kept busy on average. */
    public static final String CPU_CORES = "cpu_cores";

    /** The most memory that was resident, MiB. */
    public static final String PEAK_MIB = "peak_mib";

    /** How the line begins. */
    public static final String PREFIX = "RESULT ";

    private static final Pattern MEMBER = Pattern.compile("\"([a-z0-9_]+)\"\\s*:\\s*(-?[0-9][0-9.eE+-]*)");

    private final Map<String, Double> numbers = new LinkedHashMap<>();

    /**
     * Adds a number; one that is not finite is left out.
     *
     * @param name  of the number
     * @param value of the number
     * @return this
     */
    public ResultLine with(final String name, final double value) {
        if (Double.isFinite(value)) {
            numbers.put(name, value);
        }
        return this;
    }

    /**
     * Adds a number to the one that stands here already, if any.
     *
     * @param name  of the number
     * @param value to be added
     */
    public void add(final String name, final double value) {
        numbers.merge(name, value, Double::sum);
    }

    /**
     * A number.
     *
     * @param name of the number
     * @return its value; empty if it was not told
     */
    public OptionalDouble get(final String name) {
        final Double value = numbers.get(name);
        return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
    }

    /**
     * All numbers.
     *
     * @return by name, in the order in which they were added
     */
    public Map<String, Double> numbers() {
        return Map.copyOf(numbers);
    }

    /**
     * Reads a line.
     *
     * @param line as {@link #toString()} writes it; members that are not numbers are passed over
     * @return the numbers in it
     * @throws IllegalArgumentException if it is another kind of line
     */
    public static ResultLine parse(final String line) {
        final String json =
                line.startsWith(PREFIX) ? line.substring(PREFIX.length()).strip() : "";
        if (!json.startsWith("{") || !json.endsWith("}")) {
            throw new IllegalArgumentException("not a result: line=" + line);
        }
        final ResultLine result = new ResultLine();
        final Matcher matcher = MEMBER.matcher(json);
        while (matcher.find()) {
            result.with(matcher.group(1), Double.parseDouble(matcher.group(2)));
        }
        return result;
    }

    /**
     * The line.
     *
     * @return {@link #PREFIX} and the numbers
     */
    @Override
    public String toString() {
        final StringBuilder line = new StringBuilder(PREFIX).append('{');
        numbers.forEach((name, value) -> {
            line.append(line.charAt(line.length() - 1) == '{' ? "" : ",");
            line.append('"').append(name).append("\":").append(text(value));
        });
        return line.append('}').toString();
    }

    private static String text(final double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e15
                ? Long.toString((long) value)
                : Double.toString(value);
    }
}
