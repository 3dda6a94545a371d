package io.hawser.fate;

/** The machine's clock; the only place in this module that asks the JDK for the time. */
final class SystemClock implements Clock {
    static final SystemClock INSTANCE = new SystemClock();

    private SystemClock() {}

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public long epochMs() {
        return System.currentTimeMillis();
    }
}
