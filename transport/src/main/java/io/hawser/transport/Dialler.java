package io.hawser.transport;

import io.hawser.fate.Clock;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;

/**
 * Opens connections to the processes of lower index: looks their names up, tries each address, says HELLO, and again after a back-off
 * if nothing comes of it. When is {@link Dialling}'s.
 *
 * <p><em>Threading:</em> the greet thread only; what other threads find out comes back to it through the executor.
 */
final class Dialler {
    private final ClusterConfig config;
    private final Clock clock;
    private final Formation<Link> formation;
    private final Dialling dialling;
    private final Listing listing;
    private final Resolver resolver;
    private final Reception reception;
    private final Executor greetThread;

    Dialler(
            ClusterConfig config,
            Clock clock,
            Formation<Link> formation,
            Dialling dialling,
            Listing listing,
            Resolver resolver,
            Reception reception,
            Executor greetThread) {
        this.config = config;
        this.clock = clock;
        this.formation = formation;
        this.dialling = dialling;
        this.listing = listing;
        this.resolver = resolver;
        this.reception = reception;
        this.greetThread = greetThread;
    }

    void dialDue(long nowNs) {
        for (int process = 0; process < config.processIndex(); process++) {
            if (dialling.isDue(process, formation, nowNs)) {
                dial(process);
            }
        }
    }

    /** {@return when the next dial is due, or the given time if that is earlier} */
    long nextNs(long latestNs) {
        return dialling.nextNs(formation, latestNs);
    }

    private void dial(int process) {
        formation.slot(process).onDial();
        dialling.onDialling(process);
        long generation = formation.generation();
        resolver.locate(
                process,
                listing,
                found -> greetThread.execute(() -> connect(process, generation, new ArrayDeque<>(found))),
                error -> greetThread.execute(() -> {
                    if (generation == formation.generation()) { // otherwise another dial is under way
                        failed(process, error, clock.nanoTime());
                    }
                }));
    }

    /** Tries the first of several addresses; the others are tried if it does not answer. */
    private void connect(int process, long generation, Queue<InetSocketAddress> addresses) {
        long nowNs = clock.nanoTime();
        if (formation.isStarted()
                || generation != formation.generation()
                || formation.slot(process).link() != null) {
            if (generation == formation.generation()) {
                dialling.onIdle(process, nowNs);
            }
            return; // the answer to a question of an attempt that is over
        }
        InetSocketAddress address = addresses.remove();
        dialling.onOthers(process, addresses);
        try {
            reception.dial(address, formation.own().to(process), nowNs);
        } catch (IOException | RuntimeException e) { // such as an address of a family that this JVM may not use
            nextAddress(process, address + " " + Quietly.reasonOf(e), nowNs);
        }
    }

    /** Nothing came of a connection: the next address of the same name, or a pause. No effect after the start. */
    void failed(Caller caller, String reason, long nowNs) {
        if (!formation.isStarted()) {
            nextAddress(caller.target(), caller.remote() + " " + reason, nowNs);
        }
    }

    private void nextAddress(int process, String error, long nowNs) {
        Queue<InetSocketAddress> others = dialling.others(process);
        if (others.isEmpty()) {
            failed(process, error, nowNs);
        } else {
            formation.slot(process).onError(error);
            connect(process, formation.generation(), others);
        }
    }

    private void failed(int process, String error, long nowNs) {
        Formation.Slot<Link> slot = formation.slot(process);
        slot.onError(error);
        dialling.onFailed(process, nowNs);
    }

    /** A link is there, whoever dialled. */
    void onGreeted(int peer) {
        dialling.onGreeted(peer);
    }

    /** A link was lost: again after a pause, if it is ours to dial. */
    void onLost(int peer, long nowNs) {
        dialling.onFailed(peer, nowNs);
    }

    void onRaised(long nowNs) {
        dialling.onRaised(nowNs);
    }
}
