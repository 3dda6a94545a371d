package io.hawser.jmh.peers;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * All transports that can take part, by name. The classes of one are loaded only when it is asked for.
 *
 * <p><em>Threading:</em> safe; no state.
 */
public enum Entrants {
    /** Ours. */
    HAWSER("hawser", EnumSet.allOf(Workload.class), () -> new HawserEntrant(HawserIdle.PARK, 1, settings -> settings)),

    /** What the others are compared with. */
    RAW_NIO("raw-nio", EnumSet.allOf(Workload.class), () -> new NioEntrant(NioEntrant.Style.DIRECT)),

    /** The same with a thread of its own for writing. */
    RAW_NIO_QUEUE("raw-nio-queue", EnumSet.allOf(Workload.class), () -> new NioEntrant(NioEntrant.Style.QUEUE)),

    /** No messages, only bytes. */
    RAW_PUMP("raw-pump", EnumSet.of(Workload.W1), PumpEntrant::new),

    /** Each message through the pipeline. */
    NETTY_EPOLL("netty-epoll", EnumSet.allOf(Workload.class), () -> new NettyEntrant(false)),

    /** Messages packed by hand. */
    NETTY_EPOLL_PACKED("netty-epoll-packed", EnumSet.of(Workload.W2), () -> new NettyEntrant(true)),

    /** A transport of its own over UDP. */
    AERON_UDP("aeron-udp", EnumSet.complementOf(EnumSet.of(Workload.W5)), () -> new AeronEntrant(false)),

    /** Shared memory, no network: a bound. */
    AERON_IPC("aeron-ipc", EnumSet.complementOf(EnumSet.of(Workload.W5)), () -> new AeronEntrant(true)),

    /** Calls over HTTP/2. */
    GRPC("grpc", EnumSet.complementOf(EnumSet.of(Workload.W5)), GrpcEntrant::new),

    /** Message queues. */
    JEROMQ("jeromq", EnumSet.complementOf(EnumSet.of(Workload.W5)), JeroEntrant::new),

    /** Ours, with workers that never sleep. */
    HAWSER_SPIN(
            "hawser-spin",
            EnumSet.of(Workload.W3, Workload.W4),
            () -> new HawserEntrant(HawserIdle.SPIN, 1, settings -> settings)),

    /** Ours, without credits: what they cost. */
    HAWSER_UNBOUNDED(
            "hawser-unbounded",
            EnumSet.of(Workload.W1, Workload.W2, Workload.W5),
            () -> new HawserEntrant(HawserIdle.PARK, 1, HawserEntrant::unbounded)),

    /** Ours, without payload checks: what they cost. */
    HAWSER_UNCHECKED(
            "hawser-unchecked",
            EnumSet.of(Workload.W1, Workload.W2, Workload.W3, Workload.W5),
            () -> new HawserEntrant(HawserIdle.PARK, 1, HawserEntrant::unchecked)),

    /** Ours, without heartbeats: what they cost. */
    HAWSER_UNWATCHED(
            "hawser-unwatched",
            EnumSet.of(Workload.W1, Workload.W2, Workload.W3, Workload.W5),
            () -> new HawserEntrant(HawserIdle.PARK, 1, HawserEntrant::unwatched)),

    /** Ours, all threads virtual ones, on a JDK that has them. */
    HAWSER_VIRTUAL(
            "hawser-virtual",
            EnumSet.allOf(Workload.class),
            () -> new HawserEntrant(HawserIdle.PARK, 1, HawserEntrant::virtual)),

    /** Ours, over several channels. */
    HAWSER_16(
            "hawser-16ch", EnumSet.of(Workload.W2), () -> new HawserEntrant(HawserIdle.PARK, 16, settings -> settings)),

    /** The same without credits. */
    HAWSER_16_UNBOUNDED(
            "hawser-16ch-unbounded",
            EnumSet.of(Workload.W2),
            () -> new HawserEntrant(HawserIdle.PARK, 16, HawserEntrant::unbounded)),

    /** Ours, over many channels. */
    HAWSER_1000(
            "hawser-1000ch",
            EnumSet.of(Workload.W2),
            () -> new HawserEntrant(HawserIdle.PARK, 1_000, settings -> settings)),

    /** The same with each channel in a dataflow of its own, which has ten open. */
    HAWSER_1000_FLOWS(
            "hawser-1000flows",
            EnumSet.of(Workload.W2),
            () -> new HawserEntrant(HawserIdle.PARK, 1_000, 10, settings -> settings)),

    /** The same without credits. */
    HAWSER_1000_UNBOUNDED(
            "hawser-1000ch-unbounded",
            EnumSet.of(Workload.W2),
            () -> new HawserEntrant(HawserIdle.PARK, 1_000, HawserEntrant::unbounded)),

    /** Hand-written, with receiving threads that never sleep. */
    RAW_NIO_SPIN("raw-nio-spin", EnumSet.of(Workload.W3, Workload.W4), () -> new NioEntrant(NioEntrant.Style.SPIN));

    /** The name of the transport that all are compared with. */
    public static final String REFERENCE = "raw-nio";

    private final String entrantName;
    private final Set<Workload> workloads;
    private final Supplier<Entrant> supplier;

    Entrants(final String entrantName, final Set<Workload> workloads, final Supplier<Entrant> supplier) {
        this.entrantName = entrantName;
        this.workloads = workloads;
        this.supplier = supplier;
    }

    /**
     * The names of all.
     *
     * @return in the order of tables
     */
    public static List<String> names() {
        return Arrays.stream(values()).map(entrant -> entrant.entrantName).toList();
    }

    /**
     * Those that can do a work.
     *
     * @param workload the work
     * @return their names, in the order of tables
     */
    public static List<String> namesOf(final Workload workload) {
        return Arrays.stream(values())
                .filter(entrant -> entrant.workloads.contains(workload))
                .map(entrant -> entrant.entrantName)
                .toList();
    }

    /**
     * Those that are measured unless others are asked for: not the variants of ours that tell what something costs.
     *
     * @return their names, in the order of tables
     */
    public static List<String> usualNames() {
        return Arrays.stream(values())
                .map(entrant -> entrant.entrantName)
                .filter(name -> !name.startsWith("hawser-") || name.equals(HAWSER_SPIN.entrantName))
                .toList();
    }

    /**
     * Whether a comparison makes no sense without it.
     *
     * @param name of it
     * @return true for ours, and for those that ours is judged by first
     */
    public static boolean isEssential(final String name) {
        return Stream.of(HAWSER, RAW_NIO, RAW_NIO_QUEUE).anyMatch(entrant -> entrant.entrantName.equals(name));
    }

    /** Makes the one of a name. */
    static Entrant make(final String name) {
        return Arrays.stream(values())
                .filter(entrant -> entrant.entrantName.equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no such entrant: name=" + name + " names=" + names()))
                .supplier
                .get();
    }
}
