package io.hawser.jmh.peers;

import java.util.Arrays;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * One process's part in an all-to-all: sends to all others in turn, as much as the transport takes, for a time, and measures what arrives.
 *
 * <p><em>Threading:</em> the sending thread.
 */
final class MeshFlood {
    private final int messageLength;
    private final Window window;
    private final MeshSource[] sources;
    private final long[] sentCounts;
    private final CpuTime cpu = new CpuTime();

    private long startNs;
    private long measureStartNs;
    private long measureStartCount;
    private long measuredNs;
    private long measuredCount;

    /**
     * A part.
     *
     * @param processCount  of all processes
     * @param own           index of this one
     * @param messageLength in bytes
     * @param window        when to measure
     */
    MeshFlood(final int processCount, final int own, final int messageLength, final Window window) {
        this.messageLength = messageLength;
        this.window = window;
        sources = new MeshSource[processCount];
        sentCounts = new long[processCount];
        for (int process = 0; process < processCount; process++) {
            sources[process] = process == own ? null : new MeshSource(messageLength);
        }
    }

    /** Who takes what a process sends. */
    MeshSource source(final int process) {
        return sources[process];
    }

    void send(final int process, final Outlet outlet, final int messages) {
        long number = sentCounts[process];
        for (int i = 0; i < messages; i++) {
            outlet.send(number, ~number);
            number++;
        }
        sentCounts[process] = number;
    }

    void end(final int process, final Outlet outlet) {
        outlet.send(Payload.END, sentCounts[process]);
        outlet.flush();
    }

    /** Whether the time to send is over; it begins with the first call. */
    boolean isOver() {
        final long nowNs = System.nanoTime();
        if (startNs == 0) {
            startNs = nowNs;
        } else if (measureStartNs == 0) {
            if (nowNs - startNs >= window.warmUpNs()) {
                measureStartNs = nowNs;
                measureStartCount = count();
                cpu.start();
            }
        } else if (measuredNs == 0 && nowNs - measureStartNs >= window.measureNs()) {
            measuredNs = nowNs - measureStartNs;
            measuredCount = count() - measureStartCount;
            cpu.stop();
        }
        return measuredNs != 0 && nowNs - startNs >= window.sendNs();
    }

    /** Whether all that was sent to this process has arrived. */
    boolean isAllReceived() {
        return others().allMatch(MeshSource::isEnded);
    }

    ResultLine result() {
        final double perS = measuredCount / (measuredNs / 1e9);
        return new ResultLine()
                .with(ResultLine.MESSAGES_PER_S, perS)
                .with(ResultLine.GBYTES_PER_S, perS * messageLength / 1e9)
                .with(ResultLine.COUNT, count())
                .with(ResultLine.LOST, 0)
                .with(ResultLine.BAD, 0)
                .with(ResultLine.CPU_CORES, cpu.cores());
    }

    private long count() {
        return others().mapToLong(MeshSource::count).sum();
    }

    private Stream<MeshSource> others() {
        return Arrays.stream(sources).filter(Objects::nonNull);
    }
}
