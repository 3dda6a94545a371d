package io.hawser.jmh.bench;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A network of its own for the measured processes, in which TCP has another congestion control; the machine's setting stays as it is. Linux, and root, only.
 * A small process holds it open, and lets it go when its standard input ends.
 *
 * <p><em>Threading:</em> the main thread.
 */
final class NetworkNamespace implements AutoCloseable {
    private static final long TIMEOUT_MS = 5_000;

    /** Buffer lengths are those of the machine: a new namespace begins with the kernel's. */
    private static final String SCRIPT = "settings=/proc/sys/net/ipv4; rmem=\"$2\"; wmem=\"$3\"; ip link set lo up "
            + "&& echo \"$1\" > $settings/tcp_congestion_control && echo \"$rmem\" > $settings/tcp_rmem "
            + "&& echo \"$wmem\" > $settings/tcp_wmem && echo READY && exec cat";

    private final RunProcess holder;
    private final RunProcesses processes;

    private NetworkNamespace(final RunProcess holder, final RunProcesses processes) {
        this.holder = holder;
        this.processes = processes;
    }

    /**
     * Makes a network.
     *
     * @param congestionControl its name, such as {@code cubic}
     * @param processes         to start the holder among
     * @return the network
     * @throws RunFailedException   if the system refuses
     * @throws IOException          if a tool is missing
     * @throws InterruptedException if the thread is interrupted
     */
    static NetworkNamespace open(final String congestionControl, final RunProcesses processes)
            throws RunFailedException, IOException, InterruptedException {
        final BlockingQueue<ProcessLine> lines = new LinkedBlockingQueue<>();
        final RunProcess holder = processes.start(
                "network",
                List.of(
                        "unshare",
                        "-n",
                        "sh",
                        "-c",
                        SCRIPT,
                        "sh",
                        congestionControl,
                        Surroundings.setting("tcp_rmem"),
                        Surroundings.setting("tcp_wmem")),
                lines::add);
        final ProcessLine line = lines.poll(TIMEOUT_MS, TimeUnit.MILLISECONDS);
        if (line == null || line.isEnd()) {
            holder.awaitEnd(0);
            throw new RunFailedException("cannot make a network with congestion control " + congestionControl
                    + " (needs root, unshare, nsenter and ip; allowed here: "
                    + Surroundings.setting("tcp_allowed_congestion_control") + "): " + String.join(" ", holder.tail()));
        }
        return new NetworkNamespace(holder, processes);
    }

    /** What commands have to begin with to run there. */
    List<String> prefix() {
        return List.of("nsenter", "--net=/proc/" + holder.pid() + "/ns/net");
    }

    @Override
    public void close() {
        holder.kill();
        try {
            processes.awaitEnd(List.of(holder), TIMEOUT_MS);
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
