package io.hawser.tests;

import io.hawser.allocator.Outcomes;
import io.hawser.allocator.WorkerFunction;
import io.hawser.testkit.FreePorts;
import io.hawser.tests.harness.RawHello;
import io.hawser.tests.harness.RawPeer;
import io.hawser.transport.ClusterConfigBuilder;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * A real process 0 within this JVM, and process 1 played by a raw peer: a cluster of two, for single frames at single
 * moments.
 */
final class Counterpart implements AutoCloseable {
    private static long lastGeneration;

    private final Member member;
    private final RawPeer raw;

    private Counterpart(final Member member, final RawPeer raw) {
        this.member = member;
        this.raw = raw;
    }

    /** A port to use for many clusters one after the other. */
    static List<Integer> ports() {
        return FreePorts.take(2);
    }

    /** A cluster whose real worker waits. */
    static Counterpart open(final List<Integer> ports) throws IOException {
        return open(ports, null);
    }

    /** A cluster whose real worker does this. */
    static Counterpart open(final List<Integer> ports, final WorkerFunction<Long> work) throws IOException {
        return open(settings(ports), ports.get(0), work);
    }

    /** A cluster with settings of its own. */
    static Counterpart open(final ClusterConfigBuilder settings, final int port, final WorkerFunction<Long> work)
            throws IOException {
        final Member member = work == null ? Member.start(settings) : Member.start(settings.build(), work);
        boolean isOpen = false;
        try {
            final RawPeer raw = RawPeer.join(port, hello(settings.build().generation()));
            isOpen = true;
            return new Counterpart(member, raw);
        } finally {
            if (!isOpen) {
                member.close();
            }
        }
    }

    /** Settings of the next generation on these ports. */
    static ClusterConfigBuilder settings(final List<Integer> ports) {
        lastGeneration++;
        return Member.config(0, ports).generation(lastGeneration).abortTimeout(Duration.ofMillis(500));
    }

    /** What the raw peer says of itself, as {@link Member#config} expects it. */
    static RawHello hello(final long generation) {
        final RawHello hello = new RawHello();
        hello.clusterId = Member.CLUSTER_ID;
        hello.generation = generation;
        hello.heartbeatInterval = Duration.ofMillis(100);
        hello.silenceTimeout = Duration.ofSeconds(10);
        return hello;
    }

    RawPeer raw() {
        return raw;
    }

    /** The generation that both are in. */
    static long generation() {
        return lastGeneration;
    }

    /** How it ended for the real process, after the raw peer has heard it out and gone. */
    Outcomes<Long> joinedAfterGoing() throws Exception {
        raw.awaitEnd(Duration.ofSeconds(5));
        raw.close();
        return member.joined();
    }

    /** How it ended for the real process. */
    Outcomes<Long> joined() throws Exception {
        return member.joined();
    }

    @Override
    public void close() throws IOException {
        raw.close();
        member.close();
    }
}
