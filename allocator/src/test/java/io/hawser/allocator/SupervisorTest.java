package io.hawser.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.allocator.SupervisedOutcomes.Ending;
import io.hawser.fate.CauseKind;
import io.hawser.fate.HealthLostException;
import io.hawser.transport.ClusterConfig;
import io.hawser.transport.Endpoint;
import io.hawser.transport.FileDirectory;
import io.hawser.transport.Former;
import io.hawser.transport.Roster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** L3–L5: a supervised cluster forms again, hands over what was kept, tells who is new, and comes to an end of some kind (cases 78, 79). */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class SupervisorTest {
    private static final long DEADLINE_S = 40;

    private final ExecutorService processes = Executors.newCachedThreadPool();

    @TempDir
    private Path directory;

    /** What one generation's worker saw, told by its global index. */
    private record Seen(long generation, boolean isHanded, Former from, Roster roster) {}

    private static final class Failure extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    @AfterEach
    void leaveNothing() {
        processes.shutdownNow();
        Jvm.await("end of all threads", () -> Jvm.threads("hawser-").isEmpty());
    }

    private static ClusterConfig config(final List<Endpoint> addresses, final int process) {
        return ClusterConfig.builder()
                .clusterId("supervised")
                .addresses(addresses)
                .processIndex(process)
                .workersPerProcess(2)
                .formationTimeout(Duration.ofSeconds(20))
                .heartbeatInterval(Duration.ofMillis(100))
                .build();
    }

    private static SupervisionPolicy.Builder policy() {
        return SupervisionPolicy.builder()
                .formWithin(Duration.ofSeconds(20))
                .backoff(Duration.ofMillis(1), Duration.ofMillis(50));
    }

    private <R> Future<SupervisedOutcomes<R>> supervise(
            final ClusterConfig config, final SupervisionPolicy policy, final WorkerFunction<R> function) {
        return processes.submit(() -> Cluster.supervise(config, policy, function));
    }

    private static <R> SupervisedOutcomes<R> of(final Future<SupervisedOutcomes<R>> future) throws Exception {
        return future.get(DEADLINE_S, TimeUnit.SECONDS);
    }

    /** All workers wait for each other, so that none ends before all have come so far. */
    private static void meet(final Worker worker, final int channelId) {
        final Channel<byte[]> channel = worker.allocate(channelId, Codecs.bytes());
        for (int target = 0; target < worker.peers(); target++) {
            channel.pusher(target).push(new byte[1]);
        }
        for (int heard = 0; heard < worker.peers(); ) {
            if (channel.puller().pull() == null) {
                worker.park();
            } else {
                heard++;
            }
        }
    }

    @Test
    void shouldHandOverWhatWasKeptAfterAPanic() throws Exception {
        final List<Endpoint> addresses = Loopback.freeAddresses(3);
        final List<Future<SupervisedOutcomes<Object>>> all = new ArrayList<>();
        final ConcurrentHashMap<Integer, Object> first = new ConcurrentHashMap<>();
        for (int process = 0; process < 3; process++) {
            all.add(supervise(config(addresses, process), policy().build(), worker -> {
                final Object kept = worker.kept(Object.class);
                if (worker.generation() == 1) {
                    final Object state = new Object();
                    first.put(worker.index(), state);
                    worker.keep(state);
                    meet(worker, 0);
                    if (worker.index() == 3) {
                        throw new Failure();
                    }
                }
                meet(worker, 1);
                return kept;
            }));
        }
        for (int process = 0; process < 3; process++) {
            final SupervisedOutcomes<Object> outcomes = of(all.get(process));
            assertThat(outcomes.ending()).as("%s", outcomes).isEqualTo(Ending.COMPLETED);
            assertThat(outcomes.restarts()).isEqualTo(1);
            assertThat(outcomes.history()).hasSize(2);
            assertThat(outcomes.history().get(0).what()).contains("worker 3 of process 1");
            assertThat(outcomes.values()).containsExactly(first.get(2 * process), first.get(2 * process + 1));
            assertThat(outcomes.last().orElseThrow().generation()).isEqualTo(2);
        }
    }

    /** Newcomers know as well as survivors who is new. */
    @Test
    void shouldTellEverybodyWhoIsNew() throws Exception {
        final List<Endpoint> addresses = Loopback.freeAddresses(3);
        final ConcurrentHashMap<Integer, Seen> seen = new ConcurrentHashMap<>();
        final WorkerFunction<Integer> function = worker -> {
            seen.put(
                    worker.index(),
                    new Seen(
                            worker.generation(),
                            worker.kept(String.class) != null,
                            worker.handover().from(),
                            worker.roster()));
            worker.keep("state of " + worker.index());
            meet(worker, 0);
            if (worker.generation() == 1) {
                if (worker.index() == 0) {
                    throw new Failure();
                }
                while (true) {
                    worker.park();
                }
            }
            return worker.index();
        };
        final Future<SupervisedOutcomes<Integer>> leaver =
                supervise(config(addresses, 0), policy().retryIf(cause -> false).build(), function);
        final Future<SupervisedOutcomes<Integer>> one = supervise(config(addresses, 1), policy().build(), function);
        final Future<SupervisedOutcomes<Integer>> two = supervise(config(addresses, 2), policy().build(), function);

        assertThat(of(leaver).ending()).isEqualTo(Ending.NOT_RETRIED);
        assertThat(of(leaver).cause().orElseThrow().kind()).isEqualTo(CauseKind.WORKER_PANICKED);
        final Future<SupervisedOutcomes<Integer>> zero = supervise(config(addresses, 0), policy().build(), function);
        for (final Future<SupervisedOutcomes<Integer>> process : List.of(zero, one, two)) {
            assertThat(of(process).ending()).as("%s", of(process)).isEqualTo(Ending.COMPLETED);
        }
        final Former kept = seen.get(2).from();
        for (int worker = 0; worker < 6; worker++) {
            final Seen told = seen.get(worker);
            assertThat(told.generation()).isEqualTo(2);
            assertThat(told.isHanded()).isEqualTo(worker >= 2);
            assertThat(told.roster().formerGeneration()).isEqualTo(1);
            assertThat(told.roster().isSurvivor(0)).isFalse();
            assertThat(told.roster().isSurvivor(1)).isTrue();
            assertThat(told.roster().isSurvivor(2)).isTrue();
            assertThat(told.roster().heirOf(0)).isEqualTo(-1);
            assertThat(told.roster().heirOf(2)).isEqualTo(2);
            assertThat(told.roster().incarnation())
                    .isEqualTo(seen.get(0).roster().incarnation())
                    .isNotEqualTo(kept.incarnation());
        }
        assertThat(kept.processCount()).isEqualTo(3);
        assertThat(kept.workersPerProcess()).isEqualTo(2);
    }

    /** A generation that is lost before all have kept something takes nothing away from the next one. */
    @Test
    void shouldHandOverTheOlderStateWhenNotAllHaveKeptANewerOne() throws Exception {
        final List<Endpoint> addresses = Loopback.freeAddresses(2);
        final List<Future<SupervisedOutcomes<String>>> all = new ArrayList<>();
        for (int process = 0; process < 2; process++) {
            all.add(supervise(config(addresses, process), policy().build(), worker -> {
                if (worker.generation() == 1) {
                    worker.keep("old");
                }
                if (worker.generation() == 2 && worker.index() != 1) {
                    worker.keep("new");
                }
                meet(worker, 0);
                if (worker.generation() < 3 && worker.index() == 2) {
                    throw new Failure();
                }
                meet(worker, 1);
                return worker.kept(String.class) + worker.handover().from().generation();
            }));
        }
        assertThat(of(all.get(0)).values()).containsExactly("old1", "old1");
        assertThat(of(all.get(1)).values()).containsExactly("new2", "new2");
        assertThat(of(all.get(0)).restarts()).isEqualTo(2);
    }

    @Test
    void shouldGiveUpEverywhereWhenTooManyAreLost() throws Exception {
        final List<Endpoint> addresses = Loopback.freeAddresses(2);
        final List<Future<SupervisedOutcomes<Integer>>> all = new ArrayList<>();
        for (int process = 0; process < 2; process++) {
            all.add(supervise(
                    config(addresses, process),
                    policy().restarts(3, Duration.ofMinutes(1)).build(),
                    worker -> {
                        meet(worker, 0);
                        throw new Failure();
                    }));
        }
        for (final Future<SupervisedOutcomes<Integer>> process : all) {
            assertThat(of(process).ending()).isEqualTo(Ending.GAVE_UP);
            assertThat(of(process).restarts()).isEqualTo(3);
            assertThat(of(process).history()).hasSize(4);
            assertThat(of(process).cause().orElseThrow().kind()).isEqualTo(CauseKind.WORKER_PANICKED);
            assertThatThrownBy(() -> of(process).values())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("GAVE_UP after 3 restarts");
        }
    }

    /** Whoever wants to save what there is has to be given it, however it ends. */
    @Test
    void shouldHandOutWhatWasKeptLastHoweverItEnds() throws Exception {
        for (final int restarts : new int[] {0, 2}) {
            final SupervisedOutcomes<Integer> outcomes = Cluster.supervise(
                    ClusterConfig.local(2),
                    policy().restarts(restarts, Duration.ofMinutes(1)).build(),
                    worker -> {
                        worker.keep("of " + worker.generation());
                        meet(worker, 0);
                        throw new Failure();
                    });
            assertThat(outcomes.ending()).isEqualTo(Ending.GAVE_UP);
            assertThat(outcomes.handover().state(1, String.class)).isEqualTo("of " + (restarts + 1));
        }
        final SupervisedOutcomes<Integer> completed =
                Cluster.supervise(ClusterConfig.local(1), SupervisionPolicy.standard(), worker -> {
                    worker.keep("done");
                    return 0;
                });
        assertThat(completed.handover().state(0, String.class)).isEqualTo("done");
    }

    /** Its own workers were done long before somebody else's failed: the time to form again begins with the loss. */
    @Test
    void shouldCountFromTheLossAndNotFromTheOwnWorkersEnd() throws Exception {
        final List<Endpoint> addresses = Loopback.freeAddresses(2);
        final Duration formWithin = Duration.ofSeconds(2);
        final List<Future<SupervisedOutcomes<Long>>> all = new ArrayList<>();
        for (int process = 0; process < 2; process++) {
            all.add(supervise(
                    config(addresses, process), policy().formWithin(formWithin).build(), worker -> {
                        meet(worker, 0);
                        if (worker.generation() == 1 && worker.index() == 3) {
                            // computes for long; to park would end it, since nothing can come any more
                            new CountDownLatch(1).await(formWithin.toMillis() * 3 / 2, TimeUnit.MILLISECONDS);
                            throw new Failure();
                        }
                        return worker.generation();
                    }));
        }
        for (final Future<SupervisedOutcomes<Long>> process : all) {
            assertThat(of(process).values()).as("%s", of(process)).containsExactly(2L, 2L);
        }
    }

    @Test
    void shouldNotGoOnAfterAUsersOwnEnd() throws Exception {
        final List<Endpoint> addresses = Loopback.freeAddresses(2);
        final CountDownLatch isFormed = new CountDownLatch(1);
        final List<Future<SupervisedOutcomes<Integer>>> all = new ArrayList<>();
        for (int process = 0; process < 2; process++) {
            final boolean isAborting = process == 0;
            all.add(supervise(
                    config(addresses, process),
                    policy().onFormed(cluster -> {
                                if (isAborting) {
                                    assertThat(cluster.roster().members()).hasSize(2);
                                    isFormed.countDown();
                                    cluster.abort("enough");
                                }
                            })
                            .build(),
                    worker -> {
                        isFormed.await();
                        while (true) {
                            worker.park();
                        }
                    }));
        }
        for (final Future<SupervisedOutcomes<Integer>> process : all) {
            assertThat(of(process).ending()).isEqualTo(Ending.NOT_RETRIED);
            assertThat(of(process).cause().orElseThrow().kind()).isEqualTo(CauseKind.CLOSED_BY_USER);
        }
    }

    /** It may still write what the next generation reads. */
    @Test
    void shouldNotFormAgainBesideAWorkerThatDoesNotReturn() throws Exception {
        final List<Endpoint> addresses = Loopback.freeAddresses(1);
        final CountDownLatch release = new CountDownLatch(1);
        final SupervisedOutcomes<Integer> outcomes;
        try {
            outcomes = of(supervise(
                    config(addresses, 0),
                    policy().returnLimit(Duration.ofMillis(200)).build(),
                    worker -> {
                        if (worker.index() == 0) {
                            throw new Failure();
                        }
                        release.await();
                        return 0;
                    }));
        } finally {
            release.countDown();
        }
        assertThat(outcomes.ending()).isEqualTo(Ending.STUCK);
        assertThat(outcomes.last()).isEmpty();
        assertThat(outcomes.cause().orElseThrow().kind()).isEqualTo(CauseKind.WORKER_PANICKED);
        assertThat(outcomes.toString())
                .contains("not all workers have returned within 200 ms")
                .contains("-worker-1 at ")
                .contains("CountDownLatch.await");
    }

    /** The second generation has one process less, and one that has another index. */
    @Test
    void shouldTakeAnotherShapeFromOneGenerationToTheNext() throws Exception {
        final List<Endpoint> addresses = Loopback.freeAddresses(3);
        final ConcurrentHashMap<Integer, Seen> seen = new ConcurrentHashMap<>();
        final List<Future<SupervisedOutcomes<Integer>>> all = new ArrayList<>();
        for (int process = 0; process < 3; process++) {
            final int own = process;
            all.add(supervise(
                    config(addresses, process),
                    policy().retryIf(cause -> own != 1)
                            .between(interlude -> {
                                assertThat(interlude.cause().subjectWorker()).isEqualTo(2);
                                assertThat(interlude.restarts()).isEqualTo(1);
                                assertThat(interlude.handover().count()).isEqualTo(2);
                                return interlude.nextConfig().toBuilder()
                                        .addresses(List.of(addresses.get(0), addresses.get(2)))
                                        .processIndex(own == 2 ? 1 : 0)
                                        .workersPerProcess(3)
                                        .build();
                            })
                            .build(),
                    worker -> {
                        worker.keep(worker.index());
                        meet(worker, 0);
                        if (worker.generation() == 1) {
                            if (worker.index() == 2) {
                                throw new Failure();
                            }
                            while (true) {
                                worker.park();
                            }
                        }
                        seen.put(
                                worker.index(),
                                new Seen(
                                        worker.generation(),
                                        worker.kept(Integer.class) != null,
                                        worker.handover().from(),
                                        worker.roster()));
                        return worker.kept(Integer.class);
                    }));
        }
        assertThat(of(all.get(1)).ending()).isEqualTo(Ending.NOT_RETRIED);
        assertThat(of(all.get(0)).values()).containsExactly(0, 1, null);
        assertThat(of(all.get(2)).values()).containsExactly(4, 5, null);
        assertThat(seen).hasSize(6);
        final Roster roster = seen.get(5).roster();
        assertThat(roster.formerProcessCount()).isEqualTo(3);
        assertThat(roster.formerWorkersPerProcess()).isEqualTo(2);
        assertThat(roster.heirOf(0)).isZero();
        assertThat(roster.heirOf(1)).isEqualTo(-1);
        assertThat(roster.heirOf(2)).isEqualTo(1);
        assertThat(seen.get(3).from().worker(1)).isEqualTo(5);
    }

    private void list(final Path file, final List<Endpoint> addresses) throws Exception {
        final Path fresh = directory.resolve("fresh");
        Files.writeString(
                fresh, addresses.stream().map(Endpoint::toString).collect(Collectors.joining("\n", "", "\n")));
        Files.move(fresh, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    }

    /** Relaunched at another port; the survivors learn it from the file. */
    @Test
    void shouldFindAProcessThatWasStartedAnewElsewhere() throws Exception {
        final List<Endpoint> addresses = Loopback.freeAddresses(4);
        final Path file = directory.resolve("processes");
        list(file, addresses.subList(0, 3));
        final WorkerFunction<Long> function = worker -> {
            meet(worker, 0);
            if (worker.generation() == 1) {
                if (worker.index() == 0) {
                    throw new Failure();
                }
                while (true) {
                    worker.park();
                }
            }
            return worker.generation();
        };
        final List<Future<SupervisedOutcomes<Long>>> all = new ArrayList<>();
        for (int process = 0; process < 3; process++) {
            final boolean isStaying = process != 0;
            all.add(supervise(
                    listed(file, process), policy().retryIf(cause -> isStaying).build(), function));
        }
        assertThat(of(all.get(0)).ending()).isEqualTo(Ending.NOT_RETRIED);
        list(file, List.of(addresses.get(3), addresses.get(1), addresses.get(2)));
        all.set(0, supervise(listed(file, 0), policy().build(), function));
        for (final Future<SupervisedOutcomes<Long>> process : all) {
            assertThat(of(process).values()).containsExactly(2L, 2L);
        }
    }

    private static ClusterConfig listed(final Path file, final int process) throws Exception {
        final FileDirectory processes = new FileDirectory(file);
        return config(processes.list(), process).toBuilder()
                .directory(processes)
                .build();
    }

    /** While they form, one list becomes shorter: those that are still listed form with that, the other one ends. */
    @Test
    void shouldFormWithTheShapeThatIsListedNow() throws Exception {
        final List<Endpoint> addresses = Loopback.freeAddresses(3);
        final Path file = directory.resolve("processes");
        list(file, addresses);
        final WorkerFunction<Integer> function = worker -> {
            meet(worker, 0);
            return worker.peers();
        };
        final Future<SupervisedOutcomes<Integer>> zero = supervise(listed(file, 0), policy().build(), function);
        final Future<SupervisedOutcomes<Integer>> one = supervise(listed(file, 1), policy().build(), function);
        list(file, List.of(addresses.get(0), addresses.get(2)));
        final Future<SupervisedOutcomes<Integer>> two = supervise(listed(file, 1), policy().build(), function);

        assertThat(of(one).ending()).as("%s", of(one)).isEqualTo(Ending.NOT_LISTED);
        assertThat(of(zero).values()).containsExactly(4, 4);
        assertThat(of(two).values()).containsExactly(4, 4);
    }

    /** L3, L4: neither a directory that hangs nor one that lists nonsense ends or delays anything but what it was asked for. */
    @Test
    void shouldGoOnWhateverTheDirectorySays() throws Exception {
        final List<Endpoint> addresses = Loopback.freeAddresses(2);
        final CountDownLatch release = new CountDownLatch(1);
        final AtomicInteger asked = new AtomicInteger();
        final List<Future<SupervisedOutcomes<Long>>> all = new ArrayList<>();
        try {
            for (int process = 0; process < 2; process++) {
                final ClusterConfig config = config(addresses, process).toBuilder()
                        .directory(() -> switch (asked.incrementAndGet() % 5) {
                            case 0 -> List.of(addresses.get(0), addresses.get(0));
                            case 1 -> null;
                            case 2 -> throw new LinkageError("broken");
                            case 3 -> List.of();
                            default -> slowly(release, addresses);
                        })
                        .build();
                all.add(supervise(config, policy().build(), worker -> {
                    meet(worker, 0);
                    if (worker.generation() == 1 && worker.index() == 0) {
                        throw new Failure();
                    }
                    meet(worker, 1);
                    return worker.generation();
                }));
            }
            for (final Future<SupervisedOutcomes<Long>> process : all) {
                assertThat(of(process).values()).containsExactly(2L, 2L);
            }
        } finally {
            release.countDown();
        }
    }

    private static List<Endpoint> slowly(final CountDownLatch latch, final List<Endpoint> answer) throws IOException {
        try {
            return latch.await(1, TimeUnit.SECONDS) ? List.of() : answer;
        } catch (final InterruptedException e) {
            throw new IOException(e);
        }
    }

    @Test
    void shouldNotJoinBeforeTheWorkersStart() {
        assertThatThrownBy(() -> Cluster.execute(
                        ClusterConfig.local(1),
                        formed -> {
                            try {
                                formed.join();
                            } catch (final InterruptedException e) {
                                throw new AssertionError(e);
                            }
                        },
                        worker -> 0))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("the workers start when");
    }

    @Test
    void shouldEndInTimeWhenNobodyComesBack() throws Exception {
        final List<Endpoint> addresses = Loopback.freeAddresses(2);
        final List<Future<SupervisedOutcomes<Integer>>> all = new ArrayList<>();
        for (int process = 0; process < 2; process++) {
            final boolean isStaying = process == 0;
            all.add(supervise(
                    config(addresses, process),
                    policy().formWithin(Duration.ofSeconds(1))
                            .retryIf(cause -> isStaying)
                            .build(),
                    worker -> {
                        meet(worker, 0);
                        throw new Failure();
                    }));
        }
        final SupervisedOutcomes<Integer> outcomes = of(all.get(0));
        assertThat(outcomes.ending()).isEqualTo(Ending.NOT_FORMED);
        assertThat(outcomes.formationFailure().orElseThrow().report().generation())
                .isEqualTo(2);
        assertThat(outcomes.history().get(1).isFormed()).isFalse();
        assertThat(outcomes.toString()).contains("missing: process 1 at " + addresses.get(1));
    }

    @Test
    void shouldThrowWhatAHookThrowsAndLeaveNothing() throws Exception {
        final List<Endpoint> addresses = Loopback.freeAddresses(1);
        final Future<SupervisedOutcomes<Integer>> formed = supervise(
                config(addresses, 0),
                policy().onFormed(cluster -> {
                            throw new Failure();
                        })
                        .build(),
                worker -> 0);
        assertThatThrownBy(() -> of(formed))
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(Failure.class);
        final Future<SupervisedOutcomes<Integer>> between = supervise(
                config(addresses, 0),
                policy().between(interlude -> {
                            throw new IOException("no disk");
                        })
                        .build(),
                worker -> {
                    throw new Failure();
                });
        assertThatThrownBy(() -> of(between))
                .hasRootCauseMessage("no disk")
                .cause()
                .hasMessageContaining("between two generations");
    }

    @Test
    void shouldEndEverywhereWhenItsThreadIsInterrupted() throws Exception {
        final List<Endpoint> addresses = Loopback.freeAddresses(2);
        final CountDownLatch areRunning = new CountDownLatch(4);
        final WorkerFunction<Integer> function = worker -> {
            areRunning.countDown();
            while (true) {
                worker.park();
            }
        };
        final Future<SupervisedOutcomes<Integer>> interrupted =
                supervise(config(addresses, 0), policy().build(), function);
        final Future<SupervisedOutcomes<Integer>> other = supervise(config(addresses, 1), policy().build(), function);
        assertThat(areRunning.await(DEADLINE_S, TimeUnit.SECONDS)).isTrue();
        interrupted.cancel(true);

        assertThat(of(other).ending()).isEqualTo(Ending.NOT_RETRIED);
        assertThat(of(other).cause().orElseThrow().seen()).contains("interrupted");
    }

    /** Before the workers run, so that nothing is offered to a process that does not know yet what to take. */
    @Test
    void shouldTellOfTheClusterBeforeItsWorkersRun() throws Exception {
        final AtomicInteger order = new AtomicInteger();
        try (Cluster<Integer> cluster = Cluster.execute(
                ClusterConfig.local(1),
                formed -> assertThat(order.getAndIncrement()).isZero(),
                worker -> order.getAndIncrement())) {
            assertThat(cluster.join().values()).containsExactly(1);
        }
    }

    @Test
    void shouldKeepNothingThatNobodyWouldBeHanded() throws Exception {
        try (Cluster<Integer> cluster = Cluster.execute(ClusterConfig.local(1), worker -> {
            assertThat(worker.handover().from().isPresent()).isFalse();
            assertThat(worker.kept(String.class)).isNull();
            worker.keep("state"); // nobody comes after
            assertThat(worker.kept(String.class)).isNull();
            return 0;
        })) {
            cluster.join().values();
        }
        final SupervisedOutcomes<Integer> outcomes =
                Cluster.supervise(ClusterConfig.local(1), SupervisionPolicy.standard(), worker -> {
                    assertThatThrownBy(() -> worker.keep(worker))
                            .isInstanceOf(IllegalArgumentException.class)
                            .hasMessageContaining("ends with its generation");
                    return 7;
                });
        assertThat(outcomes.values()).containsExactly(7);
    }

    /** The loop that users write themselves. */
    @Test
    void shouldProposeTheNextGenerationToWhoeverRunsTheLoop() throws Exception {
        final List<Endpoint> addresses = Loopback.freeAddresses(2);
        final List<Future<Outcomes<Roster>>> all = new ArrayList<>();
        for (int process = 0; process < 2; process++) {
            final ClusterConfig begin = config(addresses, process);
            all.add(processes.submit(() -> {
                ClusterConfig config = begin;
                Outcomes<Roster> outcomes;
                do {
                    try (Cluster<Roster> cluster = Cluster.execute(config, SupervisorTest::onceInVain)) {
                        outcomes = cluster.join();
                    }
                    config = outcomes.next(config);
                } while (!outcomes.isWorkDone());
                return outcomes;
            }));
        }
        for (final Future<Outcomes<Roster>> process : all) {
            final Outcomes<Roster> outcomes = process.get(DEADLINE_S, TimeUnit.SECONDS);
            assertThat(outcomes.generation()).isEqualTo(2);
            assertThat(outcomes.values().get(0).isSurvivor(0)).isTrue();
            assertThat(outcomes.values().get(0).isSurvivor(1)).isTrue();
        }
    }

    private static Roster onceInVain(final Worker worker) {
        meet(worker, 0);
        if (worker.generation() == 1 && worker.index() == 0) {
            throw new Failure();
        }
        try {
            meet(worker, 1);
        } catch (final HealthLostException lost) {
            assertThat(worker.generation()).isEqualTo(1);
            throw lost;
        }
        return worker.roster();
    }
}
