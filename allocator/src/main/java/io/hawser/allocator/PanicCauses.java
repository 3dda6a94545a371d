package io.hawser.allocator;

import io.hawser.fate.Cause;
import io.hawser.fate.CauseKind;
import io.hawser.fate.Clock;
import io.hawser.fate.PreparedCause;
import io.hawser.transport.Mesh;

/**
 * Turns what a worker's code threw into a cause. Some errors come when there is no memory left to tell of them, so
 * the causes for those are prepared when the worker starts.
 *
 * <p><em>Threading:</em> made before the worker starts; then its thread.
 */
final class PanicCauses {
    private static final String HEAP_IS_FULL = "Java heap space";

    private final Mesh mesh;
    private final Clock clock;
    private final int worker;
    private final PreparedCause heapFull;
    private final PreparedCause outOfMemory;
    private final PreparedCause stackOverflow;
    private final PreparedCause untold;

    PanicCauses(final Mesh mesh, final Clock clock, final int worker) {
        this.mesh = mesh;
        this.clock = clock;
        this.worker = worker;
        heapFull = prepare("java.lang.OutOfMemoryError: " + HEAP_IS_FULL);
        outOfMemory = prepare("java.lang.OutOfMemoryError");
        stackOverflow = prepare("java.lang.StackOverflowError");
        untold = prepare("something was thrown of which there was no memory to tell");
    }

    /** The cause to lose health with. Allocates nothing if that may be what went wrong, and never throws. */
    Cause of(final Throwable thrown) {
        if (thrown instanceof OutOfMemoryError) {
            return (isHeapFull(thrown) ? heapFull : outOfMemory).complete(clock.epochMs(), thrown);
        }
        if (thrown instanceof StackOverflowError) {
            return stackOverflow.complete(clock.epochMs(), thrown);
        }
        try {
            return mesh.causeHere(CauseKind.WORKER_PANICKED)
                    .subjectWorker(worker)
                    .throwable(thrown)
                    .build();
        } catch (final Throwable noMemory) {
            return untold.complete(clock.epochMs(), thrown);
        }
    }

    private static boolean isHeapFull(final Throwable error) {
        try {
            return HEAP_IS_FULL.equals(error.getMessage());
        } catch (final Throwable hostile) {
            return false;
        }
    }

    private PreparedCause prepare(final String seen) {
        return mesh.causeHere(CauseKind.WORKER_PANICKED)
                .subjectWorker(worker)
                .seen(seen)
                .prepare();
    }
}
