package io.hawser.transport;

import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The limits of each setting, and the rules between settings. Every message ends in the settings involved, as {@code name=value}.
 *
 * <p><em>Threading:</em> no state.
 */
final class ConfigInvariants {
    /** What HELLO has room for. */
    static final int CLUSTER_ID_LIMIT = 255;

    /** What HEARTBEAT has room for. */
    static final int WORKERS_PER_PROCESS_LIMIT = 4_096;

    /** Bounds tables that are indexed by worker. */
    static final int WORKER_LIMIT = 65_536;

    /** Shorter than any scheduler's slice; guards against a forgotten unit. */
    static final long TIME_MIN_NS = 1_000;

    /** Seven days; far from the overflow of a sum of two times. */
    static final long TIME_MAX_NS = 7L * 24 * 3_600 * 1_000_000_000;

    /** A smaller frame would be mostly header. */
    static final int FRAME_LIMIT_MIN = 1_024;

    /** A larger one makes control frames wait longer than a millisecond even on a fast network. */
    static final int FRAME_LIMIT_MAX = 16 * 1_024 * 1_024;

    /** The longest control frame, a HEARTBEAT of 4,096 workers, has to fit. */
    static final int SLAB_LENGTH_MIN = 64 * 1_024;

    /** The largest power of two that an int can index. */
    static final int MEMORY_LENGTH_MAX = 1 << 30;

    /** Heartbeats that a silence has to span. */
    static final int HEARTBEATS_PER_SILENCE = 3;

    /** Frames that a ring or a slab has to hold. */
    static final int FRAMES_PER_BUFFER = 2;

    /** Below that a window holds no more than a few frames. */
    static final int CHANNEL_WINDOW_MIN = 4 * 1_024;

    /** What half a window, the least that credit always comes for, has to hold beside the least frame. */
    private static final int CHARGES_PER_WINDOW = 8;

    private static final int SOCKET_BUFFER_MIN = 4 * 1_024;
    private static final int CHANNEL_LIMIT_MAX = 1 << 20;
    private static final long WINDOW_SUM_MAX = 1L << 50;
    private static final int FRAME_ALIGNMENT = 8;
    private static final int UNIDENTIFIED_MAX = 65_536;

    private static final int RESERVATION_LIMIT_MAX = 1_000_000;

    private ConfigInvariants() {}

    static void check(final ClusterConfigBuilder b) {
        checkClusterId(b.clusterId);
        range("workersPerProcess", b.workersPerProcess, 1, WORKERS_PER_PROCESS_LIMIT);
        checkAddresses(b);
        range("generation", b.generation, 1, Formation.GENERATION_LIMIT);
        require(
                b.former.generation() < b.generation,
                "the former generation must be below the one that is proposed",
                value("former", b.former) + value("generation", b.generation));
        require(
                b.former.workersPerProcess() <= WORKERS_PER_PROCESS_LIMIT,
                "no process has had so many workers",
                value("former", b.former));
        require(
                b.directory == null || !b.addresses.isEmpty(),
                "a directory needs addresses to begin with: what it lists",
                value("directory", b.directory) + value("addresses", b.addresses));
        range("reservationLimit", b.reservationLimit, 1, RESERVATION_LIMIT_MAX);
        time("reservationTimeoutNs", b.reservationTimeoutNs);
        range("unidentifiedLimit", b.unidentifiedLimit, 1, UNIDENTIFIED_MAX);
        checkTimes(b);
        checkLengths(b);
        checkWindows(b);
    }

    private static void checkClusterId(final String id) {
        require(id.chars().noneMatch(Character::isISOControl), "no control characters", value("clusterId", id));
        try {
            final int length = StandardCharsets.UTF_8
                    .newEncoder()
                    .encode(CharBuffer.wrap(id))
                    .remaining();
            require(length >= 1 && length <= CLUSTER_ID_LIMIT, "1…255 bytes of UTF-8", value("clusterId", id));
        } catch (final CharacterCodingException half) {
            throw new IllegalArgumentException("no valid text: clusterId=" + id, half);
        }
    }

    private static void checkAddresses(final ClusterConfigBuilder b) {
        final int processCount = Math.max(1, b.addresses.size());
        require(
                b.processIndex >= 0 && b.processIndex < processCount,
                "processIndex must be one of the addresses",
                value("processIndex", b.processIndex) + value("addresses", b.addresses));
        require(
                (long) processCount * b.workersPerProcess <= WORKER_LIMIT,
                "at most 65,536 workers in all",
                value("workersPerProcess", b.workersPerProcess) + value("processCount", processCount));
        require(
                b.bindAddress == null || !b.addresses.isEmpty(),
                "a process without addresses binds to none",
                value("bindAddress", b.bindAddress) + value("addresses", b.addresses));
        checkAddresses(b.addresses);
    }

    /** Whether these can be the addresses of one cluster. */
    static void checkAddresses(final List<Endpoint> addresses) {
        final Map<String, Integer> seen = new HashMap<>();
        for (int process = 0; process < addresses.size(); process++) {
            final Endpoint address = addresses.get(process);
            require(
                    !address.isWildcard(),
                    "nobody can dial a wildcard address; it belongs into bindAddress",
                    value("process", process) + value("address", address));
            final Integer other = seen.put(address.toString().toLowerCase(Locale.ROOT), process);
            require(
                    other == null,
                    "two processes have one address",
                    value("process", other) + value("process", process) + value("address", address));
        }
    }

    private static void checkTimes(final ClusterConfigBuilder b) {
        time("formationTimeoutNs", b.formationTimeoutNs);
        time("helloTimeoutNs", b.helloTimeoutNs);
        time("dialBackoffMinNs", b.dialBackoffMinNs);
        time("dialBackoffMaxNs", b.dialBackoffMaxNs);
        time("heartbeatIntervalNs", b.heartbeatIntervalNs);
        time("silenceTimeoutNs", b.silenceTimeoutNs);
        time("abortTimeoutNs", b.abortTimeoutNs);
        time("standstillTimeoutNs", b.standstillTimeoutNs);
        time("stallTimeoutNs", b.stallTimeoutNs);
        if (b.stallLimitNs.isPresent()) {
            time("stallLimitNs", b.stallLimitNs.getAsLong());
            require(
                    b.stallLimitNs.getAsLong() >= b.stallTimeoutNs,
                    "stallLimit must not be below stallTimeout",
                    value("stallLimitNs", b.stallLimitNs.getAsLong()) + value("stallTimeoutNs", b.stallTimeoutNs));
        }
        require(
                b.dialBackoffMaxNs >= b.dialBackoffMinNs,
                "dialBackoffMax must not be below dialBackoffMin",
                value("dialBackoffMaxNs", b.dialBackoffMaxNs) + value("dialBackoffMinNs", b.dialBackoffMinNs));
        require(
                b.silenceTimeoutNs >= HEARTBEATS_PER_SILENCE * b.heartbeatIntervalNs,
                "silenceTimeout must be at least 3 × heartbeatInterval",
                value("silenceTimeoutNs", b.silenceTimeoutNs) + value("heartbeatIntervalNs", b.heartbeatIntervalNs));
        require(
                b.abortTimeoutNs <= b.silenceTimeoutNs,
                "abortTimeout must not be above silenceTimeout",
                value("abortTimeoutNs", b.abortTimeoutNs) + value("silenceTimeoutNs", b.silenceTimeoutNs));
    }

    private static void checkLengths(final ClusterConfigBuilder b) {
        range("frameLimit", b.frameLimit, FRAME_LIMIT_MIN, FRAME_LIMIT_MAX);
        require(b.frameLimit % FRAME_ALIGNMENT == 0, "must be a multiple of 8", value("frameLimit", b.frameLimit));
        require(
                b.sendRingLength >= FRAMES_PER_BUFFER * b.frameLimit,
                "sendRingLength must be at least 2 × frameLimit",
                value("sendRingLength", b.sendRingLength) + value("frameLimit", b.frameLimit));
        range("sendRingLength", b.sendRingLength, 1, MEMORY_LENGTH_MAX);
        require(
                Integer.bitCount(b.sendRingLength) == 1,
                "must be a power of two",
                value("sendRingLength", b.sendRingLength));
        if (b.socketSendBufferLength != 0) {
            range("socketSendBufferLength", b.socketSendBufferLength, SOCKET_BUFFER_MIN, MEMORY_LENGTH_MAX);
        }
        require(
                b.slabLength >= FRAMES_PER_BUFFER * b.frameLimit,
                "slabLength must be at least 2 × frameLimit",
                value("slabLength", b.slabLength) + value("frameLimit", b.frameLimit));
        range("slabLength", b.slabLength, SLAB_LENGTH_MIN, MEMORY_LENGTH_MAX);
        require(b.slabLength % FRAME_ALIGNMENT == 0, "must be a multiple of 8", value("slabLength", b.slabLength));
    }

    private static void checkWindows(final ClusterConfigBuilder b) {
        range("channelLimit", b.channelLimit, 1, CHANNEL_LIMIT_MAX);
        range("messageLimit", b.messageLimit, 1, Long.MAX_VALUE);
        range("floatingWindow", b.floatingWindow, 0, WINDOW_SUM_MAX);
        range("spillLimit", b.spillLimit, 0, Long.MAX_VALUE);
        require(
                b.assemblyLimit >= b.frameLimit,
                "assemblyLimit must be at least frameLimit",
                value("assemblyLimit", b.assemblyLimit) + value("frameLimit", b.frameLimit));
        if (b.channelWindow == ClusterConfig.UNBOUNDED) {
            return;
        }
        range("channelWindow", b.channelWindow, CHANNEL_WINDOW_MIN, MEMORY_LENGTH_MAX);
        require(
                b.channelWindow % FRAME_ALIGNMENT == 0,
                "must be a multiple of 8",
                value("channelWindow", b.channelWindow));
        require(
                b.channelWindow >= leastWindow(b.workersPerProcess),
                "channelWindow must be at least 4 KiB and 512 for each worker of a process, whom a broadcast is charged for",
                value("channelWindow", b.channelWindow) + value("workersPerProcess", b.workersPerProcess));
        require(
                b.channelWindowMax >= b.channelWindow,
                "channelWindowMax must not be below channelWindow",
                value("channelWindowMax", b.channelWindowMax) + value("channelWindow", b.channelWindow));
        final long lanes = (long) b.channelLimit * b.workersPerProcess * (b.workersPerProcess + 1L);
        require(
                lanes <= WINDOW_SUM_MAX / b.channelWindow,
                "channelWindow for all lanes of all channels must not exceed 2^50 bytes",
                value("channelWindow", b.channelWindow)
                        + value("channelLimit", b.channelLimit)
                        + value("workersPerProcess", b.workersPerProcess));
    }

    /** The least channel window in which half a window, its closing frame apart, holds a frame for all workers of a process. */
    static long leastWindow(final int workersPerProcess) {
        return CHANNEL_WINDOW_MIN + (long) Lanes.targetCharge(workersPerProcess) * CHARGES_PER_WINDOW;
    }

    /** Whether all that the settings allow fits the limit that is set for it. */
    static void checkMemory(final ClusterConfig config) {
        require(
                config.directMemoryLimit() <= config.memoryLimit(),
                "memoryLimit must not be below what windows, slabs and rings can take; lower channelLimit, channelWindow or floatingWindow",
                value("memoryLimit", config.memoryLimit())
                        + value("directMemoryLimit", config.directMemoryLimit())
                        + value("linkWindow", config.linkWindow())
                        + value("floatingWindow", config.floatingWindow()));
    }

    private static void time(final String name, final long ns) {
        require(ns >= TIME_MIN_NS && ns <= TIME_MAX_NS, "must be 1 µs…7 days", value(name, ns));
    }

    private static void range(final String name, final long value, final long min, final long max) {
        require(value >= min && value <= max, "must be " + min + "…" + max, value(name, value));
    }

    private static String value(final String name, final Object value) {
        return " " + name + "=" + value;
    }

    private static void require(final boolean holds, final String rule, final String values) {
        if (!holds) {
            throw new IllegalArgumentException(rule + ":" + values);
        }
    }
}
