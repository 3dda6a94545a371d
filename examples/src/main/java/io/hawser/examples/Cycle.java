package io.hawser.examples;

import io.hawser.allocator.Cluster;
import io.hawser.allocator.OnFull;
import io.hawser.allocator.Outcomes;
import io.hawser.allocator.PushResult;
import io.hawser.allocator.RawChannel;
import io.hawser.allocator.Worker;
import io.hawser.fate.CauseKind;
import io.hawser.fate.Standstill;
import io.hawser.tools.Event;
import io.hawser.transport.ClusterConfig;
import io.hawser.transport.ClusterConfigBuilder;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Two processes, each of which wants to push twice as much as the other may have waiting before it pulls anything. A channel that waits stands still then, and
 * Hawser says why; one that refuses gives the worker the occasion to pull; one that spills takes it all.
 *
 * <p><em>Threading:</em> the main thread watches; each process has one worker; Hawser explains in a thread of its own.
 */
@Command(
        name = "cycle",
        description = "Two processes that fill each other up before they pull.",
        sortOptions = false,
        usageHelpAutoWidth = true)
final class Cycle extends Example {
    private static final int CHANNEL = 0;
    private static final int WINDOW = 256 * 1024;
    private static final int MESSAGE_LENGTH = 1024;
    private static final int MESSAGE_COUNT = 2 * WINDOW / MESSAGE_LENGTH;
    private static final int POLL_LIMIT = 64;
    private static final Duration STANDSTILL_TIMEOUT = Duration.ofSeconds(2);

    /** Until it has been found out, told and noticed. */
    private static final Duration STANDSTILL_GRACE = Duration.ofSeconds(1);

    @Option(
            names = "--policy",
            required = true,
            paramLabel = "refuse|wait|spill",
            converter = Policy.class,
            description = "what the channels do when they are full")
    private OnFull policy;

    private final CompletableFuture<Standstill> standstill = new CompletableFuture<>();
    private volatile long startNs;
    private long explainedAfterMs = -1;

    /** The worker's. */
    private int received;

    @Override
    int processes() {
        return 2;
    }

    @Override
    void configure(final ClusterConfigBuilder settings) {
        settings.channelLimit(1)
                .channelWindow(WINDOW)
                .channelWindowMax(WINDOW) // no more, however fast the other reads
                .floatingWindow(0)
                .standstillTimeout(STANDSTILL_TIMEOUT)
                .onStandstill(standstill::complete);
    }

    @Override
    Event run(final ClusterConfig config) throws Exception {
        try (Cluster<Integer> cluster = Cluster.execute(config, this::exchange)) {
            Optional<Outcomes<Integer>> outcomes = Optional.empty();
            while (outcomes.isEmpty()) {
                if (standstill.isDone() && explainedAfterMs < 0) {
                    explainedAfterMs = (System.nanoTime() - startNs) / 1_000_000;
                    Told.line("told after " + explainedAfterMs + " ms: " + standstill.join());
                    cluster.abort(
                            standstill.join().describe()); // Hawser only tells; what to do about it is ours to say
                }
                outcomes = cluster.join(Duration.ofMillis(10));
            }
            return result(outcomes.get());
        }
    }

    private Integer exchange(final Worker worker) {
        final RawChannel channel = worker.allocateRaw(CHANNEL, policy);
        final UnsafeBuffer message = new UnsafeBuffer(new byte[MESSAGE_LENGTH]);
        final int other = 1 - worker.index();
        startNs = System.nanoTime();
        for (int sent = 0; sent < MESSAGE_COUNT; ) {
            message.putInt(0, sent);
            if (channel.pusher(other).push(message, 0, MESSAGE_LENGTH) == PushResult.PUSHED) {
                sent++;
            } else if (channel.puller().poll(this::onMessage, POLL_LIMIT) == 0) {
                // Refused, and nothing to pull: the other has not got so far. Who pulls when he is refused makes room
                // for the other, who
                // does the same for him; who only waited for room would do what a channel that waits does.
                worker.park();
            }
        }
        Told.line("has pushed all of " + MESSAGE_COUNT + " messages, and pulled " + received + " meanwhile");
        while (received < MESSAGE_COUNT) {
            if (channel.puller().poll(this::onMessage, POLL_LIMIT) == 0) {
                worker.park();
            }
        }
        return received;
    }

    private void onMessage(final DirectBuffer buffer, final int offset, final int length, final int sourceWorker) {
        if (buffer.getInt(offset) != received || length != MESSAGE_LENGTH) {
            throw new IllegalStateException("expected=" + received + " number=" + buffer.getInt(offset));
        }
        received++;
    }

    private Event result(final Outcomes<Integer> outcomes) {
        if (policy != OnFull.WAIT) {
            outcomes.values(); // throws if the cluster was lost
        } else if (!outcomes.isClean()) {
            Told.line("the cluster has ended: " + outcomes.cause().kind());
        }
        final Standstill told = standstill.getNow(null);
        return Told.newResult()
                .with("completed", outcomes.isClean())
                .with("aborted", !outcomes.isClean() && outcomes.cause().kind() == CauseKind.CLOSED_BY_USER)
                .with("explainedAfterMs", explainedAfterMs)
                .with("cycle", told == null ? "" : told.cycle().toString().replaceAll("[^0-9,]", ""));
    }

    @Override
    void judge(final List<Event> results, final long directLimit, final Figures figures) {
        final boolean isCompleted = results.stream().allMatch(each -> Boolean.parseBoolean(each.text("completed")));
        figures.put("policy", Policy.name(policy)).put("completed", isCompleted);
        if (policy != OnFull.WAIT) {
            figures.expect(isCompleted, "it did not complete");
            return;
        }
        final Optional<Event> explained = results.stream()
                .filter(each -> each.number("explainedAfterMs") >= 0)
                .findFirst();
        explained.ifPresent(each -> {
            final List<Integer> cycle = Arrays.stream(each.text("cycle").split(","))
                    .filter(text -> !text.isEmpty())
                    .map(Integer::valueOf)
                    .toList();
            figures.put("explainedAfterMs", each.number("explainedAfterMs")).put("cycle", cycle);
            figures.expect(cycle.equals(List.of(0, 1)), "it was not told as a circle of both workers");
            figures.expect(
                    each.number("explainedAfterMs")
                            <= STANDSTILL_TIMEOUT.plus(STANDSTILL_GRACE).toMillis(),
                    "it was told too late");
        });
        figures.expect(explained.isPresent(), "nothing was told");
        figures.expect(!isCompleted, "it completed, although nobody pulled");
        figures.expect(
                results.stream().allMatch(each -> Boolean.parseBoolean(each.text("aborted"))),
                "it did not end by the abort on all processes");
    }
}
