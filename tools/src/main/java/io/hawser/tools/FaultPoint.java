package io.hawser.tools;

import io.hawser.allocator.Worker;
import io.hawser.transport.FormationListener;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Where in one process the faults that were asked for strike: a worker that is to panic throws, the workers of a process
 * that is to be killed or frozen wait for it. Also tells how far worker 0 has come.
 *
 * <p><em>Threading:</em> safe.
 */
final class FaultPoint implements PageRankWorker.Observer {
    /** Faster news would be of no use to a reader. */
    private static final long PROGRESS_INTERVAL_NS = 50_000_000;

    private final Orders orders;
    private final DemoEvents events;
    private final AtomicLong panicMicros = new AtomicLong();

    /** Written by the thread of worker 0, of one generation after the other. */
    private volatile long lastProgressNs = System.nanoTime() - PROGRESS_INTERVAL_NS;

    FaultPoint(final Orders orders, final DemoEvents events) {
        this.orders = orders;
        this.events = events;
    }

    @Override
    public void onIteration(final Worker worker, final int iteration) throws InterruptedException {
        tellProgress(worker, iteration);
        final Fault fault = orders.awaitGo(worker.generation(), worker.health()::check);
        if (fault == null || fault.iteration() != iteration) {
            return;
        }
        if (fault.kind() == Fault.Kind.PANIC) {
            panic(worker, fault);
        } else if (fault.target() == worker.processIndex()) {
            awaitSignal(worker);
        }
    }

    /** When a worker of this process threw last, in microseconds since 1970; 0 if none has since the last call. */
    long takePanicMicros() {
        return panicMicros.getAndSet(0);
    }

    private void panic(final Worker worker, final Fault fault) {
        if (fault.target() == worker.index()) {
            final String message = "asked for by " + fault.kind().option() + " " + fault;
            panicMicros.set(Micros.now());
            throw new IllegalStateException(message);
        }
    }

    /** Waits for a signal that ends this process, or stops it until it is ended. */
    private void awaitSignal(final Worker worker) throws InterruptedException {
        if (worker.localIndex() == 0) {
            events.faultPoint(worker.generation(), null);
        }
        awaitSignal();
    }

    /** Forming has come to a step. If it is to stop there, waits for a signal, amid forming. */
    void onStep(final FormationListener.Step step, final long generation, final int peer) {
        final FormingStep stop = orders.stop();
        if (stop != null && stop.isToldBy(step)) {
            events.faultPoint(generation, stop);
            try {
                awaitSignal();
            } catch (final InterruptedException e) {
                throw new IllegalStateException("interrupted while waiting for a signal at step " + stop, e);
            }
        }
    }

    private static void awaitSignal() throws InterruptedException {
        new CountDownLatch(1).await();
    }

    private void tellProgress(final Worker worker, final int iteration) {
        final long nowNs = System.nanoTime();
        if (worker.index() == 0 && nowNs - lastProgressNs >= PROGRESS_INTERVAL_NS) {
            lastProgressNs = nowNs;
            events.iteration(worker.generation(), iteration);
        }
    }
}
