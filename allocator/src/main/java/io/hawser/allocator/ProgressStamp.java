package io.hawser.allocator;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Grows with each call of a worker into the library: who reads the same value twice, some time apart, looks at a worker that computes for
 * long, or is stuck.
 *
 * <p><em>Threading:</em> one thread steps, with opaque stores, so that the hot path pays no fence; any thread reads, and sees
 * each value sooner or later.
 */
final class ProgressStamp {
    private static final VarHandle VALUE;

    static {
        try {
            VALUE = MethodHandles.lookup().findVarHandle(ProgressStamp.class, "value", long.class);
        } catch (final ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    /** Written by the worker's thread. */
    private long value;

    void step() {
        VALUE.setOpaque(this, value + 1);
    }

    long value() {
        return (long) VALUE.getOpaque(this);
    }
}
