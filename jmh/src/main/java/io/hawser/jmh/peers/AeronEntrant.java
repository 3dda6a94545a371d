package io.hawser.jmh.peers;

import io.aeron.Aeron;
import io.aeron.CommonContext;
import io.aeron.ExclusivePublication;
import io.aeron.Subscription;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.YieldingIdleStrategy;

/**
 * Aeron with a media driver of one thread, embedded in each process; or over shared memory, with one driver in the process that listens. What is
 * waited for is waited for by yielding, as Aeron is meant to be used where latency counts.
 *
 * <p><em>Threading:</em> one thread polls each lane; the driver's thread sends and receives.
 */
final class AeronEntrant extends LaneEntrant {
    private static final int TERM_LENGTH = 16 * 1024 * 1024;
    private static final int WINDOW_LENGTH = 2 * 1024 * 1024;
    private static final int SOCKET_BUFFER_LENGTH = 4 * 1024 * 1024;
    private static final int SMALL_MTU = 16 * 1024;
    private static final int BULK_MTU = 65_504;
    private static final int FIRST_STREAM = 1_001;

    private final boolean isIpc;
    private Aeron aeron;

    AeronEntrant(final boolean isIpc) {
        this.isIpc = isIpc;
    }

    @Override
    void listen(final Lane lane, final Acceptor acceptor) {
        final Aeron client = client(lane, true);
        final Subscription subscription = client.addSubscription(channel(lane, lane.port()), forward(lane));
        final ExclusivePublication publication = lane.isTwoWay()
                ? client.addExclusivePublication(channel(lane, lane.returnPort()), backward(lane))
                : null;
        Threads.start("poll-" + lane.number(), () -> {
            awaitConnection(subscription, publication);
            final Outlet outlet = publication == null ? Outlet.NONE : new AeronOutlet(lane, publication);
            new AeronPoller(lane, subscription, acceptor.connected(outlet)).run();
        });
    }

    @Override
    Outlet connect(final Lane lane, final Receiver receiver) throws InterruptedException {
        final Aeron client = client(lane, false);
        final ExclusivePublication publication =
                client.addExclusivePublication(channel(lane, lane.port()), forward(lane));
        if (lane.isTwoWay()) {
            final Subscription subscription = client.addSubscription(channel(lane, lane.returnPort()), backward(lane));
            awaitConnection(subscription, publication);
            Threads.start("poll-" + lane.number(), new AeronPoller(lane, subscription, receiver)::run);
        } else {
            awaitConnection(null, publication);
        }
        return new AeronOutlet(lane, publication);
    }

    /** One for all lanes of this process. */
    private Aeron client(final Lane lane, final boolean isListening) {
        if (aeron == null) {
            final String shared = lane.directory().resolve("aeron").toString();
            final String directory = isIpc ? shared : shared + (isListening ? "-receiver" : "-sender");
            if (isListening || !isIpc) {
                MediaDriver.launchEmbedded(driver(lane, directory));
            }
            aeron = Aeron.connect(
                    new Aeron.Context().aeronDirectoryName(directory).errorHandler(Threads::fail));
        }
        return aeron;
    }

    private static MediaDriver.Context driver(final Lane lane, final String directory) {
        final int mtu = lane.isBulk() ? BULK_MTU : SMALL_MTU;
        return new MediaDriver.Context()
                .aeronDirectoryName(directory)
                .dirDeleteOnStart(true)
                .threadingMode(ThreadingMode.SHARED)
                .sharedIdleStrategy(YieldingIdleStrategy.INSTANCE)
                .mtuLength(mtu)
                .ipcMtuLength(mtu)
                .publicationTermBufferLength(TERM_LENGTH)
                .ipcTermBufferLength(TERM_LENGTH)
                .initialWindowLength(WINDOW_LENGTH)
                .socketRcvbufLength(SOCKET_BUFFER_LENGTH)
                .socketSndbufLength(SOCKET_BUFFER_LENGTH)
                .termBufferSparseFile(false)
                .performStorageChecks(false);
    }

    private String channel(final Lane lane, final int port) {
        return isIpc ? CommonContext.IPC_CHANNEL : "aeron:udp?endpoint=" + lane.host() + ":" + port;
    }

    private static int forward(final Lane lane) {
        return FIRST_STREAM + 2 * lane.number();
    }

    private static int backward(final Lane lane) {
        return forward(lane) + 1;
    }

    private static void awaitConnection(final Subscription subscription, final ExclusivePublication publication)
            throws InterruptedException {
        while ((subscription != null && !subscription.isConnected())
                || (publication != null && !publication.isConnected())) {
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }
}
