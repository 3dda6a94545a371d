package io.hawser.transport;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Links to other processes that come and go: what an engine needs whose processes join and leave at any time. Each {@link PeerLink} has a fate of its own; who wants all to share one fate forms a {@link Mesh}.
 *
 * <pre>{@code
 * ClusterConfig settings = ClusterConfig.builder()
 *         .clusterId("shop")
 *         .addresses(List.of(new Endpoint("10.0.0.1", 7000)))
 *         .build();
 * try (Links links = Links.open(LinkConfig.of("tm-1", settings), link -> new Receiver(link))) {
 *     PeerLink link = links.dial(new Endpoint("10.0.0.2", 7000), made -> new Receiver(made)).toCompletableFuture().join();
 *     try (SendRing ring = link.openRing(0)) { // for one thread
 *         SendLane lane = ring.openLane(SendRing.NO_DATAFLOW, 1, link.firstPeerWorker(), 1);
 *         ring.push(lane, bytes, 0, bytes.capacity());
 *         ring.flush();
 *     }
 *     link.hangUp();
 *     link.awaitClosed(Duration.ofSeconds(10)); // the other side hangs up, too; what has not arrived by the close below is lost
 * }
 * }</pre>
 *
 * <p>Whatever the number of links, they share one port, three threads, and the account of memory; each link has a send and a receive thread.
 *
 * <p><em>Threading:</em> any thread may call any method; none blocks but {@link #open} and {@link #close()}.
 */
public final class Links implements AutoCloseable {
    private static final int BACKLOG = 1_024;
    private static final long CLOSE_SLACK_NS = 2_000_000_000L;
    private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE);

    private final LinkConfig config;
    private final Endpoint address;
    private final MemoryAccount memory = new MemoryAccount();
    private final WindowPool windows;
    private final LinksWatch watch;
    private final LinkGreeter greeter;
    private final ThreadPoolExecutor events;
    private final Thread watchThread;
    private final Thread greetThread;
    private final ExitHook exitHook;
    private volatile Thread eventThread;
    private volatile boolean isClosed;

    private Links(LinkConfig config, Endpoint address, ServerSocketChannel bound, LinkAcceptor acceptor)
            throws IOException {
        ClusterConfig settings = config.settings();
        this.config = config;
        this.address = address;
        this.windows = new WindowPool(settings.floatingWindow(), settings.channelWindowMax(), settings.clock());
        Names names = new Names("hawser-" + settings.clusterId() + "-" + config.name() + "-");
        this.events = new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), body -> {
            Thread thread = names.thread(settings.threadFactory(), body, "link-events");
            eventThread = thread;
            return thread;
        });
        this.watch = new LinksWatch(settings);
        this.watchThread = names.thread(settings.threadFactory(), watch, "watch");
        this.exitHook = new ExitHook(new Shared(), settings.abortTimeoutNs());
        this.greeter = new LinkGreeter(config, new Shared(), address, bound, acceptor, names, this::tell);
        try {
            this.greetThread = names.thread(settings.threadFactory(), greeter, "greet");
        } catch (Throwable noThread) {
            greeter.abandon();
            throw noThread;
        }
    }

    /** What the links share, and what they leave by. */
    private final class Shared implements LinkGreeter.Host, ExitHook.Party {
        @Override
        public MemoryAccount memory() {
            return memory;
        }

        @Override
        public WindowPool windows() {
            return windows;
        }

        @Override
        public boolean isSharedThread() {
            Thread current = Thread.currentThread();
            return current == greetThread || current == watchThread || current == eventThread;
        }

        @Override
        public void watch(LinkFormation formation) {
            formation.core().attach(watchThread);
            watch.add(formation.core().watch(), watchThread);
            formation.core().startLinked(); // last: until now whatever fails leaves nothing that runs
        }

        @Override
        public void onAllOver() {
            watch.stop(watchThread);
            events.shutdown(); // what is queued is still told
        }

        @Override
        public boolean leave() {
            boolean isAnyLeaving = false;
            for (LinkFormation formation : greeter.formations()) {
                isAnyLeaving |= formation.core().leave();
            }
            greeter.leave(); // who has lost its link is not to make another one to a process that ends
            return isAnyLeaving;
        }

        @Override
        public void awaitLinksEnded(long timeoutNs) {
            long deadlineNs = config.settings().clock().nanoTime() + timeoutNs;
            for (LinkFormation formation : greeter.formations()) {
                formation
                        .core()
                        .awaitLinksEnded(deadlineNs - config.settings().clock().nanoTime());
            }
        }
    }

    /**
     * Listens, and is ready to dial.
     *
     * @param config   settings
     * @param acceptor decides what becomes of links that others dial
     * @return the links, none yet
     * @throws IOException              if the address cannot be listened at; the message names it
     * @throws IllegalArgumentException if the settings are not those that a cluster of two may have, or as many links as there may be can take more than {@link ClusterConfig#memoryLimit()}
     */
    public static Links open(final LinkConfig config, final LinkAcceptor acceptor) throws IOException {
        Objects.requireNonNull(config, "config");
        Objects.requireNonNull(acceptor, "acceptor");
        RuntimeFlags.check();
        config.checkMemory();
        final Endpoint at = config.settings().bindAddress();
        final ServerSocketChannel bound = listen(at.host(), config.isAnyPort() ? 0 : at.port());
        final Links links;
        try {
            links = new Links(config, advertised(config, bound), bound, acceptor);
        } catch (final Throwable noRoom) {
            Quietly.close(bound);
            throw noRoom;
        }
        links.start();
        return links;
    }

    private static ServerSocketChannel listen(String host, int port) throws IOException {
        ServerSocketChannel socket = ServerSocketChannel.open();
        try {
            socket.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            socket.bind(new InetSocketAddress(InetAddress.getByName(host), port), BACKLOG);
            return socket;
        } catch (IOException | RuntimeException e) {
            Quietly.close(socket);
            throw new IOException(
                    "cannot listen at " + host + ":" + port + " (" + Quietly.reasonOf(e)
                            + "): is the port held by another process, or the address not of this machine?",
                    e);
        }
    }

    private static Endpoint advertised(LinkConfig config, ServerSocketChannel bound) throws IOException {
        Endpoint listed = config.settings().addresses().get(0);
        return config.isAnyPort()
                ? new Endpoint(listed.host(), ((InetSocketAddress) bound.getLocalAddress()).getPort())
                : listed;
    }

    private void start() throws IOException {
        try {
            events.prestartCoreThread();
            watchThread.start();
            greetThread.start();
            exitHook.register();
        } catch (Throwable noThread) {
            watch.stop(watchThread);
            events.shutdown();
            greeter.abandon();
            throw new IOException("no threads to be had for the links of " + config.name(), noThread);
        }
    }

    /** {@return where others may dial this process, with the port that it got if it had asked for any} */
    public Endpoint address() {
        return address;
    }

    /**
     * Makes a link to another process, as {@link #dial(Endpoint, LinkAcceptor, Duration)} within {@link ClusterConfig#formationTimeoutNs()}.
     *
     * @param peer     where the other process is found; looked up on each attempt
     * @param acceptor decides what becomes of what arrives on the link
     * @return the link, or a {@link LinkException}
     * @throws IllegalStateException if these links are closed
     */
    public CompletionStage<PeerLink> dial(final Endpoint peer, final LinkAcceptor acceptor) {
        return dial(peer, acceptor, Duration.ofNanos(config.settings().formationTimeoutNs()));
    }

    /**
     * Makes a link to another process. An attempt tries every address of a name once; as long as nobody answers, another one follows after a pause.
     *
     * @param peer     where the other process is found; looked up on each attempt
     * @param acceptor decides what becomes of what arrives on the link
     * @param within   how long attempts are begun; zero: a single one, so that a process that is not there is known at once. One that has begun may last for two {@link ClusterConfig#helloTimeoutNs()} more
     * @return the link, completed by the greet thread, so that what depends on it must not block; or a {@link LinkException}. It is tried on, and counts for {@link LinkConfig#linkLimit()}, if nobody
     *     waits for it any more; the link is closed then
     * @throws IllegalStateException if these links are closed
     */
    public CompletionStage<PeerLink> dial(final Endpoint peer, final LinkAcceptor acceptor, final Duration within) {
        Objects.requireNonNull(peer, "peer");
        Objects.requireNonNull(acceptor, "acceptor");
        if (isClosed) {
            throw new IllegalStateException("the links of " + config.name() + " are closed, and it dials " + peer);
        }
        final long withinNs = within.compareTo(LONGEST) < 0 ? within.toNanos() : Long.MAX_VALUE;
        return greeter.dial(peer, acceptor, withinNs).result();
    }

    /** {@return the links that are open} */
    public List<PeerLink> links() {
        return greeter.formations().stream()
                .filter(LinkFormation::isStarted)
                .map(LinkFormation::link)
                .toList();
    }

    /** {@return who came to the port without being a peer} */
    public StrangerCounts strangers() {
        return greeter.strangerCounts();
    }

    /** {@return the account of the direct memory that rings and slabs of all links hold; it is at 0 after {@link #close()}, once all rings are closed} */
    public MemoryAccount memory() {
        return memory;
    }

    /** Not private: a test has it run, which nobody comes back from otherwise. */
    ExitHook exitHook() {
        return exitHook;
    }

    /** Not private: a test looks at what is lent. */
    WindowPool windows() {
        return windows;
    }

    private void tell(Runnable call) {
        events.execute(() -> {
            try {
                call.run();
            } catch (Throwable thrown) { // the user's code
                Logs.LINK.error("LinkReceiver.onEnded has thrown", thrown);
            }
        });
    }

    /**
     * Ends what links are left, uncleanly, with this process's user as the cause, also those that have hung up and are not closed yet; frees the port; waits, bounded by the abort time-out and 2 s, until nothing is left and all have been told by
     * {@link LinkReceiver#onEnded}, unless called by one of the links' own threads. Idempotent.
     */
    @Override
    public void close() {
        isClosed = true;
        greeter.close("Links.close was called before the end of this link");
        exitHook.unregister();
        if (isOwnThread()) {
            return;
        }
        try {
            awaitEnd();
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** A receive thread, too: its link ends when it comes back from what it calls. */
    private boolean isOwnThread() {
        return new Shared().isSharedThread()
                || greeter.formations().stream()
                        .anyMatch(formation -> formation.core().isOwnThread());
    }

    private void awaitEnd() throws InterruptedException {
        final long deadlineNs =
                config.settings().clock().nanoTime() + config.settings().abortTimeoutNs() + CLOSE_SLACK_NS;
        TimeUnit.NANOSECONDS.timedJoin(
                greetThread, deadlineNs - config.settings().clock().nanoTime());
        TimeUnit.NANOSECONDS.timedJoin(
                watchThread, Math.max(1, deadlineNs - config.settings().clock().nanoTime()));
        TimeUnit.NANOSECONDS.timedJoin(
                eventThread, Math.max(1, deadlineNs - config.settings().clock().nanoTime()));
        if (eventThread.isAlive() || watchThread.isAlive() || greetThread.isAlive()) {
            Logs.LINK.warn(
                    "the links of {} have not ended within {} ms: open={}",
                    config.name(),
                    (config.settings().abortTimeoutNs() + CLOSE_SLACK_NS) / 1_000_000,
                    greeter.formations().size());
        }
    }
}
