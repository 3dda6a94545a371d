package io.hawser.flink;

import io.hawser.transport.Endpoint;
import io.hawser.transport.LinkReceiver;
import io.hawser.transport.Links;
import io.hawser.transport.PeerLink;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.flink.runtime.io.network.ConnectionID;
import org.apache.flink.runtime.io.network.ConnectionManager;
import org.apache.flink.runtime.io.network.PartitionRequestClient;
import org.apache.flink.runtime.io.network.TaskEventPublisher;
import org.apache.flink.runtime.io.network.partition.ResultPartitionProvider;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The links of one TaskManager: one that it has dialled for each TaskManager that it reads from, and those that others have dialled to read from it.
 *
 * <p><em>Threading:</em> any thread may call any method; none waits but {@link #start} and {@link #shutdown}. The one lock guards which clients there are; nothing is called under it.
 */
final class HawserConnections implements ConnectionManager, PartitionClient.Owner {
    private static final Logger LOG = LoggerFactory.getLogger(HawserConnections.class);
    private static final long STOP_TIMEOUT_MS = 5_000;

    private final ShuffleSettings settings;
    private final ResultPartitionProvider partitions;
    private final TaskEventPublisher events;
    private final ConsumerTasks tasks;
    private final ShuffleCounters metrics;
    private final List<ShuffleAgent> agents = new ArrayList<>();
    private final AtomicInteger nextAgent = new AtomicInteger();

    private final Object lock = new Object();

    /** Guarded by the lock. */
    private final Map<ConnectionID, PartitionClient> clients = new HashMap<>();

    private volatile Links links;

    HawserConnections(
            final ShuffleSettings settings,
            final ResultPartitionProvider partitions,
            final TaskEventPublisher events,
            final ConsumerTasks tasks,
            final ShuffleCounters metrics) {
        this.settings = settings;
        this.partitions = partitions;
        this.events = events;
        this.tasks = tasks;
        this.metrics = metrics;
    }

    @Override
    public int start() throws IOException {
        for (int i = 0; i < settings.threads(); i++) {
            agents.add(new ShuffleAgent("hawser-shuffle-" + i));
        }
        links = listen();
        agents.forEach(ShuffleAgent::start);
        metrics.gauge("links", () -> (long) links.links().size());
        LOG.info("the shuffle runs over Hawser: address={} threads={} {}", links.address(), agents.size(), settings);
        return links.address().port();
    }

    private Links listen() throws IOException {
        final Iterator<Integer> ports = settings.ports();
        IOException last = null;
        while (ports.hasNext()) {
            try {
                return Links.open(settings.links(ports.next()), this::onLink);
            } catch (final IOException taken) {
                last = taken;
            }
        }
        throw new IOException(
                "no port to be had: host=" + settings.bindHost() + " ports=" + settings.portRange(), last);
    }

    /** Another TaskManager wants to read from this one. */
    private LinkReceiver onLink(final PeerLink link) {
        final ShuffleAgent agent = anAgent();
        final ProducerLink producer = new ProducerLink(link, agent, partitions, events, metrics);
        agent.execute(producer::open);
        return new ProducerReceiver(producer, agent);
    }

    private ShuffleAgent anAgent() {
        return agents.get(Math.floorMod(nextAgent.getAndIncrement(), agents.size()));
    }

    @Override
    public PartitionRequestClient createPartitionRequestClient(final ConnectionID wanted) {
        final ConnectionID id = new ConnectionID(wanted.getResourceID(), wanted.getAddress(), 0);
        final PartitionClient client;
        synchronized (lock) {
            final PartitionClient present = clients.get(id);
            if (present != null && present.isUsable()) {
                present.users++;
                return present;
            }
            client = new PartitionClient(id, anAgent(), tasks, metrics, this);
            client.users = 1;
            clients.put(id, client);
        }
        dial(client);
        return client;
    }

    private void dial(final PartitionClient client) {
        final ConnectionID id = client.connection();
        try {
            final Endpoint address = new Endpoint(
                    id.getAddress().getHostString(), id.getAddress().getPort());
            links.dial(address, link -> new ConsumerReceiver(client), settings.dialTime())
                    .whenComplete((link, cause) -> client.onDialled(link, unwrapped(cause)));
        } catch (final RuntimeException refused) {
            client.onDialled(null, refused);
        }
    }

    private static Throwable unwrapped(final Throwable cause) {
        return cause instanceof CompletionException && cause.getCause() != null ? cause.getCause() : cause;
    }

    @Override
    public boolean release(final PartitionClient client) {
        synchronized (lock) {
            client.users--;
            return hasRetired(client);
        }
    }

    /** Under the lock. */
    private boolean hasRetired(final PartitionClient client) {
        return client.users <= 0 && !settings.isReusing() && clients.remove(client.connection(), client);
    }

    @Override
    public void forget(final PartitionClient client) {
        synchronized (lock) {
            clients.remove(client.connection(), client);
        }
    }

    @Override
    public void closeOpenChannelConnections(final ConnectionID connection) {
        final ConnectionID id = new ConnectionID(connection.getResourceID(), connection.getAddress(), 0);
        final PartitionClient client;
        final boolean isRetired;
        synchronized (lock) {
            client = clients.get(id);
            isRetired = client != null && hasRetired(client);
        }
        if (isRetired) {
            client.hangUp();
        }
    }

    @Override
    public int getNumberOfActiveConnections() {
        synchronized (lock) {
            return clients.size();
        }
    }

    @Override
    public void shutdown() {
        final Links open = links;
        if (open != null) {
            open.close();
        }
        agents.forEach(ShuffleAgent::stop);
        for (final ShuffleAgent agent : agents) {
            awaitEnd(agent);
        }
    }

    private static void awaitEnd(final ShuffleAgent agent) {
        try {
            if (!agent.isOwnThread() && !agent.awaitEnd(STOP_TIMEOUT_MS)) {
                LOG.warn("a shuffle thread has not ended in time: timeoutMs={}", STOP_TIMEOUT_MS);
            }
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
