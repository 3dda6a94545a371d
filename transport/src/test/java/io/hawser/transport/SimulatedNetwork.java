package io.hawser.transport;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Listeners at addresses, and the connections between them, in virtual time. */
final class SimulatedNetwork {
    /** Who listens at an address. */
    interface Listener {
        void onAccept(SimulatedSocket socket);
    }

    /** Who dials. */
    interface Dialler {
        void onConnected(SimulatedSocket socket);

        void onRefused();
    }

    /** A connection, seen by somebody who stands between its ends. */
    record Connection(int from, int to, Wire forth, Wire back) {
        /** {@return the direction that leads to one of the two} */
        Wire towards(int process) {
            return process == to ? forth : back;
        }

        boolean joins(int a, int b) {
            return from == a && to == b || from == b && to == a;
        }
    }

    private final VirtualTime time;
    private final Random random;
    private final long[][] delayNs;
    private final long jitterNs;
    private final Map<Integer, Listener> listeners = new HashMap<>();
    private final boolean[] isUnreachable;
    private final boolean[][] isBlocked;
    private final List<Connection> connections = new ArrayList<>();

    SimulatedNetwork(VirtualTime time, Random random, int processes, long delayMaxNs) {
        this.time = time;
        this.random = random;
        this.jitterNs = 1 + random.nextLong(delayMaxNs);
        this.delayNs = new long[processes][processes];
        this.isUnreachable = new boolean[processes];
        this.isBlocked = new boolean[processes][processes];
        for (long[] row : delayNs) {
            for (int i = 0; i < row.length; i++) {
                row[i] = 1_000 + random.nextLong(delayMaxNs);
            }
        }
    }

    void listen(int address, Listener listener) {
        listeners.put(address, listener);
        isUnreachable[address] = false;
    }

    boolean isListening(int address) {
        return listeners.containsKey(address);
    }

    void unlisten(int address, Listener listener) {
        listeners.remove(address, listener);
    }

    /** Nothing answers there any more, not even with a refusal. */
    void vanish(int address) {
        listeners.remove(address);
        isUnreachable[address] = true;
    }

    /** Nothing passes from one to the other for a while; what was open then stays silent for ever. */
    void block(int from, int to, long durationNs) {
        isBlocked[from][to] = true;
        for (Connection connection : between(from, to)) {
            connection.towards(to).silence();
        }
        time.after(durationNs, () -> isBlocked[from][to] = false);
    }

    void dial(int from, int to, Dialler dialler) {
        time.after(delay(from, to), () -> answer(from, to, dialler));
    }

    private long delay(int from, int to) {
        return delayNs[from][to] + random.nextLong(jitterNs);
    }

    private void answer(int from, int to, Dialler dialler) {
        if (isUnreachable[to] || isBlocked[from][to] || isBlocked[to][from]) {
            return;
        }
        Listener listener = listeners.get(to);
        if (listener == null) {
            time.after(delay(to, from), dialler::onRefused);
            return;
        }
        SimulatedSocket near = new SimulatedSocket();
        SimulatedSocket far = new SimulatedSocket();
        Wire forth = new Wire(time, random, delayNs[from][to], jitterNs, far);
        Wire back = new Wire(time, random, delayNs[to][from], jitterNs, near);
        near.connect(forth, time.elapsedNs());
        far.connect(back, time.elapsedNs());
        connections.add(new Connection(from, to, forth, back));
        listener.onAccept(far);
        time.after(delay(to, from), () -> dialler.onConnected(near));
    }

    /** {@return the connections ever made between two processes, the latest last} */
    List<Connection> between(int a, int b) {
        return connections.stream().filter(c -> c.joins(a, b)).toList();
    }
}
