package io.hawser.jmh.peers;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/**
 * The processor time that this process uses, over a window of time; the kernel's work on its behalf counts.
 *
 * <p><em>Threading:</em> one thread.
 */
final class CpuTime {
    private static final OperatingSystemMXBean SYSTEM =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    private long startCpuNs = SYSTEM.getProcessCpuTime();
    private long startNs = System.nanoTime();
    private double cores = Double.NaN;

    /** Begins the window anew. */
    void start() {
        startCpuNs = SYSTEM.getProcessCpuTime();
        startNs = System.nanoTime();
    }

    /** Ends the window. */
    void stop() {
        cores = (SYSTEM.getProcessCpuTime() - startCpuNs) / (double) (System.nanoTime() - startNs);
    }

    /** How many cores were busy on average; not a number while the window is open. */
    double cores() {
        return cores;
    }
}
