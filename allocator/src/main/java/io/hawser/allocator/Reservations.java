package io.hawser.allocator;

import io.hawser.framing.CancelAnswer;
import io.hawser.framing.RejectPolicy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.agrona.DirectBuffer;

/**
 * The asked side of admission: what this process has accepted and not yet begun, and what runs. Before the go-ahead nothing has happened (law L9): a place is kept, no more.
 *
 * <pre>
 *             START, handler accepts            GO, in time and readable
 *   unknown ---------------------> reserved ----------------------------> running ----> ended
 *      |                              |                                      task ended
 *      | rejected                     | released, expired, asker lost, dataflow cancelled
 *      +----------> ended <-----------+
 * </pre>
 *
 * <p>A GO in any state but reserved is refused by a REJECT of that attempt, policy never, and runs nothing. That an attempt has ended is remembered for the last {@link #ENDED_REMEMBERED}; one that is
 * forgotten is unknown. Who asks numbers its attempts and never uses a number again, over a stream that keeps order, so nothing is ever asked about a forgotten attempt but by mistake.
 *
 * <p>What runs is bounded by the handler's answers alone.
 *
 * <p><em>Threading:</em> one thread at a time, which also calls handler and sink. No clock: times are those of one monotonic clock, ns, and may overflow.
 */
final class Reservations {
    /** How many ended attempts are remembered, so that what is asked about them is answered exactly: many times what crosses on the way. */
    static final int ENDED_REMEMBERED = 4_096;

    /** How many cancelled dataflows are remembered, whose START or GO may still be on the way. */
    static final int CANCELLED_REMEMBERED = 4_096;

    private record Key(int askingProcess, long attemptId) {
        static Key of(final StartRequest request) {
            return new Key(request.askingProcess(), request.attemptId());
        }
    }

    private record Reservation(StartRequest request, long madeNs) {}

    private final AdmissionHandler handler;
    private final ReservationSink sink;
    private final int workerCount;
    private final int openLimit;
    private final long holdNs;

    /** Oldest first; all hold equally long, so in this order they expire. */
    private final Map<Key, Reservation> reserved = new LinkedHashMap<>();

    private final Map<Key, StartRequest> running = new HashMap<>();

    /** How they ended: what a START that is repeated is answered, and why a GO is refused. */
    private final RecentMap<Key, Admission.Rejected> ended = new RecentMap<>(ENDED_REMEMBERED);

    private final RecentMap<Long, String> cancelledDataflows = new RecentMap<>(CANCELLED_REMEMBERED);
    private boolean isDraining;

    Reservations(
            final AdmissionHandler handler,
            final ReservationSink sink,
            final int workerCount,
            final int openLimit,
            final long holdNs) {
        if (openLimit < 1 || holdNs <= 0) {
            throw new IllegalArgumentException(
                    "neither limit may be nothing: openLimit=" + openLimit + " holdNs=" + holdNs);
        }
        this.handler = new GuardedHandler(handler);
        this.sink = sink;
        this.workerCount = workerCount;
        this.openLimit = openLimit;
        this.holdNs = holdNs;
    }

    /** START has come. Asked again, the same attempt is answered the same. */
    void onStart(final StartRequest request, final long nowNs) {
        tick(nowNs);
        final Key key = Key.of(request);
        final Reservation reservation = reserved.get(key);
        final Admission.Rejected before = ended.get(key);
        if (reservation != null) {
            accept(request, reservation.madeNs() + holdNs - nowNs);
        } else if (running.containsKey(key)) {
            accept(request, 0);
        } else if (before != null) {
            reject(request, before);
        } else {
            decide(key, request, nowNs);
        }
    }

    private void decide(final Key key, final StartRequest request, final long nowNs) {
        final Admission.Rejected own = rejection(request, nowNs);
        final Admission admission = own != null ? own : handler.onStart(request);
        if (admission instanceof Admission.Rejected rejected) {
            ended.put(key, rejected);
            reject(request, rejected);
        } else {
            reserved.put(key, new Reservation(request, nowNs));
            accept(request, holdNs);
        }
    }

    /** What is not for the handler to decide; null if it is to be asked. */
    private Admission.Rejected rejection(final StartRequest request, final long nowNs) {
        final String cancelled = cancelledDataflows.get(request.dataflowId());
        if (cancelled != null) {
            return never(cancelled);
        }
        if (request.dataflowId() <= 0 || request.attemptId() <= 0 || request.weight() < 0) {
            return never("this asks for nothing that can be: dataflowId=" + request.dataflowId() + " attemptId="
                    + request.attemptId() + " weight=" + request.weight());
        }
        if (isDraining) {
            return new Admission.Rejected("this process leaves and takes no new work", RejectPolicy.ELSEWHERE, 0);
        }
        return reserved.size() < openLimit
                ? null
                : new Admission.Rejected(
                        "as many reservations are open as may be: openLimit=" + openLimit,
                        RejectPolicy.LATER_HERE,
                        untilNextExpiryMs(nowNs));
    }

    /** GO has come. Starts the task, or refuses. */
    void onGo(
            final int askingProcess,
            final long dataflowId,
            final long attemptId,
            final DirectBuffer buffer,
            final int offset,
            final int length,
            final long nowNs) {
        tick(nowNs);
        final Key key = new Key(askingProcess, attemptId);
        final Reservation reservation = reserved.get(key);
        if (reservation == null || reservation.request().dataflowId() != dataflowId) {
            refuse(key, dataflowId, whyNotReserved(key, dataflowId));
            return;
        }
        final GoAhead goAhead = PlanDescriptor.decode(reservation.request(), buffer, offset, length, workerCount);
        if (goAhead == null) {
            free(key, "its go-ahead could not be read: length=" + length);
            refuse(key, dataflowId, ended.get(key).reason());
            return;
        }
        reserved.remove(key);
        running.put(key, reservation.request());
        handler.onGo(reservation.request());
        sink.start(goAhead);
    }

    /** CANCEL of one attempt, origin release, has come. A task that runs is not touched by it. */
    void onRelease(final int askingProcess, final long dataflowId, final long attemptId, final long nowNs) {
        tick(nowNs);
        final Key key = new Key(askingProcess, attemptId);
        final Reservation reservation = reserved.get(key);
        final CancelAnswer answer;
        if (reservation != null && reservation.request().dataflowId() == dataflowId) {
            free(key, "the reservation was released");
            answer = CancelAnswer.CANCELLED;
        } else if (reservation == null && (running.containsKey(key) || ended.get(key) != null)) {
            answer = CancelAnswer.ALREADY_DONE;
        } else {
            answer = CancelAnswer.UNKNOWN;
        }
        sink.cancelled(askingProcess, dataflowId, attemptId, answer);
    }

    /** A dataflow is cancelled: its reservations are freed, and what still comes for it is rejected. What of it runs is the caller's to stop. Returns how many were freed. */
    int onDataflowCancelled(final long dataflowId, final String reason) {
        final String why = ReasonText.cut("the dataflow was cancelled: " + reason);
        cancelledDataflows.put(dataflowId, why);
        return freeIf(request -> request.dataflowId() == dataflowId, why);
    }

    /** A process is lost: nobody will ever confirm its reservations. What runs is the matter of its dataflow. Returns how many were freed. */
    int onProcessLost(final int process) {
        return freeIf(request -> request.askingProcess() == process, "the asking process is lost");
    }

    /** A task that was started has ended, however. Idempotent. */
    void onTaskEnded(final int askingProcess, final long attemptId) {
        final Key key = new Key(askingProcess, attemptId);
        final StartRequest request = running.remove(key);
        if (request != null) {
            ended.put(key, never("its task has run already"));
            handler.onEnd(request, true);
        }
    }

    /** Rejects all work from now on as elsewhere. What is reserved may still begin. */
    void drain() {
        isDraining = true;
    }

    /** This generation of the cluster has ended for this process: nothing is held any more, and nothing more is taken. The handler may serve the next one. Idempotent. */
    void close() {
        isDraining = true;
        freeIf(request -> true, "the process has left the cluster");
        for (final Key key : List.copyOf(running.keySet())) {
            onTaskEnded(key.askingProcess(), key.attemptId());
        }
    }

    /** Time passes: reservations expire. */
    void tick(final long nowNs) {
        while (!reserved.isEmpty()) {
            final Map.Entry<Key, Reservation> oldest =
                    reserved.entrySet().iterator().next();
            if (nowNs - oldest.getValue().madeNs() < holdNs) {
                return;
            }
            free(oldest.getKey(), "the reservation has expired: holdNs=" + holdNs);
        }
    }

    int openCount() {
        return reserved.size();
    }

    int runningCount() {
        return running.size();
    }

    /** Whether it drains, and nothing is left of what it had accepted. */
    boolean isDrained() {
        return isDraining && reserved.isEmpty() && running.isEmpty();
    }

    private int untilNextExpiryMs(final long nowNs) {
        final long madeNs = reserved.values().iterator().next().madeNs();
        final long ms = TimeUnit.NANOSECONDS.toMillis(madeNs + holdNs - nowNs) + 1;
        return (int) Math.min(ms, Integer.MAX_VALUE);
    }

    private String whyNotReserved(final Key key, final long dataflowId) {
        final String cancelled = cancelledDataflows.get(dataflowId);
        if (cancelled != null) {
            return cancelled;
        }
        if (running.containsKey(key)) {
            return "it has had its go-ahead already";
        }
        final Admission.Rejected end = ended.get(key);
        return end != null ? end.reason() : "no such reservation";
    }

    private int freeIf(final Predicate<StartRequest> isMeant, final String why) {
        final List<Key> meant = new ArrayList<>();
        for (final Reservation reservation : reserved.values()) {
            if (isMeant.test(reservation.request())) {
                meant.add(Key.of(reservation.request()));
            }
        }
        for (final Key key : meant) {
            free(key, why);
        }
        return meant.size();
    }

    private void free(final Key key, final String why) {
        final StartRequest request = reserved.remove(key).request();
        ended.put(key, never(why));
        handler.onEnd(request, false);
    }

    private void accept(final StartRequest request, final long restNs) {
        sink.accept(request.askingProcess(), request.dataflowId(), request.attemptId(), restNs);
    }

    private void reject(final StartRequest request, final Admission.Rejected rejected) {
        sink.reject(
                request.askingProcess(),
                request.dataflowId(),
                request.attemptId(),
                rejected.policy(),
                rejected.retryAfterMs(),
                rejected.reason());
    }

    private void refuse(final Key key, final long dataflowId, final String why) {
        final String reason = "nothing has run: " + why;
        sink.reject(key.askingProcess(), dataflowId, key.attemptId(), RejectPolicy.NEVER, 0, reason);
    }

    private static Admission.Rejected never(final String reason) {
        return new Admission.Rejected(reason, RejectPolicy.NEVER, 0);
    }
}
