package io.hawser.transport;

import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.SplittableRandom;

/**
 * When to dial whom: back-off with jitter, so that a cluster that starts, or starts again, does not dial in step.
 *
 * <p><em>Threading:</em> the greet thread only.
 */
final class Dialling {
    private static final class Line {
        private long dueNs;
        private long backoffNs;
        private boolean isDialling;
        private Queue<InetSocketAddress> others = new ArrayDeque<>();
    }

    private final Line[] lines;
    private final long backoffMinNs;
    private final long backoffMaxNs;
    private final SplittableRandom random;

    /**
     * Everybody is due at once; the first report of a failure is due a while later.
     *
     * @param config back-off limits
     * @param seed   of the jitter
     * @param nowNs  the time
     */
    Dialling(ClusterConfig config, long seed, long nowNs) {
        this.backoffMinNs = config.dialBackoffMinNs();
        this.backoffMaxNs = config.dialBackoffMaxNs();
        this.random = new SplittableRandom(seed);
        this.lines = new Line[config.processIndex()];
        for (int i = 0; i < lines.length; i++) {
            lines[i] = new Line();
            lines[i].dueNs = nowNs;
            lines[i].backoffNs = backoffMinNs;
        }
    }

    boolean isDue(int process, Formation<?> formation, long nowNs) {
        Line line = lines[process];
        return !line.isDialling && formation.slot(process).link() == null && nowNs - line.dueNs >= 0;
    }

    /** {@return when the next dial is due, or the given time if that is earlier} */
    long nextNs(Formation<?> formation, long latestNs) {
        long nextNs = latestNs;
        for (int i = 0; i < lines.length; i++) {
            boolean isWaiting = !lines[i].isDialling && formation.slot(i).link() == null;
            if (isWaiting && lines[i].dueNs - nextNs < 0) {
                nextNs = lines[i].dueNs;
            }
        }
        return nextNs;
    }

    void onDialling(int process) {
        lines[process].isDialling = true;
    }

    /** Other addresses of the same name, to be tried within the same attempt. */
    void onOthers(int process, Queue<InetSocketAddress> addresses) {
        lines[process].others = addresses;
    }

    Queue<InetSocketAddress> others(int process) {
        return lines[process].others;
    }

    void onGreeted(int process) {
        if (process < lines.length) {
            Line line = lines[process];
            line.isDialling = false;
            line.backoffNs = backoffMinNs;
            line.others = new ArrayDeque<>();
        }
    }

    void onIdle(int process, long nowNs) {
        lines[process].isDialling = false;
        lines[process].dueNs = nowNs;
    }

    /** The attempt failed, or the link was lost: again after the back-off, between half of it and all of it. */
    void onFailed(int process, long nowNs) {
        if (process < lines.length) {
            Line line = lines[process];
            line.isDialling = false;
            line.dueNs = nowNs + line.backoffNs / 2 + random.nextLong(line.backoffNs / 2 + 1);
            line.backoffNs = Math.min(line.backoffNs * 2, backoffMaxNs);
        }
    }

    /** A newer generation is formed: everybody is dialled again, soon. */
    void onRaised(long nowNs) {
        for (Line line : lines) {
            line.isDialling = false;
            line.backoffNs = backoffMinNs;
            line.dueNs = nowNs + random.nextLong(backoffMinNs + 1);
            line.others = new ArrayDeque<>();
        }
    }
}
