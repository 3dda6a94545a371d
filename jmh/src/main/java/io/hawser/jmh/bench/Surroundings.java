package io.hawser.jmh.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What figures depend on besides the code.
 *
 * <p><em>Threading:</em> immutable.
 *
 * @param facts by name, in the order in which they are told
 */
record Surroundings(Map<String, String> facts) {
    private static final Path SETTINGS = Path.of("/proc/sys/net/ipv4");
    private static final Path LOAD = Path.of("/proc/loadavg");
    private static final Path PROCESSORS = Path.of("/proc/cpuinfo");
    private static final String MODEL = "model name";

    /**
     * Looks around.
     *
     * @param congestionControl that was asked for; the kernel's if it is null
     * @param plan              what is run
     * @param clock             to tell the date
     * @return what holds now
     */
    static Surroundings now(final String congestionControl, final Plan plan, final Clock clock) {
        final Map<String, String> facts = new LinkedHashMap<>();
        facts.put(
                "date",
                DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(
                        ZonedDateTime.now(clock).truncatedTo(ChronoUnit.SECONDS)));
        facts.put(
                "congestionControl", congestionControl == null ? setting("tcp_congestion_control") : congestionControl);
        facts.put("jdk", Runtime.version() + " (" + System.getProperty("java.vm.name") + ")");
        facts.put("os", System.getProperty("os.name") + " " + System.getProperty("os.version"));
        facts.put("cores", Integer.toString(Runtime.getRuntime().availableProcessors()));
        facts.put("processor", model());
        facts.put("pin", plan.pinning().toString());
        facts.put("nice", Integer.toString(plan.priority().niceness()));
        facts.put("loadBefore", first(LOAD));
        return new Surroundings(facts);
    }

    /** All in one or two lines. */
    List<String> lines() {
        return List.of(
                "TCP congestion control " + facts.get("congestionControl") + ", JDK " + facts.get("jdk") + ", "
                        + facts.get("date"),
                facts.get("cores") + " cores (" + facts.get("processor") + "), " + facts.get("os")
                        + ", processes pinned to: " + facts.get("pin") + ", niceness " + facts.get("nice")
                        + ", load before: " + facts.get("loadBefore"));
    }

    /** A setting of the kernel for TCP. */
    static String setting(final String name) {
        return first(SETTINGS.resolve(name));
    }

    private static String first(final Path file) {
        try {
            return Files.readString(file).strip();
        } catch (final IOException e) {
            return "unknown";
        }
    }

    private static String model() {
        return first(PROCESSORS)
                .lines()
                .filter(line -> line.startsWith(MODEL))
                .map(line -> line.substring(line.indexOf(':') + 1).strip())
                .findFirst()
                .orElse("unknown");
    }
}
