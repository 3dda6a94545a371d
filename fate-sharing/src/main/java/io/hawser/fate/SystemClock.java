package io.hawser.fate;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;

/** The machine's clock; the only place in this module that asks the JDK for the time. */
final class SystemClock implements Clock {
    static final SystemClock INSTANCE = new SystemClock();

    /** On Linux: since the start of the machine, its sleep included, which nanoTime leaves out. */
    private static final String UPTIME = "/proc/uptime";

    private static final int UPTIME_LENGTH_MAX = 64;

    private static final int NANOS_OF_SECOND = 9;

    private volatile long lastSleptNs;

    private SystemClock() {
        sleptNs(); // from now on one that cannot be read says the same as before
    }

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public long epochMs() {
        return System.currentTimeMillis();
    }

    @Override
    public long sleptNs() {
        // a stream, since a channel would leave a direct buffer with the thread that asks
        try (InputStream uptime = new FileInputStream(UPTIME)) {
            String text = new String(uptime.readNBytes(UPTIME_LENGTH_MAX), StandardCharsets.US_ASCII);
            BigDecimal seconds = new BigDecimal(text.substring(0, text.indexOf(' ')));
            lastSleptNs = seconds.movePointRight(NANOS_OF_SECOND).longValue() - nanoTime();
        } catch (IOException | RuntimeException notToBeKnown) {
            // another system, no /proc, or no descriptor left just now: what was known last stays
        }
        return lastSleptNs;
    }
}
