package io.hawser.jmh.peers;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * All transports that can take part, by name. The classes of one are loaded only when it is asked for.
 *
 * <p><em>Threading:</em> safe; no state.
 */
public enum Entrants {
    /** Ours. */
    HAWSER("hawser", () -> new HawserEntrant("hawser", HawserIdle.PARK)),

    /** What the others are compared with. */
    RAW_NIO("raw-nio", () -> new NioEntrant("raw-nio", NioEntrant.Style.DIRECT)),

    /** The same with a thread of its own for writing. */
    RAW_NIO_QUEUE("raw-nio-queue", () -> new NioEntrant("raw-nio-queue", NioEntrant.Style.QUEUE)),

    /** No messages, only bytes. */
    RAW_PUMP("raw-pump", PumpEntrant::new),

    /** Ours, with workers that never sleep. */
    HAWSER_SPIN("hawser-spin", () -> new HawserEntrant("hawser-spin", HawserIdle.SPIN)),

    /** Hand-written, with receiving threads that never sleep. */
    RAW_NIO_SPIN("raw-nio-spin", () -> new NioEntrant("raw-nio-spin", NioEntrant.Style.SPIN));

    /** The name of the transport that all are compared with. */
    public static final String REFERENCE = "raw-nio";

    private final String entrantName;
    private final Supplier<Entrant> supplier;

    Entrants(final String entrantName, final Supplier<Entrant> supplier) {
        this.entrantName = entrantName;
        this.supplier = supplier;
    }

    /**
     * The names of all.
     *
     * @return in the order of tables
     */
    public static List<String> names() {
        final List<String> names = new ArrayList<>();
        for (final Entrants entrant : values()) {
            names.add(entrant.entrantName);
        }
        return names;
    }

    /**
     * Those that can do a work.
     *
     * @param workload the work
     * @return their names, in the order of tables
     */
    public static List<String> namesOf(final Workload workload) {
        return names().stream()
                .filter(name -> of(name).workloads().contains(workload))
                .toList();
    }

    /**
     * The work that one can do.
     *
     * @param name of it
     * @return in the order of the works
     */
    public static Set<Workload> workloadsOf(final String name) {
        return of(name).workloads();
    }

    static Entrant of(final String name) {
        for (final Entrants entrant : values()) {
            if (entrant.entrantName.equals(name)) {
                return entrant.supplier.get();
            }
        }
        throw new IllegalArgumentException("no such entrant: name=" + name + " names=" + names());
    }
}
