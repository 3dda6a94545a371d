package io.hawser.jmh.peers;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/**
 * The connections of one process to all others: one for each pair, made by the one of the higher index. Each listens on a port of its own for each of those.
 *
 * <p><em>Threading:</em> one thread; connections arrive on others.
 */
final class MeshOutlets {
    private final List<Handover<Outlet>> outlets = new ArrayList<>();

    private MeshOutlets(final int processCount) {
        for (int process = 0; process < processCount; process++) {
            outlets.add(new Handover<>());
        }
    }

    /**
     * Connects to all others.
     *
     * @param entrant   the transport
     * @param part      of this process
     * @param stage     to be told once this process can be connected to, and telling once all can
     * @param receivers of what a process sends
     * @return the connections
     * @throws Exception if that fails
     */
    static MeshOutlets open(
            final LaneEntrant entrant,
            final Part part,
            final Stage stage,
            final IntFunction<? extends Receiver> receivers)
            throws Exception {
        final MeshOutlets mesh = new MeshOutlets(part.workload().processCount());
        for (int other = part.index() + 1; other < mesh.outlets.size(); other++) {
            final int process = other;
            entrant.listen(lane(part, part.index(), process), outlet -> {
                mesh.outlets.get(process).put(outlet);
                return receivers.apply(process);
            });
        }
        stage.ready();
        stage.awaitGo();
        for (int other = 0; other < part.index(); other++) {
            mesh.outlets.get(other).put(entrant.connect(lane(part, other, part.index()), receivers.apply(other)));
        }
        for (int other = 0; other < mesh.outlets.size(); other++) {
            if (other != part.index()) {
                mesh.outlets.get(other).get();
            }
        }
        return mesh;
    }

    Outlet to(final int process) throws InterruptedException {
        return outlets.get(process).get();
    }

    /** How many ports the processes need to have a pair of them for each connection. */
    static int portCount(final int processCount) {
        return processCount * processCount * 2;
    }

    private static Lane lane(final Part part, final int listener, final int connector) {
        final int number = listener * part.workload().processCount() + connector;
        return new Lane(
                number,
                part.host(),
                part.port(2 * number),
                part.port(2 * number + 1),
                part.workload().messageLength(),
                false,
                true,
                false,
                part.directory());
    }
}
