package io.hawser.allocator;

import io.hawser.transport.WorkerView;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * Where a worker's thread is: in its own code or waiting in the library, and in a step of which dataflow. What the watch reads to tell a worker that stands still from one that waits.
 *
 * <p><em>Threading:</em> written by the worker's thread, read by any. That it waits is an opaque store, as steps are, so that no fence is paid. The dataflow is released and acquired: who sees the one of a step sees the step itself, too.
 */
final class Whereabouts implements WorkerView {
    private static final VarHandle PHASE;
    private static final VarHandle SCOPE_ID;

    /** Odd, as all phases in which the worker's own code does not run. */
    private static final long NOT_BEGUN = 1;

    private static final long ENDED = -1;
    private static final StackTraceElement[] NOWHERE = {};

    static {
        try {
            final MethodHandles.Lookup lookup = MethodHandles.lookup();
            PHASE = lookup.findVarHandle(Whereabouts.class, "phase", long.class);
            SCOPE_ID = lookup.findVarHandle(Whereabouts.class, "scopeId", long.class);
        } catch (final ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private final ProgressStamp progress = new ProgressStamp();

    // written by the worker's thread
    private long phase = NOT_BEGUN;
    private long scopeId;
    private volatile Thread thread;

    ProgressStamp stamp() {
        return progress;
    }

    /** The worker's own code begins. */
    void begin() {
        thread = Thread.currentThread();
        PHASE.setOpaque(this, phase + 1);
    }

    /** The worker's own code has been left, for good. */
    void end() {
        PHASE.setOpaque(this, ENDED);
        thread = null;
    }

    /** Something of the library may take long from now on: it waits, or uses a disk. To be ended by {@link #goOn()}; not nested. */
    void beginWait() {
        turn(1);
    }

    void goOn() {
        turn(0);
    }

    /** To the next phase of that parity, whatever the present one is: a stack that overflows in between must not leave them the wrong way round. */
    private void turn(final long parity) {
        if (phase != ENDED) {
            PHASE.setOpaque(this, (phase | 1) + 1 + parity);
        }
    }

    /** Enters or leaves the step of a dataflow; returns the one that it was in, 0 if none. */
    long enterScope(final long id) {
        final long outer = scopeId;
        SCOPE_ID.setRelease(this, id);
        return outer;
    }

    @Override
    public long progress() {
        return progress.value();
    }

    @Override
    public long phase() {
        return (long) PHASE.getOpaque(this);
    }

    @Override
    public long scopeId() {
        return (long) SCOPE_ID.getAcquire(this);
    }

    @Override
    public StackTraceElement[] stack() {
        final Thread present = thread;
        return present == null ? NOWHERE : withoutGuard(present.getStackTrace());
    }

    /** Outside of the worker's code is what runs it. */
    private static StackTraceElement[] withoutGuard(final StackTraceElement[] calls) {
        int length = 0;
        while (length < calls.length && !calls[length].getClassName().equals(WorkerGuard.class.getName())) {
            length++;
        }
        return Arrays.copyOf(calls, length);
    }
}
