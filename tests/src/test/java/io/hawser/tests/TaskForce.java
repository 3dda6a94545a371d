package io.hawser.tests;

import io.hawser.allocator.Channel;
import io.hawser.allocator.Cluster;
import io.hawser.allocator.Codecs;
import io.hawser.allocator.Dataflow;
import io.hawser.allocator.GoAhead;
import io.hawser.allocator.Placement;
import io.hawser.allocator.PlacementBuilder;
import io.hawser.allocator.PlacementTask;
import io.hawser.allocator.Worker;
import io.hawser.fate.Escalation;
import io.hawser.testkit.FaultProxy;
import io.hawser.testkit.FreePorts;
import io.hawser.transport.Endpoint;
import io.hawser.transport.Notice;
import io.hawser.transport.ScopeMembers;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A coordinator, process 0, and processes that take tasks from it, all links through proxies. Each task says one word to worker 0, on a channel of its dataflow, as soon as it has its go-ahead; the last task of a placement is worker 0's own, which
 * hears them.
 *
 * <p><em>Threading:</em> the test's thread; each process has one worker.
 */
final class TaskForce implements AutoCloseable {
    private static final int PING = 1;
    private static final int PONG = 2;
    private static final int CHANNEL = 0;

    /** By the lower and the higher index of the two processes. */
    private final Map<List<Integer>, FaultProxy> proxies = new HashMap<>();

    private final List<Member> members = new ArrayList<>();
    private final Queue<Integer> begun = new ConcurrentLinkedQueue<>();
    private final Map<Long, CompletableFuture<Long>> allHeard = new ConcurrentHashMap<>();
    private volatile CountDownLatch pongs = new CountDownLatch(0);
    private volatile long pongNs;

    /** What a worker does in one dataflow. */
    private final class Share {
        private final Dataflow dataflow;
        private final Channel<Long> channel;
        private final boolean isCollector;
        private int tasksAwaited;
        private int wordsAwaited;

        Share(final Worker worker, final GoAhead goAhead) {
            final int[] workers = IntStream.range(0, goAhead.taskCount())
                    .map(goAhead::workerOf)
                    .toArray();
            isCollector = worker.index() == 0;
            tasksAwaited = (int)
                    IntStream.of(workers).filter(each -> each == worker.index()).count();
            wordsAwaited = isCollector ? workers.length - 1 : 0;
            dataflow = worker.dataflow(goAhead.request().dataflowId(), ScopeMembers.of(workers), Escalation.CONTAINED);
            channel = dataflow.allocate(CHANNEL, Codecs.int64());
        }

        void begin(final GoAhead goAhead) {
            tasksAwaited--;
            if (goAhead.task() < goAhead.taskCount() - 1) {
                begun.add(goAhead.request().targetWorker());
                channel.pusher(0).push((long) goAhead.task());
            }
        }

        boolean isOver() {
            dataflow.run(() -> {
                while (wordsAwaited > 0 && channel.puller().pull() != null) {
                    wordsAwaited--;
                }
                if (tasksAwaited == 0 && wordsAwaited == 0) {
                    if (isCollector) {
                        heard(dataflow.id()).complete(System.nanoTime());
                    }
                    dataflow.close();
                }
            });
            return dataflow.outcome().isPresent();
        }
    }

    /** Forms it; the caller then says who takes which work. */
    static TaskForce form(final int processes) throws Exception {
        final TaskForce force = new TaskForce();
        final List<Integer> ports = FreePorts.take(processes);
        for (int process = 0; process < processes; process++) {
            final var config = Member.config(process, ports);
            for (int lower = 0; lower < process; lower++) {
                final FaultProxy proxy = FaultProxy.to(ports.get(lower));
                force.proxies.put(List.of(lower, process), proxy);
                config.address(lower, new Endpoint("127.0.0.1", proxy.port()));
            }
            force.members.add(Member.start(config.build(), force::work));
        }
        for (int process = 0; process < processes; process++) {
            force.process(process);
        }
        return force;
    }

    private long work(final Worker worker) {
        final Map<Long, Share> shares = new HashMap<>();
        worker.onNotice(notice -> {
            if (notice.kind() == PING) {
                worker.notify(0, Notice.NO_CHANNEL, PONG, new UnsafeBuffer(0, 0), 0, 0);
            } else {
                pongNs = System.nanoTime();
                pongs.countDown();
            }
        });
        worker.onGo(goAhead -> shares.computeIfAbsent(goAhead.request().dataflowId(), id -> new Share(worker, goAhead))
                .begin(goAhead));
        while (true) {
            worker.park();
            shares.values().removeIf(Share::isOver);
        }
    }

    Cluster<Long> process(final int index) throws Exception {
        return members.get(index).formed();
    }

    /** Between two processes; the higher one dials. */
    FaultProxy proxyBetween(final int lower, final int higher) {
        return proxies.get(List.of(lower, higher));
    }

    /** Those on all links. */
    Collection<FaultProxy> proxies() {
        return proxies.values();
    }

    /** Of each task but the collecting ones that has begun: its worker. */
    List<Integer> begun() {
        return List.copyOf(begun);
    }

    /** So many tasks for these workers, and one that collects. */
    static PlacementBuilder placement(final long id, final int tasks, final int... workers) {
        final PlacementBuilder builder = Placement.of(id).candidates(workers);
        for (int task = 0; task < tasks; task++) {
            builder.task(PlacementTask.of(new byte[100]));
        }
        return builder.task(PlacementTask.of(new byte[0]).withCandidates(0));
    }

    private CompletableFuture<Long> heard(final long dataflowId) {
        return allHeard.computeIfAbsent(dataflowId, id -> new CompletableFuture<>());
    }

    /** Waits until worker 0 has heard the first words of all tasks; when that was. */
    long awaitHeard(final long dataflowId) throws Exception {
        return heard(dataflowId).get(Member.PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** How long it takes to send a notice to each of these workers, and to get all their answers. */
    long roundTripNs(final int... workers) throws Exception {
        pongs = new CountDownLatch(workers.length);
        final long startNs = System.nanoTime();
        for (final int worker : workers) {
            process(0).notify(worker, Notice.NO_CHANNEL, PING, new UnsafeBuffer(0, 0), 0, 0);
        }
        if (!pongs.await(Member.PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new AssertionError("notices are not answered: missing=" + pongs.getCount());
        }
        return pongNs - startNs;
    }

    @Override
    public void close() {
        members.forEach(Member::close);
        proxies().forEach(FaultProxy::close);
        Member.assertNoThreads();
    }
}
