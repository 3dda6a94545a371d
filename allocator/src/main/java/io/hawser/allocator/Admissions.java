package io.hawser.allocator;

import io.hawser.fate.Clock;
import io.hawser.fate.ScopeOutcome;
import io.hawser.framing.CancelAnswer;
import io.hawser.framing.RejectPolicy;
import io.hawser.transport.AdmissionWire;
import io.hawser.transport.ClusterConfig;
import io.hawser.transport.Mesh;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The admission of one process, both sides of it: joins {@link Reservations} and {@link Placements} to the frames, to the workers, and to a thread of their own.
 *
 * <p><em>Threading:</em> any thread, except where a method says otherwise; what it comes to happens in the {@link AdmissionThread}.
 */
final class Admissions implements AdmissionThread.Ticking {

    /** More than this is not kept waiting: who asks is told to come back. */
    private static final int WAITING_MAX = 65_536;

    private static final int FLOODED_RETRY_MS = 100;

    private static final AdmissionHandler NOBODY =
            request -> Admission.rejectElsewhere("this process has no admission handler");

    private final ClusterConfig config;
    private final Clock clock;
    private final int self;
    private final GoBox[] goBoxes;
    private final AdmissionThread thread;
    private final AdmissionWire heard = new Heard();
    private final CompletableFuture<Void> drained = new CompletableFuture<>();

    /** Dataflows of which something is reserved or being placed here, and how often. */
    private final Map<Long, Integer> offered = new ConcurrentHashMap<>();

    /** Set once: who has accepted work is told of its end. */
    private final AtomicReference<AdmissionHandler> handler = new AtomicReference<>(NOBODY);

    // set before the thread starts
    private Mesh mesh;
    private Reservations reservations;
    private Placements placements;

    // the admission thread
    private final Map<Long, Asked> asked = new HashMap<>();
    private boolean isClosed;

    /** A placement of this process, until its dataflow has ended. */
    private static final class Asked {
        private final PlacementListener listener;
        private final CompletableFuture<PlacementVerdict> verdict = new CompletableFuture<>();

        /** Attempts that have got their go-ahead, and have not ended. */
        private final Set<Long> running = new HashSet<>();

        private boolean isPlaced;

        Asked(final PlacementListener listener) {
            this.listener = listener;
        }
    }

    Admissions(final ClusterConfig config, final Inbox[] inboxes) {
        this.config = config;
        this.clock = config.clock();
        this.self = config.processIndex();
        this.thread = new AdmissionThread(config.threadFactory(), this);
        this.goBoxes = new GoBox[inboxes.length];
        for (int i = 0; i < inboxes.length; i++) {
            goBoxes[i] = new GoBox(inboxes[i], this::refuseUnused);
        }
    }

    /** The mesh is formed. What peers have offered a moment before has waited for that. */
    void open(final Mesh formed) {
        mesh = formed;
        reservations = new Reservations(
                new Counting(),
                new ToCoordinators(),
                config.workerCount(),
                config.reservationLimit(),
                config.reservationTimeoutNs());
        placements = new Placements(new ToWorkers(), config.workerCount(), this::processOf, formed.frameLimit());
        formed.health().addWakeup(thread::wake);
        thread.open("hawser-" + config.clusterId() + "-p" + self + "-g" + formed.generation() + "-admission");
    }

    private int processOf(final int worker) {
        return worker / config.workersPerProcess();
    }

    GoBox goBox(final int localIndex) {
        return goBoxes[localIndex];
    }

    AdmissionWire heard() {
        return heard;
    }

    // ---- what this process wants

    void handler(final AdmissionHandler newHandler) {
        if (!handler.compareAndSet(NOBODY, newHandler)) {
            throw new IllegalStateException("this process has an admission handler: handler=" + handler.get());
        }
    }

    /** Begins a placement; what is wrong with it completes the stage exceptionally. */
    CompletionStage<PlacementVerdict> place(final Placement placement, final PlacementListener listener) {
        mesh.health().check();
        final Asked ask = new Asked(listener);
        offered.merge(placement.dataflowId(), 1, Integer::sum); // before anybody can cancel it
        thread.post(() -> begin(placement, ask));
        return ask.verdict.minimalCompletionStage();
    }

    private void begin(final Placement placement, final Asked ask) {
        final long id = placement.dataflowId();
        final boolean isNew = asked.putIfAbsent(id, ask) == null;
        try {
            if (!isNew) {
                throw new IllegalStateException("this dataflow is being placed already, or runs: dataflowId=" + id);
            }
            placements.begin(placement, clock.nanoTime());
        } catch (final RuntimeException wrong) {
            unoffer(id);
            if (isNew) {
                asked.remove(id);
            }
            ask.verdict.completeExceptionally(wrong);
        }
    }

    /** Takes no new work from now on; completed when what was taken has ended. */
    CompletionStage<Void> drain() {
        thread.post(() -> {
            reservations.drain();
            checkDrained();
        });
        return drained.minimalCompletionStage();
    }

    private void checkDrained() {
        if (reservations.isDrained()) {
            drained.completeAsync(() -> null);
        }
    }

    /** A dataflow is to end, which may not be open here; whether anything of it is reserved or being placed. */
    boolean onCancelled(final long dataflowId, final ScopeOutcome.Cancelled how) {
        final boolean isOffered = offered.containsKey(dataflowId); // first: what is posted ends that
        if (thread.isStarted()) {
            thread.post(() -> {
                placements.cancel(dataflowId, how.describe());
                reservations.onDataflowCancelled(dataflowId, how.describe());
            });
        }
        return isOffered;
    }

    /** A dataflow was stopped: nothing of it is to begin any more. */
    void onStopped(final long dataflowId) {
        if (thread.isStarted()) {
            thread.post(() -> {
                placements.cancel(dataflowId, "its dataflow was stopped");
                reservations.onDataflowCancelled(dataflowId, "its dataflow was stopped");
            });
        }
    }

    /** A go-ahead came for a worker that has ended: its task will never begin, and the placement has come to nothing. */
    private void refuseUnused(final GoAhead goAhead) {
        final StartRequest request = goAhead.request();
        thread.post(() -> {
            reservations.onTaskEnded(request.askingProcess(), request.attemptId());
            new ToCoordinators()
                    .reject(
                            request.askingProcess(),
                            request.dataflowId(),
                            request.attemptId(),
                            RejectPolicy.NEVER,
                            0,
                            "nothing has run: worker " + request.targetWorker() + " has ended");
            checkDrained();
        });
    }

    /** A task has ended. */
    void taskEnded(final GoAhead goAhead) {
        final StartRequest request = goAhead.request();
        thread.post(() -> {
            reservations.onTaskEnded(request.askingProcess(), request.attemptId());
            tellDone(request);
            checkDrained();
        });
    }

    private void tellDone(final StartRequest request) {
        if (request.askingProcess() == self) {
            onDone(request.dataflowId(), request.attemptId());
        } else if (!isClosed) {
            mesh.admission()
                    .released(
                            request.askingProcess(),
                            request.dataflowId(),
                            request.attemptId(),
                            CancelAnswer.ALREADY_DONE);
        }
    }

    /** Once all tasks of a dataflow have ended its placement is forgotten. */
    private void onDone(final long dataflowId, final long attemptId) {
        final Asked ask = asked.get(dataflowId);
        if (ask != null && ask.running.remove(attemptId) && ask.running.isEmpty() && ask.isPlaced) {
            asked.remove(dataflowId);
            placements.onDataflowEnded(dataflowId);
        }
    }

    private void unoffer(final long dataflowId) {
        offered.computeIfPresent(dataflowId, (id, count) -> count == 1 ? null : count - 1);
    }

    // ---- the end

    /** The cluster is over, or lost: whatever is open has failed. Waits for the thread, but for no longer than that. */
    boolean end(final long timeoutNs) throws InterruptedException {
        thread.stop();
        return thread.join(timeoutNs);
    }

    @Override
    public boolean isOver() {
        return mesh.health().isLost();
    }

    @Override
    public void close() {
        if (!isClosed) {
            isClosed = true;
            final String why =
                    mesh.health().isLost() ? mesh.health().rootCause().describe() : "the cluster has ended";
            placements.close(why);
            reservations.close();
        }
    }

    @Override
    public boolean isOpen() {
        return !isClosed && (reservations.openCount() > 0 || placements.isPlacing());
    }

    @Override
    public void tick() {
        final long nowNs = clock.nanoTime();
        placements.tick(nowNs);
        reservations.tick(nowNs);
        checkDrained();
    }

    /** The engine's handler, with an eye on which dataflows are reserved for. */
    private final class Counting implements AdmissionHandler {
        @Override
        public Admission onStart(final StartRequest request) {
            if (goBoxes[request.targetWorker() - config.firstWorker(self)].isClosed()) {
                return Admission.rejectElsewhere("worker " + request.targetWorker() + " has ended");
            }
            final Admission admission = handler.get().onStart(request);
            if (admission instanceof Admission.Accepted) {
                offered.merge(request.dataflowId(), 1, Integer::sum);
            }
            return admission;
        }

        @Override
        public void onGo(final StartRequest request) {
            handler.get().onGo(request);
        }

        @Override
        public void onEnd(final StartRequest request, final boolean hasBegun) {
            unoffer(request.dataflowId());
            handler.get().onEnd(request, hasBegun);
        }
    }

    /** What peers say. */
    private final class Heard implements AdmissionWire {
        @Override
        public void start(
                final int peer,
                final long scopeId,
                final long attemptId,
                final int targetWorker,
                final int weight,
                final int priority,
                final DirectBuffer payload,
                final int offset,
                final int length) {
            if (peer != self && thread.waitingCount() >= WAITING_MAX) {
                mesh.admission()
                        .reject(
                                peer,
                                scopeId,
                                attemptId,
                                RejectPolicy.LATER_HERE,
                                FLOODED_RETRY_MS,
                                "too much waits to be admitted: waiting=" + WAITING_MAX);
                return;
            }
            final StartRequest request =
                    new StartRequest(scopeId, attemptId, peer, targetWorker, weight, priority, payload, offset, length);
            thread.post(() -> {
                if (!isClosed) {
                    reservations.onStart(request, clock.nanoTime());
                }
            });
        }

        @Override
        public void accept(final int peer, final long scopeId, final long attemptId, final long holdNs) {
            thread.post(() -> check(
                    placements.onAccept(peer, scopeId, attemptId, holdNs, clock.nanoTime()),
                    peer,
                    "ACCEPT",
                    scopeId,
                    attemptId));
        }

        @Override
        public void reject(
                final int peer,
                final long scopeId,
                final long attemptId,
                final RejectPolicy policy,
                final int retryAfterMs,
                final String reason) {
            thread.post(() -> check(
                    placements.onReject(peer, scopeId, attemptId, policy, retryAfterMs, reason, clock.nanoTime()),
                    peer,
                    "REJECT",
                    scopeId,
                    attemptId));
        }

        private void check(
                final boolean isLegal, final int peer, final String type, final long scopeId, final long attemptId) {
            if (!isLegal) {
                mesh.onViolation(
                        peer,
                        type + " of scope=" + scopeId + " attempt=" + attemptId
                                + ": that attempt was not asked for, or was answered before");
            }
        }

        @Override
        public void go(
                final int peer,
                final long scopeId,
                final long attemptId,
                final DirectBuffer plan,
                final int offset,
                final int length) {
            final UnsafeBuffer copy = copy(plan, offset, length);
            thread.post(() -> reservations.onGo(peer, scopeId, attemptId, copy, 0, length, clock.nanoTime()));
        }

        @Override
        public void release(final int peer, final long scopeId, final long attemptId) {
            thread.post(() -> reservations.onRelease(peer, scopeId, attemptId, clock.nanoTime()));
        }

        @Override
        public void released(final int peer, final long scopeId, final long attemptId, final CancelAnswer answer) {
            if (answer == CancelAnswer.ALREADY_DONE) {
                thread.post(() -> onDone(scopeId, attemptId));
            }
        }
    }

    /** What the placements want done; calls that would come back to this process are posted. */
    private final class ToWorkers implements PlacementSink {
        @Override
        public void start(final int worker, final long dataflowId, final long attemptId, final PlacementTask task) {
            final DirectBuffer payload = task.payload();
            if (processOf(worker) == self) {
                heard.start(
                        self,
                        dataflowId,
                        attemptId,
                        worker,
                        task.weight(),
                        task.priority(),
                        payload,
                        0,
                        payload.capacity());
            } else if (!isClosed) {
                mesh.admission()
                        .start(
                                processOf(worker),
                                dataflowId,
                                attemptId,
                                worker,
                                task.weight(),
                                task.priority(),
                                payload,
                                0,
                                payload.capacity());
            }
        }

        @Override
        public void go(final int worker, final long dataflowId, final long attemptId, final DirectBuffer plan) {
            asked.get(dataflowId).running.add(attemptId);
            if (processOf(worker) == self) {
                heard.go(self, dataflowId, attemptId, plan, 0, plan.capacity());
            } else if (!isClosed) {
                mesh.admission().go(processOf(worker), dataflowId, attemptId, plan, 0, plan.capacity());
            }
        }

        @Override
        public void release(final int process, final long dataflowId, final long attemptId) {
            if (process == self) {
                heard.release(self, dataflowId, attemptId);
            } else if (!isClosed) {
                mesh.admission().release(process, dataflowId, attemptId);
            }
        }

        @Override
        public void step(final PlacementStep step) {
            final Asked ask = asked.get(step.dataflowId());
            if (ask != null) {
                AdmissionThread.guarded(() -> ask.listener.onStep(step));
            }
        }

        @Override
        public void verdict(final PlacementVerdict verdict) {
            final long id = verdict.dataflowId();
            final Asked ask = asked.get(id);
            ask.verdict.completeAsync(() -> verdict);
            AdmissionThread.guarded(() -> ask.listener.onVerdict(verdict));
            if (!ask.isPlaced) {
                unoffer(id);
            }
            if (verdict.kind() == PlacementVerdict.Kind.PLACED) {
                ask.isPlaced = true;
                return;
            }
            asked.remove(id);
            if (ask.isPlaced && !isClosed) { // some of its tasks may run, and would wait for the others
                mesh.cancelScope(id, -1, verdict.reason());
            }
        }
    }

    /** What the reservations want done; calls that would come back to this process are posted. */
    private final class ToCoordinators implements ReservationSink {
        @Override
        public void accept(final int askingProcess, final long dataflowId, final long attemptId, final long holdNs) {
            if (askingProcess == self) {
                heard.accept(self, dataflowId, attemptId, holdNs);
            } else if (!isClosed) {
                mesh.admission().accept(askingProcess, dataflowId, attemptId, holdNs);
            }
        }

        @Override
        public void reject(
                final int askingProcess,
                final long dataflowId,
                final long attemptId,
                final RejectPolicy policy,
                final int retryAfterMs,
                final String reason) {
            if (askingProcess == self) {
                heard.reject(self, dataflowId, attemptId, policy, retryAfterMs, reason);
            } else if (!isClosed) {
                mesh.admission().reject(askingProcess, dataflowId, attemptId, policy, retryAfterMs, reason);
            }
        }

        @Override
        public void cancelled(
                final int askingProcess, final long dataflowId, final long attemptId, final CancelAnswer answer) {
            if (askingProcess != self && !isClosed) {
                mesh.admission().released(askingProcess, dataflowId, attemptId, answer);
            }
        }

        @Override
        public void start(final GoAhead goAhead) {
            goBoxes[goAhead.request().targetWorker() - config.firstWorker(self)].add(goAhead);
        }
    }

    private static UnsafeBuffer copy(final DirectBuffer source, final int offset, final int length) {
        final byte[] bytes = new byte[length];
        source.getBytes(offset, bytes);
        return new UnsafeBuffer(bytes);
    }
}
