package io.hawser.transport;

import io.hawser.fate.Clock;
import io.hawser.fate.Standstill;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;

/**
 * All settings of one process of a cluster: what it is, how long it waits, how much memory it may take. Made by
 * {@link #builder()}, which checks every limit, and every rule between two settings, once.
 *
 * <p>Settings marked <em>agreed</em> are compared or negotiated in HELLO when two processes meet; those marked <em>local</em>
 * concern nobody else, and may differ from process to process. All times are in nanoseconds, all lengths in bytes.
 *
 * <p><em>Threading:</em> immutable.
 */
public final class ClusterConfig {
    /** Stands for a window without limit. */
    public static final long UNBOUNDED = Long.MAX_VALUE;

    private final String clusterId;
    private final int processIndex;
    private final List<Endpoint> addresses;
    private final Endpoint bindAddress;
    private final int workersPerProcess;
    private final Directory directory;
    private final long generation;
    private final Former former;
    private final FormationListener formationListener;
    private final long formationTimeoutNs;
    private final long helloTimeoutNs;
    private final long dialBackoffMinNs;
    private final long dialBackoffMaxNs;
    private final long heartbeatIntervalNs;
    private final long silenceTimeoutNs;
    private final long abortTimeoutNs;
    private final int frameLimit;
    private final int sendRingLength;
    private final int slabLength;
    private final int socketSendBufferLength;
    private final long channelWindow;
    private final int channelLimit;
    private final long floatingWindow;
    private final long channelWindowMax;
    private final long memoryLimit;
    private final long messageLimit;
    private final int assemblyLimit;
    private final Path spillDirectory;
    private final long spillLimit;
    private final long standstillTimeoutNs;
    private final long stallTimeoutNs;
    private final OptionalLong stallLimitNs;
    private final Consumer<Standstill> standstillListener;
    private final int reservationLimit;
    private final long reservationTimeoutNs;
    private final boolean payloadChecks;
    private final int unidentifiedLimit;
    private final Clock clock;
    private final ThreadFactory threadFactory;
    private final OptionalLong seed;

    /** Takes the builder's values as they are, already checked. */
    ClusterConfig(final ClusterConfigBuilder builder) {
        clusterId = builder.clusterId;
        processIndex = builder.processIndex;
        addresses = List.copyOf(builder.addresses);
        bindAddress = builder.bindAddress;
        workersPerProcess = builder.workersPerProcess;
        directory = builder.directory == null || builder.directory instanceof DirectoryAsker
                ? builder.directory
                : new DirectoryAsker(
                        builder.directory,
                        builder.threadFactory,
                        "hawser-" + clusterId + "-p" + processIndex + "-directory");
        generation = builder.generation;
        former = builder.former;
        formationListener = builder.formationListener;
        formationTimeoutNs = builder.formationTimeoutNs;
        helloTimeoutNs = builder.helloTimeoutNs;
        dialBackoffMinNs = builder.dialBackoffMinNs;
        dialBackoffMaxNs = builder.dialBackoffMaxNs;
        heartbeatIntervalNs = builder.heartbeatIntervalNs;
        silenceTimeoutNs = builder.silenceTimeoutNs;
        abortTimeoutNs = builder.abortTimeoutNs;
        frameLimit = builder.frameLimit;
        sendRingLength = builder.sendRingLength;
        slabLength = builder.slabLength;
        socketSendBufferLength = builder.socketSendBufferLength;
        channelWindow = builder.channelWindow;
        channelLimit = builder.channelLimit;
        floatingWindow = builder.floatingWindow;
        channelWindowMax = builder.channelWindowMax;
        memoryLimit = builder.memoryLimit;
        messageLimit = builder.messageLimit;
        assemblyLimit = builder.assemblyLimit;
        spillDirectory = builder.spillDirectory;
        spillLimit = builder.spillLimit;
        standstillTimeoutNs = builder.standstillTimeoutNs;
        stallTimeoutNs = builder.stallTimeoutNs;
        stallLimitNs = builder.stallLimitNs;
        standstillListener = builder.standstillListener;
        reservationLimit = builder.reservationLimit;
        reservationTimeoutNs = builder.reservationTimeoutNs;
        payloadChecks = builder.payloadChecks;
        unidentifiedLimit = builder.unidentifiedLimit;
        clock = builder.clock;
        threadFactory = builder.threadFactory;
        seed = builder.seed;
    }

    /**
     * A builder with every setting at its default.
     *
     * @return a new builder
     */
    public static ClusterConfigBuilder builder() {
        return new ClusterConfigBuilder();
    }

    /**
     * One process alone, without sockets.
     *
     * @param workers how many workers it has
     * @return the configuration
     */
    public static ClusterConfig local(final int workers) {
        return builder().workersPerProcess(workers).build();
    }

    /**
     * A builder that starts from these settings.
     *
     * @return a new builder
     */
    public ClusterConfigBuilder toBuilder() {
        final ClusterConfigBuilder builder = builder();
        builder.clusterId = clusterId;
        builder.processIndex = processIndex;
        builder.addresses = addresses;
        builder.bindAddress = bindAddress;
        builder.workersPerProcess = workersPerProcess;
        builder.directory = directory;
        builder.generation = generation;
        builder.former = former;
        builder.formationListener = formationListener;
        builder.formationTimeoutNs = formationTimeoutNs;
        builder.helloTimeoutNs = helloTimeoutNs;
        builder.dialBackoffMinNs = dialBackoffMinNs;
        builder.dialBackoffMaxNs = dialBackoffMaxNs;
        builder.heartbeatIntervalNs = heartbeatIntervalNs;
        builder.silenceTimeoutNs = silenceTimeoutNs;
        builder.abortTimeoutNs = abortTimeoutNs;
        builder.frameLimit = frameLimit;
        builder.sendRingLength = sendRingLength;
        builder.slabLength = slabLength;
        builder.socketSendBufferLength = socketSendBufferLength;
        builder.channelWindow = channelWindow;
        builder.channelLimit = channelLimit;
        builder.floatingWindow = floatingWindow;
        builder.channelWindowMax = channelWindowMax;
        builder.memoryLimit = memoryLimit;
        builder.messageLimit = messageLimit;
        builder.assemblyLimit = assemblyLimit;
        builder.spillDirectory = spillDirectory;
        builder.spillLimit = spillLimit;
        builder.standstillTimeoutNs = standstillTimeoutNs;
        builder.stallTimeoutNs = stallTimeoutNs;
        builder.stallLimitNs = stallLimitNs;
        builder.standstillListener = standstillListener;
        builder.reservationLimit = reservationLimit;
        builder.reservationTimeoutNs = reservationTimeoutNs;
        builder.payloadChecks = payloadChecks;
        builder.unidentifiedLimit = unidentifiedLimit;
        builder.clock = clock;
        builder.threadFactory = threadFactory;
        builder.seed = seed;
        return builder;
    }

    /**
     * These settings with another generation: what a survivor forms the next cluster with.
     *
     * @param newGeneration the least generation to propose
     * @return a changed copy
     */
    public ClusterConfig withGeneration(final long newGeneration) {
        return toBuilder().generation(newGeneration).build();
    }

    /**
     * These settings with one process elsewhere: where a dead process was relaunched.
     *
     * @param process index of the process that moved
     * @param address where it listens now
     * @return a changed copy
     * @throws IllegalArgumentException if there is no such process
     */
    public ClusterConfig withAddress(final int process, final Endpoint address) {
        return toBuilder().address(process, address).build();
    }

    /**
     * Which cluster this is. Keeps two clusters apart whose addresses got mixed up.
     *
     * <p><em>Agreed:</em> equal on all. <em>Default:</em> {@code hawser}.
     *
     * @return 1…255 bytes of UTF-8, no control characters
     */
    public String clusterId() {
        return clusterId;
    }

    /**
     * Which process this is, and thereby which of the addresses is its own.
     *
     * <p><em>Agreed:</em> different on all. <em>Default:</em> 0.
     *
     * @return the index, 0…{@link #processCount()} − 1
     */
    public int processIndex() {
        return processIndex;
    }

    /**
     * Where each process listens, in the order of their indexes; how the others dial it, so that it may differ from what it binds to.
     *
     * <p><em>Local:</em> each process may know another by a name of its own; the count is <em>agreed</em>. <em>Default:</em> none,
     * one process without sockets.
     *
     * @return the addresses, unmodifiable
     */
    public List<Endpoint> addresses() {
        return addresses;
    }

    /**
     * Where the processes live now, asked again before each dial: for processes that are started anew somewhere else. What it lists takes the place of {@link #addresses()} for dialling and for messages; a list of
     * another length ends forming with a {@link FormationException}, since the cluster's shape has changed. What is returned here asks the one that was set in a thread of its own, one question at a time, and waits for 3 s at most.
     *
     * <p><em>Local.</em> <em>Default:</em> empty, {@link #addresses()} hold for as long as this configuration does.
     *
     * @return the directory
     */
    public Optional<Directory> directory() {
        return Optional.ofNullable(directory);
    }

    /**
     * What this process binds its listener to, for instance {@code 0.0.0.0:7000} behind an address translation. The port is never 0, since
     * the others could not know which one was chosen.
     *
     * <p><em>Local.</em> <em>Default:</em> the own one of {@link #addresses()}, so that nobody else's network can reach it.
     *
     * @return the address
     * @throws IllegalStateException if this is one process without addresses
     */
    public Endpoint bindAddress() {
        if (bindAddress != null) {
            return bindAddress;
        }
        if (addresses.isEmpty()) {
            throw new IllegalStateException("nothing to bind to: addresses=" + addresses);
        }
        return addresses.get(processIndex);
    }

    /**
     * How many workers each process has. The limit is what a HEARTBEAT frame has room for.
     *
     * <p><em>Agreed:</em> equal on all. <em>Default:</em> 1.
     *
     * @return the count, 1…4,096
     */
    public int workersPerProcess() {
        return workersPerProcess;
    }

    /**
     * What this process has been part of before: it tells all others when it is greeted, see {@link Roster}.
     *
     * <p><em>Local.</em> <em>Default:</em> {@link Former#NONE}.
     *
     * @return the former generation and this process's place there; a generation below {@link #generation()}
     */
    public Former former() {
        return former;
    }

    /**
     * Who is told how far forming has come.
     *
     * <p><em>Local.</em> <em>Default:</em> nobody.
     *
     * @return the listener, or empty
     */
    public Optional<FormationListener> formationListener() {
        return Optional.ofNullable(formationListener);
    }

    /**
     * The least generation that this process proposes. A survivor proposes more than it has seen; a relaunched process may propose 1 and
     * is told.
     *
     * <p><em>Agreed:</em> the highest wins. <em>Default:</em> 1.
     *
     * @return the generation, ≥ 1
     */
    public long generation() {
        return generation;
    }

    /**
     * How long forming the mesh may take. Processes of one start are seconds apart; what takes longer is a fault to be reported.
     *
     * <p><em>Local.</em> <em>Default:</em> 30 s.
     *
     * @return the time-out in nanoseconds
     */
    public long formationTimeoutNs() {
        return formationTimeoutNs;
    }

    /**
     * How long an accepted connection may take to say who it is, and a dialled one to answer. A real peer needs one round trip.
     *
     * <p><em>Local.</em> <em>Default:</em> 5 s.
     *
     * @return the time-out in nanoseconds
     */
    public long helloTimeoutNs() {
        return helloTimeoutNs;
    }

    /**
     * The pause after the first dial that failed. Short, because processes that start together miss each other by little.
     *
     * <p><em>Local.</em> <em>Default:</em> 5 ms.
     *
     * @return the pause in nanoseconds, before jitter
     */
    public long dialBackoffMinNs() {
        return dialBackoffMinNs;
    }

    /**
     * What the pause between dials doubles up to. Bounds both the load on a peer that is down and the delay after it came up.
     *
     * <p><em>Local.</em> <em>Default:</em> 500 ms.
     *
     * @return the pause in nanoseconds, before jitter
     */
    public long dialBackoffMaxNs() {
        return dialBackoffMaxNs;
    }

    /**
     * How far apart the heartbeats of a link are, however much else is sent. They leave at the multiples of it on the clock, those of all links together.
     *
     * <p><em>Agreed:</em> equal on all. <em>Default:</em> 500 ms, two small frames a second and peer.
     *
     * @return the interval in nanoseconds
     */
    public long heartbeatIntervalNs() {
        return heartbeatIntervalNs;
    }

    /**
     * After how long without any byte a peer has failed. At least three heartbeat intervals, so that one late heartbeat kills nobody;
     * longer than the longest pause for garbage that is to be survived.
     *
     * <p><em>Agreed:</em> equal on all. <em>Default:</em> 10 s.
     *
     * @return the time-out in nanoseconds
     */
    public long silenceTimeoutNs() {
        return silenceTimeoutNs;
    }

    /**
     * How long, after health is lost, ABORT may take to leave and the peers' ends to arrive, until sockets are closed regardless. Bounds
     * {@code join()}; no longer than the silence time-out, lest a peer that our ABORT has not reached takes us for silent.
     *
     * <p><em>Local.</em> <em>Default:</em> 500 ms.
     *
     * @return the time-out in nanoseconds
     */
    public long abortTimeoutNs() {
        return abortTimeoutNs;
    }

    /**
     * The longest DATA frame, header included. Larger ones spread the cost of a header further, and make control frames wait longer.
     *
     * <p><em>Agreed:</em> the least wins. <em>Default:</em> 256 KiB.
     *
     * @return the limit in bytes, 1 KiB…16 MiB, a multiple of 8
     */
    public int frameLimit() {
        return frameLimit;
    }

    /**
     * The length of each send ring; there is one for each worker and peer. At least two frames, so that one can be filled while
     * the other is sent.
     *
     * <p><em>Local.</em> <em>Default:</em> 1 MiB, what a fast network takes in a few hundred microseconds.
     *
     * @return the length in bytes, a power of two, 2 × {@link #frameLimit()}…1 GiB
     */
    public int sendRingLength() {
        return sendRingLength;
    }

    /**
     * The length of each slab, the memory that a receive thread reads into. At least two frames, so that few of them straddle its end and
     * must be copied.
     *
     * <p><em>Local.</em> <em>Default:</em> 1 MiB.
     *
     * @return the length in bytes, a multiple of 8, 64 KiB or 2 × {@link #frameLimit()}…1 GiB
     */
    public int slabLength() {
        return slabLength;
    }

    /**
     * What the kernel is asked to take from each connection before it has been sent (SO_SNDBUF). Control frames go before all data that Hawser still has, but not before what the
     * kernel has: on a slow path a smaller buffer keeps heartbeats, aborts and credits quick; on a fast and long one it costs throughput.
     *
     * <p><em>Local.</em> <em>Default:</em> 0, the system's own choice, which may be some megabytes.
     *
     * @return bytes, 0 or 4 KiB…1 GiB
     */
    public int socketSendBufferLength() {
        return socketSendBufferLength;
    }

    /**
     * Whether DATA carries a check of its payload. Networks flip bits that the checksum of TCP does not notice.
     *
     * <p><em>Agreed:</em> on if either side wants it. <em>Default:</em> true.
     *
     * @return whether this process wants payload checks
     */
    public boolean payloadChecks() {
        return payloadChecks;
    }

    /**
     * How many accepted connections may be open that have not said who they are; further ones are refused. Bounds what strangers cost.
     *
     * <p><em>Local.</em> <em>Default:</em> 256, about 300 KiB.
     *
     * @return the limit, 1…65,536
     */
    public int unidentifiedLimit() {
        return unidentifiedLimit;
    }

    /**
     * Where time comes from.
     *
     * <p><em>Local.</em> <em>Default:</em> the system's clocks.
     *
     * @return the clock
     */
    public Clock clock() {
        return clock;
    }

    /**
     * Where threads come from. Hawser names each thread and sets whether it is a daemon before it starts it: I/O threads are daemons,
     * since a cluster that somebody forgot must not keep the process alive; workers are not, since they run the user's code, which is not
     * to be cut off when {@code main} returns.
     *
     * <p>Virtual threads will do where the JDK has them ({@code Thread.ofVirtual().factory()}); they are always daemons, so whoever uses them waits for the end by {@code join}. An I/O thread that waits in its selector
     * holds a platform thread of the JVM's scheduler meanwhile, so nothing is gained for now: {@code ./hawser bench W1 W2 W3 --entrants hawser,hawser-virtual} measures it.
     *
     * <p><em>Local.</em> <em>Default:</em> {@code Thread::new}.
     *
     * @return the factory of threads that have not been started
     */
    public ThreadFactory threadFactory() {
        return threadFactory;
    }

    /**
     * What jitter is drawn from; set it to repeat a run.
     *
     * <p><em>Local.</em> <em>Default:</em> none: the instance nonce of each formation, so that processes do not dial in step.
     *
     * @return the seed, or empty
     */
    public OptionalLong seed() {
        return seed;
    }

    /**
     * How many processes the cluster has.
     *
     * @return the count, at least 1
     */
    public int processCount() {
        return Math.max(1, addresses.size());
    }

    /**
     * How many workers the cluster has.
     *
     * @return the count over all processes, 1…65,536
     */
    public int workerCount() {
        return processCount() * workersPerProcess;
    }

    /**
     * What each lane (the messages of one channel from one worker to one worker, or to all of a process) may always have in flight: sent and not yet
     * consumed, counted in bytes as frames are charged. A lane that is read fast gets more, see {@link #channelWindowMax()}. Messages longer than about half of it
     * may have to be cut.
     *
     * <p><em>Agreed:</em> the least wins. <em>Default:</em> 256 KiB. {@link #UNBOUNDED} on all processes turns credits off: then
     * nothing bounds the memory of a slow consumer.
     *
     * @return bytes, 4 KiB and 512 for each worker of a process…1 GiB, a multiple of 8, or {@link #UNBOUNDED}
     */
    public long channelWindow() {
        return channelWindow;
    }

    /**
     * How many channels each worker may have open at a time. With the channel window it bounds what can be in flight, see {@link #linkWindow()}.
     *
     * <p><em>Agreed:</em> the least link window wins. <em>Default:</em> 64.
     *
     * @return the count, 1…1,048,576
     */
    public int channelLimit() {
        return channelLimit;
    }

    /**
     * What all lanes from one process to another, or within a process, can have in flight without floating credit: {@link #channelWindow()} ×
     * {@link #channelLimit()} × lanes of a channel, which are W × W for its workers, and W more for broadcasts if W is not 1.
     *
     * @return bytes, or {@link #UNBOUNDED}
     */
    public long linkWindow() {
        return channelWindow == UNBOUNDED
                ? UNBOUNDED
                : Math.multiplyExact(channelWindow, (long) channelLimit * workersPerProcess * lanesPerWorker());
    }

    /**
     * How many lanes a channel has from one worker to one process.
     *
     * @return one for each worker there, and one for broadcasts if there are several
     */
    public int lanesPerWorker() {
        return workersPerProcess == 1 ? 1 : workersPerProcess + 1;
    }

    /**
     * Credit that this process lends to lanes that are read fast, all together.
     *
     * <p><em>Local.</em> <em>Default:</em> 64 MiB.
     *
     * @return bytes, 0 for none
     */
    public long floatingWindow() {
        return floatingWindow;
    }

    /**
     * The widest window of one lane, floating credit included: what a fast network carries in some milliseconds.
     *
     * <p><em>Local.</em> <em>Default:</em> 16 MiB.
     *
     * @return bytes, at least {@link #channelWindow()}
     */
    public long channelWindowMax() {
        return channelWindowMax;
    }

    /**
     * What received messages, and those under way between workers of this process, may take of direct memory at most: for each other process ten slabs, eight frames and
     * three times {@link #linkWindow()}; for this process as many slabs and frames for each of its workers, and twice a link window; twice
     * {@link #floatingWindow()}. Send rings come on top, and on the heap messages that are put together from fragments.
     *
     * @return bytes, or {@link #UNBOUNDED}
     */
    public long receiveMemoryLimit() {
        if (channelWindow == UNBOUNDED) {
            return UNBOUNDED;
        }
        final long peers = processCount() - 1L;
        final long perReader = (ReceiveAgent.SLABS_SLICED + 2L) * slabLength + LaneCells.pooledBytesMax(frameLimit);
        return (peers + workersPerProcess) * perReader + (3 * peers + 2) * linkWindow() + 2 * floatingWindow;
    }

    /**
     * What Hawser takes of direct memory in this process at most, whatever the workers and the other processes do: {@link #receiveMemoryLimit()}, the send rings, and what control frames are written in.
     *
     * @return bytes, or {@link #UNBOUNDED}
     */
    public long directMemoryLimit() {
        final long sending =
                (processCount() - 1L) * ((long) workersPerProcess * sendRingLength + SendAgent.CONTROL_LENGTH);
        return channelWindow == UNBOUNDED ? UNBOUNDED : receiveMemoryLimit() + sending;
    }

    /**
     * The most direct memory that this process may be configured to take: settings of which {@link #directMemoryLimit()} is more are refused, rather than that the
     * memory runs out some day.
     *
     * <p><em>Local.</em> <em>Default:</em> {@link #UNBOUNDED}.
     *
     * @return bytes
     */
    public long memoryLimit() {
        return memoryLimit;
    }

    /**
     * The longest message. One that does not fit a frame, or the credit of its lane, travels in fragments.
     *
     * <p><em>Agreed:</em> the least wins. <em>Default:</em> 64 MiB.
     *
     * @return bytes, at least 1
     */
    public long messageLimit() {
        return messageLimit;
    }

    /**
     * The longest message that is put together from fragments when it is pulled, and that is claimed or encoded in one piece when it is pushed. A longer one is
     * written and read piece by piece. Each channel that pulls such a message takes so much memory meanwhile, and each worker that pushes one.
     *
     * <p><em>Local.</em> <em>Default:</em> 64 MiB.
     *
     * @return bytes, at least {@link #frameLimit()}
     */
    public int assemblyLimit() {
        return assemblyLimit;
    }

    /**
     * Where channels spill to.
     *
     * <p><em>Local.</em> <em>Default:</em> the system's directory for temporary files.
     *
     * @return the directory; made if it does not exist once a channel may spill
     */
    public Path spillDirectory() {
        return spillDirectory;
    }

    /**
     * What all channels of this process may spill at a time.
     *
     * <p><em>Local.</em> <em>Default:</em> 16 GiB.
     *
     * @return bytes of disk
     */
    public long spillLimit() {
        return spillLimit;
    }

    /**
     * How long a push may wait before it is told who waits for whose credit.
     *
     * <p><em>Local.</em> <em>Default:</em> 10 s.
     *
     * @return nanoseconds, 1 µs…7 days
     */
    public long standstillTimeoutNs() {
        return standstillTimeoutNs;
    }

    /**
     * How many reservations this process holds for work that it has accepted and that has not begun.
     *
     * <p><em>Local.</em> <em>Default:</em> 1,024.
     *
     * @return the count, 1…1,000,000; who asks beyond it is told to try later
     */
    public int reservationLimit() {
        return reservationLimit;
    }

    /**
     * How long this process holds a reservation before the go-ahead comes. A coordinator is told, and asks again in time.
     *
     * <p><em>Local.</em> <em>Default:</em> 10 s.
     *
     * @return nanoseconds, 1 µs…7 days
     */
    public long reservationTimeoutNs() {
        return reservationTimeoutNs;
    }

    /**
     * How long a worker may go without a call into the library, and without waiting in one, before that is told: in the log, to all processes, and by {@code Cluster.stalls()}.
     * One that computes for long may call {@code worker.alive()} in between. Time that the process itself stood still, being stopped or collecting garbage, does not count.
     *
     * <p>It is the watch thread that looks, up to four times a second. A cluster of one process has none: there nobody looks after the workers, and neither this nor {@link #stallLimitNs()} has any effect.
     *
     * <p><em>Local.</em> <em>Default:</em> 10 s, longer than a step of most jobs takes, and soon enough for somebody who wonders why nothing happens.
     *
     * @return nanoseconds, 1 µs…7 days
     */
    public long stallTimeoutNs() {
        return stallTimeoutNs;
    }

    /**
     * How long a worker may go without a call into the library before that is a failure of its scope: of the dataflow that it runs a step of, otherwise of the cluster. If it still stands still after twice that, the cluster is lost.
     *
     * <p>All others have control back then. The worker itself has not: nobody can stop its code, and so {@code join} of its own process waits for it, until it returns or calls the library.
     *
     * <p><em>Local.</em> <em>Default:</em> empty, it never is: what is too long for a step only its job knows.
     *
     * @return nanoseconds, not below {@link #stallTimeoutNs()}; or empty
     */
    public OptionalLong stallLimitNs() {
        return stallLimitNs;
    }

    /**
     * Who is told when pushes have waited for longer than {@link #standstillTimeoutNs()}, beside the log. Each time in a thread of its own.
     *
     * <p><em>Local.</em> <em>Default:</em> nobody.
     *
     * @return the listener, or empty
     */
    public Optional<Consumer<Standstill>> standstillListener() {
        return Optional.ofNullable(standstillListener);
    }

    /**
     * The global index of the first worker of a process.
     *
     * @param process index of the process
     * @return the worker's index
     * @throws IndexOutOfBoundsException if there is no such process
     */
    public int firstWorker(final int process) {
        if (process < 0 || process >= processCount()) {
            throw new IndexOutOfBoundsException("process=" + process + " processCount=" + processCount());
        }
        return process * workersPerProcess;
    }

    /**
     * All settings, for the log.
     *
     * @return each as {@code name=value}
     */
    @Override
    public String toString() {
        return "ClusterConfig{clusterId=" + clusterId
                + " processIndex=" + processIndex
                + " addresses=" + addresses
                + " bindAddress=" + (addresses.isEmpty() ? "none" : bindAddress())
                + " workersPerProcess=" + workersPerProcess
                + " directory=" + (directory == null ? "none" : directory)
                + " generation=" + generation
                + " former=" + former
                + " formationTimeoutNs=" + formationTimeoutNs
                + " helloTimeoutNs=" + helloTimeoutNs
                + " dialBackoffMinNs=" + dialBackoffMinNs
                + " dialBackoffMaxNs=" + dialBackoffMaxNs
                + " heartbeatIntervalNs=" + heartbeatIntervalNs
                + " silenceTimeoutNs=" + silenceTimeoutNs
                + " abortTimeoutNs=" + abortTimeoutNs
                + " frameLimit=" + frameLimit
                + " sendRingLength=" + sendRingLength
                + " slabLength=" + slabLength
                + " socketSendBufferLength=" + socketSendBufferLength
                + " channelWindow=" + channelWindow
                + " channelLimit=" + channelLimit
                + " floatingWindow=" + floatingWindow
                + " channelWindowMax=" + channelWindowMax
                + " memoryLimit=" + memoryLimit
                + " messageLimit=" + messageLimit
                + " assemblyLimit=" + assemblyLimit
                + " spillDirectory=" + spillDirectory
                + " spillLimit=" + spillLimit
                + " standstillTimeoutNs=" + standstillTimeoutNs
                + " stallTimeoutNs=" + stallTimeoutNs
                + " stallLimitNs=" + (stallLimitNs.isPresent() ? String.valueOf(stallLimitNs.getAsLong()) : "none")
                + " reservationLimit=" + reservationLimit
                + " reservationTimeoutNs=" + reservationTimeoutNs
                + " payloadChecks=" + payloadChecks
                + " unidentifiedLimit=" + unidentifiedLimit
                + " clock=" + clock
                + " threadFactory=" + threadFactory
                + " seed=" + (seed.isPresent() ? String.valueOf(seed.getAsLong()) : "none")
                + '}';
    }
}
