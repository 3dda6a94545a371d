package io.hawser.jmh.peers;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Reads a {@link Part} from a command line; what is not there, from the environment; what is not there either has a default.
 *
 * <p><em>Threading:</em> safe; no state.
 */
final class PartParser {
    private PartParser() {}

    /**
     * Reads a part.
     *
     * @param arguments   names and values
     * @param environment of the process
     * @return the part
     * @throws IllegalArgumentException if they make no sense
     */
    static Part parse(final List<String> arguments, final Map<String, String> environment) {
        final Map<PartOption, String> values = new EnumMap<>(PartOption.class);
        for (final PartOption option : PartOption.values()) {
            values.put(option, environment.getOrDefault(option.variable(), option.fallback()));
        }
        for (int i = 0; i < arguments.size(); i += 2) {
            if (i + 1 == arguments.size()) {
                throw new IllegalArgumentException("value is missing: option=" + arguments.get(i));
            }
            values.put(option(arguments.get(i)), arguments.get(i + 1));
        }
        final Role role = Role.of(values.get(PartOption.ROLE));
        final String index = values.get(PartOption.INDEX);
        return new Part(
                values.get(PartOption.ENTRANT),
                Workload.valueOf(values.get(PartOption.WORKLOAD)),
                role,
                role == Role.NODE ? Integer.parseInt(index) : role.ordinal(),
                values.get(PartOption.HOST),
                ports(values.get(PartOption.PORTS)),
                Long.parseLong(values.get(PartOption.WARM_MS)),
                Long.parseLong(values.get(PartOption.MEASURE_MS)),
                Integer.parseInt(values.get(PartOption.RATE)),
                Path.of(
                        values.get(PartOption.DIR).isEmpty()
                                ? System.getProperty("java.io.tmpdir")
                                : values.get(PartOption.DIR)));
    }

    private static PartOption option(final String argument) {
        return Arrays.stream(PartOption.values())
                .filter(option -> argument.equals("--" + option.argument()))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no such option: option=" + argument));
    }

    private static List<Integer> ports(final String list) {
        return list.isEmpty()
                ? List.of()
                : Arrays.stream(list.split(",")).map(Integer::valueOf).toList();
    }
}
