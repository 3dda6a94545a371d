package io.hawser.examples;

import io.hawser.allocator.Admission;
import io.hawser.allocator.AdmissionHandler;
import io.hawser.allocator.CapacityModel;
import io.hawser.allocator.GoAhead;
import io.hawser.allocator.StartRequest;
import java.time.Duration;

/**
 * What goes wrong in {@link Query}, as the process sees it that it goes wrong in; apart from that a process takes what its permits allow.
 *
 * <pre>
 *   process 1   has one permit, and soon none left: it rejects
 *   process 2   takes so long for its first answer that nobody waits for it any more
 *   process 3   is killed before the go-ahead of the second query of generation 1
 *   process 4   is killed when it has got its go-ahead for the second query of generation 2
 * </pre>
 *
 * <p><em>Threading:</em> as {@link AdmissionHandler} says; {@link #hold} is for any thread, {@link #onBegin} the worker's.
 */
final class QueryFaults implements AdmissionHandler {
    static final int OVERLOADED = 1;
    static final int SLOW = 2;
    static final int KILLED_BEFORE_GO = 3;
    static final int KILLED_AFTER_GO = 4;

    /** How long the coordinator waits for an answer, and how long the slow process takes. */
    static final Duration ATTEMPT_TIMEOUT = Duration.ofSeconds(1);

    private static final Duration SLOWNESS = ATTEMPT_TIMEOUT.multipliedBy(2);

    private static final Duration RETRY_AFTER = Duration.ofMillis(200);
    private static final Duration HOLD_RETRY_AFTER = Duration.ofMillis(20);
    private static final int PERMITS = 16;

    /** The query that a generation does not survive. */
    private static final long LAST_DATAFLOW = 2;

    private final int process;
    private final int permits;
    private final CapacityModel capacity;
    private boolean hasBeenSlow;
    private volatile boolean isHeld;

    QueryFaults(final int process) {
        this.process = process;
        permits = process == OVERLOADED ? 1 : PERMITS;
        capacity = new CapacityModel(permits, RETRY_AFTER);
    }

    /** Whether this process keeps placements open, so that what is to happen before the go-ahead has the time. */
    void hold(final boolean isWanted) {
        isHeld = isWanted;
    }

    /** What is to happen in the moment when a go-ahead has come. */
    void onBegin(final long generation, final GoAhead goAhead) {
        if (process == KILLED_AFTER_GO && generation == 2 && goAhead.request().dataflowId() == LAST_DATAFLOW) {
            Told.line("has its go-ahead, and begins; now it is to be killed");
            Told.kill(process, generation + 1);
            sleep(Duration.ofDays(1));
        }
    }

    int permitsTaken() {
        return permits - capacity.permitsFree();
    }

    @Override
    public Admission onStart(final StartRequest request) {
        if (process == SLOW && !hasBeenSlow) {
            hasBeenSlow = true;
            sleep(SLOWNESS); // what no handler should do
        }
        return isHeld ? Admission.rejectForNow("a little later", HOLD_RETRY_AFTER) : capacity.onStart(request);
    }

    @Override
    public void onGo(final StartRequest request) {
        capacity.onGo(request);
    }

    @Override
    public void onEnd(final StartRequest request, final boolean hasBegun) {
        capacity.onEnd(request, hasBegun);
        if (!hasBegun) {
            Told.line("a reservation for query " + request.dataflowId() + " has ended without a go-ahead; "
                    + capacity.permitsFree() + " of " + permits + " permits are free");
        }
    }

    private static void sleep(final Duration duration) {
        try {
            Thread.sleep(duration.toMillis());
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
