package io.hawser.allocator;

import io.hawser.fate.Cause;
import io.hawser.fate.Health;
import io.hawser.fate.HealthLostException;
import io.hawser.fate.Outcome;
import io.hawser.fate.WakeupRegistration;
import java.util.function.Consumer;

/**
 * Runs one worker's code and sees to it that its end, of whatever kind, is known: to the other workers, to the peers, and to whoever joins.
 * Nothing that the code throws gets past this.
 *
 * <p>The order after a panic: health is lost first, without allocation, so that all others already come down; then memory is let
 * go; only then is anything formatted or logged.
 *
 * <p><em>Threading:</em> {@link #run()} is the body of the worker's thread; {@link #outcome} is for anybody, once {@link WorkerEnds} has counted
 * this worker.
 *
 * @param <R> the type of what the worker ends with
 */
final class WorkerGuard<R> implements Runnable {
    /** A longer chain of causes than this is somebody's mistake. */
    private static final int CAUSE_CHAIN_MAX = 64;

    private final WorkerFunction<? extends R> function;
    private final Worker worker;
    private final Health health;
    private final PanicCauses causes;
    private final Parachute parachute;
    private final WorkerEnds ends;
    private final Consumer<Throwable> onFailure = this::onThrown;

    // written by the worker's thread, before its end is counted
    private R value;
    private Throwable thrown;
    private boolean isPanicked;

    WorkerGuard(
            final WorkerFunction<? extends R> function,
            final Worker worker,
            final PanicCauses causes,
            final Parachute parachute,
            final WorkerEnds ends) {
        this.function = function;
        this.worker = worker;
        this.health = worker.health();
        this.causes = causes;
        this.parachute = parachute;
        this.ends = ends;
    }

    @Override
    public void run() {
        worker.bindTo(Thread.currentThread());
        final WakeupRegistration wakeup = register();
        try {
            work();
        } catch (final Throwable t) {
            onThrown(t);
        }
        end();
        if (wakeup != null) {
            wakeup.close();
        }
    }

    /** The end of a worker whose thread never started. */
    void abandon(final Throwable reason) {
        onThrown(reason);
        end();
    }

    /** How the worker ended; the cause is what stopped it if it neither completed nor panicked. */
    Outcome<R> outcome(final Cause settledCause) {
        if (thrown == null) {
            return new Outcome.Completed<>(value);
        }
        return isPanicked ? new Outcome.Panicked<>(thrown) : new Outcome.Failed<>(settledCause);
    }

    private WakeupRegistration register() {
        try {
            return health.addThread(Thread.currentThread());
        } catch (final Throwable noMemory) {
            onThrown(noMemory);
            return null;
        }
    }

    private void work() throws Exception {
        if (thrown != null) {
            return;
        }
        worker.whereabouts().begin();
        try {
            value = function.apply(worker);
        } finally {
            worker.whereabouts().end();
        }
        try {
            worker.finish();
        } catch (final HealthLostException lost) {
            // the value is there all the same; that the cluster is lost stands in the outcomes
        }
    }

    private void onThrown(final Throwable t) {
        final boolean isPanic = !isConsequence(t);
        if (isPanic) {
            health.lose(causes.of(t));
        }
        if (thrown == null) {
            thrown = t;
            isPanicked = isPanic;
        }
        parachute.open();
    }

    /** Gives back what the worker holds and counts its end, come what may. */
    private void end() {
        try {
            worker.close();
        } catch (final Throwable t) {
            onThrown(t);
        }
        ends.onEnd(onFailure);
    }

    /** Whether the code only let pass what the library had thrown because health was lost elsewhere. */
    private boolean isConsequence(final Throwable t) {
        if (!health.isLost()) {
            return false;
        }
        Throwable link = t;
        for (int i = 0; i < CAUSE_CHAIN_MAX && link != null; i++) {
            if (link instanceof HealthLostException) {
                return true;
            }
            link = causeOf(link);
        }
        return false;
    }

    private static Throwable causeOf(final Throwable t) {
        try {
            return t.getCause();
        } catch (final Throwable hostile) {
            return null;
        }
    }
}
