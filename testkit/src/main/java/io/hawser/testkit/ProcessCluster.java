package io.hawser.testkit;

import io.hawser.transport.Endpoint;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;

/**
 * The processes of one cluster as real JVMs, all with the same main class, and what each is told of the others' addresses. A process that has ended is relaunched at its
 * port or at another one; a proxy can stand between any two.
 *
 * <pre>{@code
 * ProcessCluster cluster = new ProcessCluster(nursery, 3, MyEngine.class.getName(),
 *         (process, addresses) -> List.of("--index", "" + process, "--addresses", ProcessCluster.join(addresses)));
 * cluster.launchMissing();
 * cluster.child(0).awaitLine("formed", ChildProcess.PATIENCE, line -> line.startsWith("formed"));
 * cluster.child(1).signal(Signal.KILL);
 * }</pre>
 *
 * <p>The children belong to the {@link Nursery}, which ends them at the latest.
 *
 * <p><em>Threading:</em> one thread at a time.
 */
public final class ProcessCluster implements AutoCloseable {
    private static final String HOST = InetAddress.getLoopbackAddress().getHostAddress();

    /** What a process is told on its command line. */
    @FunctionalInterface
    public interface Arguments {
        /**
         * The arguments of {@code main}, asked for at each launch.
         *
         * @param process   index of the process
         * @param addresses where it listens, and where it has to dial the others, in the order of their indexes
         * @return the arguments
         */
        List<String> of(int process, List<Endpoint> addresses);
    }

    private final Nursery nursery;
    private final String mainClass;
    private final Arguments arguments;
    private final List<Integer> ports;
    private final ChildProcess[] children;
    private final Map<List<Integer>, Integer> detours = new HashMap<>();
    private List<String> flags = List.of();

    /**
     * A cluster whose processes are not yet launched, at ports that were free.
     *
     * @param nursery      that the children will belong to
     * @param processCount how many processes, 1 or more
     * @param mainClass    binary name of the class whose {@code main} they run
     * @param arguments    of {@code main}
     */
    public ProcessCluster(
            final Nursery nursery, final int processCount, final String mainClass, final Arguments arguments) {
        this.nursery = Objects.requireNonNull(nursery, "nursery");
        this.mainClass = Objects.requireNonNull(mainClass, "mainClass");
        this.arguments = Objects.requireNonNull(arguments, "arguments");
        if (processCount < 1) {
            throw new IllegalArgumentException("a cluster has at least one process: processCount=" + processCount);
        }
        this.ports = new ArrayList<>(FreePorts.take(processCount));
        this.children = new ChildProcess[processCount];
    }

    /**
     * The text that most engines take addresses in.
     *
     * @param addresses of all processes
     * @return {@code host:port,host:port,…}
     */
    public static String join(final List<Endpoint> addresses) {
        return String.join(",", addresses.stream().map(Endpoint::toString).toList());
    }

    /**
     * Flags of the JVMs launched from now on, besides the usual ones.
     *
     * @param more such as {@code -Xmx1g}
     * @return this
     */
    public ProcessCluster flags(final String... more) {
        flags = List.of(more);
        return this;
    }

    /**
     * How many processes it has.
     *
     * @return the count
     */
    public int processCount() {
        return children.length;
    }

    /**
     * The indexes of all processes.
     *
     * @return 0, 1, 2…
     */
    public List<Integer> all() {
        return allBut(-1);
    }

    /**
     * The indexes of all processes but one.
     *
     * @param process to be left out
     * @return the others in order
     */
    public List<Integer> allBut(final int process) {
        return IntStream.range(0, children.length)
                .filter(each -> each != process)
                .boxed()
                .toList();
    }

    /**
     * The port that a process listens on.
     *
     * @param process index of the process
     * @return its own port, whatever proxy stands before it
     */
    public int port(final int process) {
        return ports.get(process);
    }

    /**
     * The addresses that a process is told.
     *
     * @param process index of the process
     * @return its own, and where it dials the others, in the order of their indexes
     */
    public List<Endpoint> addresses(final int process) {
        return all().stream()
                .map(other -> new Endpoint(HOST, detours.getOrDefault(List.of(process, other), ports.get(other))))
                .toList();
    }

    /**
     * The JVM of a process.
     *
     * @param process index of the process
     * @return the child that was launched last, alive or not; null if there is none
     */
    public ChildProcess child(final int process) {
        return children[process];
    }

    /** Sees to it that every process is there: launches those that are missing or have ended. Does not wait for them to be up. */
    public void launchMissing() {
        for (int process = 0; process < children.length; process++) {
            if (children[process] == null || !children[process].isAlive()) {
                launch(process);
            }
        }
    }

    /**
     * Launches a process, or its successor: one that is there is ended first.
     *
     * @param process index of the process
     * @param more    flags of its JVM, besides the usual ones and those of {@link #flags}
     * @return the child
     */
    public ChildProcess launch(final int process, final String... more) {
        final List<String> allFlags = new ArrayList<>(flags);
        allFlags.addAll(List.of(more));
        end(process);
        children[process] = nursery.launch(
                "p" + process,
                allFlags,
                mainClass,
                arguments.of(process, addresses(process)).toArray(String[]::new));
        return children[process];
    }

    /**
     * Lets a child that was launched by other means be a process: one that is there is ended first.
     *
     * @param process index of the process
     * @param child   of the same nursery
     */
    public void replace(final int process, final ChildProcess child) {
        end(process);
        children[process] = Objects.requireNonNull(child, "child");
    }

    /**
     * Leaves a process alone, frozen perhaps, and lets its successor live at a new port.
     *
     * @param process index of the process
     */
    public void moveAway(final int process) {
        moveAway(process, FreePorts.next());
    }

    /**
     * Leaves a process alone, frozen perhaps, and lets its successor live at this port. The others have to be told, or relaunched.
     *
     * @param process index of the process
     * @param port    that the successor will listen on
     */
    public void moveAway(final int process, final int port) {
        ports.set(process, port);
        children[process] = null;
    }

    /**
     * Ends a process by SIGKILL, frozen or not, and waits until it is gone. No effect if there is none.
     *
     * @param process index of the process
     */
    public void end(final int process) {
        if (children[process] != null) {
            nursery.destroy(children[process]);
            children[process] = null;
        }
    }

    /** Ends all processes, but not those that were moved away: they are the nursery's to end. */
    @Override
    public void close() {
        all().forEach(this::end);
    }

    /**
     * From its next launch on, a process dials another at this port.
     *
     * @param from index of the process that dials
     * @param to   index of the other one
     * @param port to dial
     */
    public void detour(final int from, final int to, final int port) {
        detours.put(List.of(from, to), port);
    }

    /** From their next launch on, all dial each other directly. */
    public void clearDetours() {
        detours.clear();
    }

    /**
     * A proxy between two processes, from the next launch of the higher one on: of two processes the higher index dials.
     *
     * @param lower  index of the process that is dialled
     * @param higher index of the process that dials
     * @return the proxy, to be closed by the caller
     */
    public FaultProxy proxyBetween(final int lower, final int higher) {
        if (lower >= higher) {
            throw new IllegalArgumentException("the higher index dials: lower=" + lower + " higher=" + higher);
        }
        final FaultProxy proxy = FaultProxy.to(port(lower));
        detour(higher, lower, proxy.port());
        return proxy;
    }
}
