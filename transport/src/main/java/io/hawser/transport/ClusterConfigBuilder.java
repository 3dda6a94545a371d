package io.hawser.transport;

import io.hawser.fate.Clock;
import io.hawser.fate.Standstill;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;

/**
 * Collects the settings of a {@link ClusterConfig}; what each means, its default and its reason stand there. Methods only take values down;
 * {@link #build()} checks them, alone and against each other.
 *
 * <p><em>Threading:</em> for one thread.
 */
public final class ClusterConfigBuilder {
    private static final long NS_PER_MS = 1_000_000L;

    String clusterId = "hawser";
    int processIndex;
    List<Endpoint> addresses = List.of();
    Endpoint bindAddress;
    int workersPerProcess = 1;
    Directory directory;
    long generation = 1;
    Former former = Former.NONE;
    FormationListener formationListener;
    long formationTimeoutNs = 30_000 * NS_PER_MS;
    long helloTimeoutNs = 5_000 * NS_PER_MS;
    long dialBackoffMinNs = 5 * NS_PER_MS;
    long dialBackoffMaxNs = 500 * NS_PER_MS;
    long heartbeatIntervalNs = 500 * NS_PER_MS;
    long silenceTimeoutNs = 10_000 * NS_PER_MS;
    long abortTimeoutNs = 500 * NS_PER_MS;
    int frameLimit = 256 * 1024;
    int sendRingLength = 1024 * 1024;
    int slabLength = 1024 * 1024;
    int socketSendBufferLength;
    long channelWindow = 256 * 1024;
    int channelLimit = 64;
    long floatingWindow = 64L * 1024 * 1024;
    long channelWindowMax = 16L * 1024 * 1024;
    long memoryLimit = ClusterConfig.UNBOUNDED;
    long messageLimit = 64L * 1024 * 1024;
    int assemblyLimit = 64 * 1024 * 1024;
    Path spillDirectory = Path.of(System.getProperty("java.io.tmpdir"));
    long spillLimit = 16L * 1024 * 1024 * 1024;
    long standstillTimeoutNs = 10_000 * NS_PER_MS;
    long stallTimeoutNs = 10_000 * NS_PER_MS;
    OptionalLong stallLimitNs = OptionalLong.empty();
    Consumer<Standstill> standstillListener;
    int reservationLimit = 1_024;
    long reservationTimeoutNs = 10_000 * NS_PER_MS;
    boolean payloadChecks = true;
    int unidentifiedLimit = 256;
    Clock clock = Clock.system();
    ThreadFactory threadFactory = Thread::new;
    OptionalLong seed = OptionalLong.empty();

    ClusterConfigBuilder() {}

    /**
     * Sets {@link ClusterConfig#clusterId()}.
     *
     * @param id 1…255 bytes of UTF-8
     * @return this
     */
    public ClusterConfigBuilder clusterId(final String id) {
        clusterId = Objects.requireNonNull(id, "clusterId");
        return this;
    }

    /**
     * Sets {@link ClusterConfig#processIndex()}.
     *
     * @param index which of the addresses is this process
     * @return this
     */
    public ClusterConfigBuilder processIndex(final int index) {
        processIndex = index;
        return this;
    }

    /**
     * Sets {@link ClusterConfig#addresses()}.
     *
     * @param endpoints where each process listens; copied
     * @return this
     */
    public ClusterConfigBuilder addresses(final List<Endpoint> endpoints) {
        addresses = List.copyOf(endpoints);
        return this;
    }

    /**
     * Changes one of {@link ClusterConfig#addresses()}.
     *
     * @param process index of the process, one that has an address
     * @param endpoint where it listens
     * @return this
     * @throws IllegalArgumentException if there is no such process
     */
    public ClusterConfigBuilder address(final int process, final Endpoint endpoint) {
        Objects.requireNonNull(endpoint, "address");
        if (process < 0 || process >= addresses.size()) {
            throw new IllegalArgumentException("no such process: process=" + process + " addresses=" + addresses);
        }
        final List<Endpoint> changed = new ArrayList<>(addresses);
        changed.set(process, endpoint);
        addresses = List.copyOf(changed);
        return this;
    }

    /**
     * Sets {@link ClusterConfig#directory()}.
     *
     * @param whereabouts asked before each dial, by a short-lived thread; null: {@link ClusterConfig#addresses()} stay
     * @return this
     */
    public ClusterConfigBuilder directory(final Directory whereabouts) {
        directory = whereabouts;
        return this;
    }

    /**
     * Sets {@link ClusterConfig#former()}.
     *
     * @param place the last generation that this process has been part of, and its place there
     * @return this
     */
    public ClusterConfigBuilder former(final Former place) {
        former = Objects.requireNonNull(place, "former");
        return this;
    }

    /**
     * Sets {@link ClusterConfig#formationListener()}.
     *
     * @param listener told of each step, by the greet thread
     * @return this
     */
    public ClusterConfigBuilder formationListener(final FormationListener listener) {
        formationListener = Objects.requireNonNull(listener, "formationListener");
        return this;
    }

    /**
     * Sets {@link ClusterConfig#bindAddress()}.
     *
     * @param endpoint what to bind to; null: the own address
     * @return this
     */
    public ClusterConfigBuilder bindAddress(final Endpoint endpoint) {
        bindAddress = endpoint;
        return this;
    }

    /**
     * Sets {@link ClusterConfig#workersPerProcess()}.
     *
     * @param count how many workers each process has
     * @return this
     */
    public ClusterConfigBuilder workersPerProcess(final int count) {
        workersPerProcess = count;
        return this;
    }

    /**
     * Sets {@link ClusterConfig#generation()}.
     *
     * @param leastGeneration the least generation to propose
     * @return this
     */
    public ClusterConfigBuilder generation(final long leastGeneration) {
        generation = leastGeneration;
        return this;
    }

    /**
     * Sets {@link ClusterConfig#formationTimeoutNs()}.
     *
     * @param timeout how long forming may take
     * @return this
     */
    public ClusterConfigBuilder formationTimeout(final Duration timeout) {
        formationTimeoutNs = nanos(timeout);
        return this;
    }

    /**
     * Sets {@link ClusterConfig#helloTimeoutNs()}.
     *
     * @param timeout how long a connection may stay unidentified
     * @return this
     */
    public ClusterConfigBuilder helloTimeout(final Duration timeout) {
        helloTimeoutNs = nanos(timeout);
        return this;
    }

    /**
     * Sets {@link ClusterConfig#dialBackoffMinNs()}.
     *
     * @param pause the pause after the first failed dial
     * @return this
     */
    public ClusterConfigBuilder dialBackoffMin(final Duration pause) {
        dialBackoffMinNs = nanos(pause);
        return this;
    }

    /**
     * Sets {@link ClusterConfig#dialBackoffMaxNs()}.
     *
     * @param pause the longest pause between dials
     * @return this
     */
    public ClusterConfigBuilder dialBackoffMax(final Duration pause) {
        dialBackoffMaxNs = nanos(pause);
        return this;
    }

    /**
     * Sets {@link ClusterConfig#heartbeatIntervalNs()}.
     *
     * @param interval how far apart heartbeats are
     * @return this
     */
    public ClusterConfigBuilder heartbeatInterval(final Duration interval) {
        heartbeatIntervalNs = nanos(interval);
        return this;
    }

    /**
     * Sets {@link ClusterConfig#silenceTimeoutNs()}.
     *
     * @param timeout after how long without a byte a peer has failed
     * @return this
     */
    public ClusterConfigBuilder silenceTimeout(final Duration timeout) {
        silenceTimeoutNs = nanos(timeout);
        return this;
    }

    /**
     * Sets {@link ClusterConfig#abortTimeoutNs()}.
     *
     * @param timeout how long an unclean end may take
     * @return this
     */
    public ClusterConfigBuilder abortTimeout(final Duration timeout) {
        abortTimeoutNs = nanos(timeout);
        return this;
    }

    /**
     * Sets {@link ClusterConfig#frameLimit()}.
     *
     * @param length the longest DATA frame in bytes
     * @return this
     */
    public ClusterConfigBuilder frameLimit(final int length) {
        frameLimit = length;
        return this;
    }

    /**
     * Sets {@link ClusterConfig#sendRingLength()}.
     *
     * @param length of each send ring in bytes, a power of two
     * @return this
     */
    public ClusterConfigBuilder sendRingLength(final int length) {
        sendRingLength = length;
        return this;
    }

    /**
     * Sets {@link ClusterConfig#slabLength()}.
     *
     * @param length of each slab in bytes
     * @return this
     */
    public ClusterConfigBuilder slabLength(final int length) {
        slabLength = length;
        return this;
    }

    /**
     * Sets {@link ClusterConfig#channelWindow()}.
     *
     * @param bytes bytes that each lane may have in flight, at least
     * @return this
     */
    public ClusterConfigBuilder channelWindow(final long bytes) {
        channelWindow = bytes;
        return this;
    }

    /**
     * Sets {@link ClusterConfig#channelLimit()}.
     *
     * @param count how many channels may be open at a time
     * @return this
     */
    public ClusterConfigBuilder channelLimit(final int count) {
        channelLimit = count;
        return this;
    }

    /**
     * Sets {@link ClusterConfig#floatingWindow()}.
     *
     * @param bytes bytes of credit to lend
     * @return this
     */
    public ClusterConfigBuilder floatingWindow(final long bytes) {
        floatingWindow = bytes;
        return this;
    }

    /**
     * Sets {@link ClusterConfig#channelWindowMax()}.
     *
     * @param bytes the widest window of a lane in bytes
     * @return this
     */
    public ClusterConfigBuilder channelWindowMax(final long bytes) {
        channelWindowMax = bytes;
        return this;
    }

    /**
     * Sets {@link ClusterConfig#memoryLimit()}.
     *
     * @param bytes of direct memory that the other settings must not be able to exceed
     * @return this
     */
    public ClusterConfigBuilder memoryLimit(final long bytes) {
        memoryLimit = bytes;
        return this;
    }

    /**
     * Sets {@link ClusterConfig#messageLimit()}.
     *
     * @param bytes the longest message in bytes
     * @return this
     */
    public ClusterConfigBuilder messageLimit(final long bytes) {
        messageLimit = bytes;
        return this;
    }

    /**
     * Sets {@link ClusterConfig#assemblyLimit()}.
     *
     * @param bytes the longest message put together in memory, in bytes
     * @return this
     */
    public ClusterConfigBuilder assemblyLimit(final int bytes) {
        assemblyLimit = bytes;
        return this;
    }

    /**
     * Sets {@link ClusterConfig#spillDirectory()}.
     *
     * @param directory where channels spill to
     * @return this
     */
    public ClusterConfigBuilder spillDirectory(final Path directory) {
        spillDirectory = Objects.requireNonNull(directory, "spillDirectory");
        return this;
    }

    /**
     * Sets {@link ClusterConfig#spillLimit()}.
     *
     * @param bytes bytes of disk
     * @return this
     */
    public ClusterConfigBuilder spillLimit(final long bytes) {
        spillLimit = bytes;
        return this;
    }

    /**
     * Sets {@link ClusterConfig#standstillTimeoutNs()}.
     *
     * @param timeout how long a push may wait before it is told
     * @return this
     */
    public ClusterConfigBuilder standstillTimeout(final Duration timeout) {
        standstillTimeoutNs = nanos(timeout);
        return this;
    }

    /**
     * Sets {@link ClusterConfig#stallTimeoutNs()}.
     *
     * @param timeout after how long without a call a worker is told of
     * @return this
     */
    public ClusterConfigBuilder stallTimeout(final Duration timeout) {
        stallTimeoutNs = nanos(timeout);
        return this;
    }

    /**
     * Sets {@link ClusterConfig#stallLimitNs()}.
     *
     * @param limit after how long without a call a worker's scope fails; null: never
     * @return this
     */
    public ClusterConfigBuilder stallLimit(final Duration limit) {
        stallLimitNs = limit == null ? OptionalLong.empty() : OptionalLong.of(nanos(limit));
        return this;
    }

    /**
     * Sets {@link ClusterConfig#standstillListener()}.
     *
     * @param listener told of each standstill, in a thread of its own
     * @return this
     */
    public ClusterConfigBuilder onStandstill(final Consumer<Standstill> listener) {
        standstillListener = Objects.requireNonNull(listener, "listener");
        return this;
    }

    /**
     * Sets {@link ClusterConfig#socketSendBufferLength()}.
     *
     * @param bytes of the kernel's send buffer of each connection, 0 for the system's choice
     * @return this
     */
    public ClusterConfigBuilder socketSendBufferLength(final int bytes) {
        socketSendBufferLength = bytes;
        return this;
    }

    /**
     * Sets {@link ClusterConfig#payloadChecks()}.
     *
     * @param isWanted whether DATA is to carry a check of its payload
     * @return this
     */
    public ClusterConfigBuilder payloadChecks(final boolean isWanted) {
        payloadChecks = isWanted;
        return this;
    }

    /**
     * Sets {@link ClusterConfig#reservationLimit()}.
     *
     * @param count how many reservations may be open
     * @return this
     */
    public ClusterConfigBuilder reservationLimit(final int count) {
        reservationLimit = count;
        return this;
    }

    /**
     * Sets {@link ClusterConfig#reservationTimeoutNs()}.
     *
     * @param timeout how long a reservation is held
     * @return this
     */
    public ClusterConfigBuilder reservationTimeout(final Duration timeout) {
        reservationTimeoutNs = nanos(timeout);
        return this;
    }

    /**
     * Sets {@link ClusterConfig#unidentifiedLimit()}.
     *
     * @param count how many unidentified connections may be open
     * @return this
     */
    public ClusterConfigBuilder unidentifiedLimit(final int count) {
        unidentifiedLimit = count;
        return this;
    }

    /**
     * Sets {@link ClusterConfig#clock()}.
     *
     * @param source where time comes from
     * @return this
     */
    public ClusterConfigBuilder clock(final Clock source) {
        clock = Objects.requireNonNull(source, "clock");
        return this;
    }

    /**
     * Sets {@link ClusterConfig#threadFactory()}.
     *
     * @param source makes platform threads and does not start them
     * @return this
     */
    public ClusterConfigBuilder threadFactory(final ThreadFactory source) {
        threadFactory = Objects.requireNonNull(source, "threadFactory");
        return this;
    }

    /**
     * Sets {@link ClusterConfig#seed()}.
     *
     * @param value what jitter is drawn from
     * @return this
     */
    public ClusterConfigBuilder seed(final long value) {
        seed = OptionalLong.of(value);
        return this;
    }

    /**
     * Checks all settings and their invariants.
     *
     * @return the configuration
     * @throws IllegalArgumentException if a limit or an invariant is broken; the message names each setting involved with its value
     */
    public ClusterConfig build() {
        ConfigInvariants.check(this);
        final ClusterConfig config = new ClusterConfig(this);
        ConfigInvariants.checkMemory(config);
        return config;
    }

    /** Nanoseconds; what does not fit is outside every limit, and is left to {@link #build()} to refuse. */
    private static long nanos(final Duration duration) {
        try {
            return duration.toNanos();
        } catch (final ArithmeticException tooLong) {
            return duration.isNegative() ? Long.MIN_VALUE : Long.MAX_VALUE;
        }
    }
}
