package io.hawser.tests;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.allocator.Channel;
import io.hawser.allocator.Codecs;
import io.hawser.allocator.Outcomes;
import io.hawser.allocator.Worker;
import io.hawser.fate.Cause;
import io.hawser.fate.CauseKind;
import io.hawser.testkit.FreePorts;
import io.hawser.tests.harness.RawFrame;
import io.hawser.tests.harness.RawHello;
import io.hawser.tests.harness.RawPeer;
import io.hawser.transport.ClusterConfigBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** L2 and cases 31, 73: many processes, one dies; whatever each of the others saw first, all name the same. */
class CascadeIT {
    private static final int SURVIVORS = 5;

    private final List<Integer> ports = FreePorts.take(SURVIVORS + 1);
    private final List<Member> members = new ArrayList<>();
    private final List<RawPeer> links = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (final RawPeer link : links) {
            link.close();
        }
        members.forEach(Member::close);
        Member.assertNoThreads();
    }

    /** The victim's sockets end one after the other, in random order, up to so many microseconds apart. */
    @ParameterizedTest
    @ValueSource(ints = {0, 200, 20_000})
    void shouldNameOneFirstCauseWhenLinksOfTheDeadEndOneByOneCase73(final int apartMicros) throws Exception {
        final long seed = System.nanoTime();
        System.out.println("cascade: seed=" + seed);
        final Random random = new Random(seed);
        for (int round = 1; round <= Soak.times(10, 1_000); round++) {
            form(round, round % 2 == 0);
            final List<RawPeer> order = new ArrayList<>(links);
            Collections.shuffle(order, random);
            for (final RawPeer link : order) {
                if (random.nextBoolean()) {
                    link.reset();
                } else {
                    link.fin();
                }
                LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(random.nextInt(apartMicros + 1)));
            }
            final Cause first = joined(0).cause();
            assertThat(first.kind()).as("round %d: %s", round, first).isEqualTo(CauseKind.PEER_LOST);
            assertThat(first.subjectProcess()).as("round %d: %s", round, first).isEqualTo(SURVIVORS);
            for (int process = 1; process < SURVIVORS; process++) {
                final Cause other = joined(process).cause();
                assertThat(other.sameEvent(first))
                        .as("round %d: process 0 says %s, process %d says %s", round, first, process, other)
                        .isTrue();
            }
            close();
            members.clear();
            links.clear();
        }
    }

    @Test
    void shouldFormAgainWhenAllRestartAtTheSameInstantCase31() throws Exception {
        for (int generation = 1; generation <= Soak.times(8, 200); generation++) {
            for (int process = 0; process < ports.size(); process++) {
                members.add(Member.start(config(process).generation(generation)));
            }
            for (final Member member : members) {
                assertThat(member.formed().generation()).isEqualTo(generation);
            }
            members.get(generation % ports.size()).formed().abort("once more");
            final Cause first = joined(0).cause();
            for (int process = 1; process < ports.size(); process++) {
                assertThat(joined(process).cause().sameEvent(first)).isTrue();
            }
            members.forEach(Member::close);
            members.clear();
        }
    }

    private ClusterConfigBuilder config(final int process) {
        return Member.config(process, ports).abortTimeout(Duration.ofMillis(500));
    }

    private void form(final int generation, final boolean isBusy) throws Exception {
        for (int process = 0; process < SURVIVORS; process++) {
            final ClusterConfigBuilder config = config(process).generation(generation);
            members.add(isBusy ? Member.start(config.build(), CascadeIT::chatter) : Member.start(config));
        }
        for (int process = 0; process < SURVIVORS; process++) {
            final RawHello hello = Counterpart.hello(generation);
            hello.nonce = generation;
            hello.processIndex = SURVIVORS;
            hello.processCount = SURVIVORS + 1;
            hello.targetProcess = process;
            links.add(RawPeer.greet(ports.get(process), hello));
        }
        for (final RawPeer link : links) {
            link.readyUp();
        }
        for (final Member member : members) {
            member.formed();
        }
        for (final RawPeer link : links) {
            link.await(RawFrame.READY);
            link.discardInBackground();
        }
    }

    /** Small messages to everybody, with pauses, so that deaths are met while sending too. */
    private static Long chatter(final Worker worker) {
        final Channel<Long> channel = worker.allocate(0, Codecs.int64());
        long count = 0;
        while (true) {
            channel.broadcaster().push(count++);
            worker.park(Duration.ofNanos(200_000));
            for (Long number = channel.puller().pull();
                    number != null;
                    number = channel.puller().pull()) {
                assertThat(number).isNotNegative();
            }
        }
    }

    private Outcomes<Long> joined(final int process) throws Exception {
        final Outcomes<Long> outcomes = members.get(process).joined();
        assertThat(outcomes.isClean()).isFalse();
        return outcomes;
    }
}
