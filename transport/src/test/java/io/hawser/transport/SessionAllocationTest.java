package io.hawser.transport;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.hawser.fate.Cause;
import io.hawser.framing.FrameEncoder;
import io.hawser.framing.FrameHeaderFlyweight;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** What has to work when the heap is full, and what happens for each frame, allocates nothing. */
class SessionAllocationTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int SESSIONS = 4_000;
    private static final int ATTEMPTS = 8;

    private final UnsafeBuffer control = new UnsafeBuffer(ByteBuffer.allocateDirect(8 * 1_024));
    private final Cause cause = ScriptedPeer.cause(0, 1).reportedBy(2);
    private final Cause better = ScriptedPeer.cause(1, 0);

    /** Bytes that the thread allocated, the least of several attempts: the compiler needs some runs to do without. */
    private static long leastAllocated(Runnable[] runs) {
        long least = Long.MAX_VALUE;
        int share = runs.length / ATTEMPTS;
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            long before = THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
            for (int i = attempt * share; i < (attempt + 1) * share; i++) {
                runs[i].run();
            }
            long after = THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
            least = Math.min(least, after - before);
        }
        return least;
    }

    @Test
    void shouldAllocateNothingWhenAbortsArePolled() {
        Runnable[] runs = new Runnable[SESSIONS];
        for (int i = 0; i < SESSIONS; i++) {
            Session session = new ScriptedPeer(Session.Role.ACCEPTOR, 0).open().session();
            session.poll(control, 0, true, Hellos.INTERVAL_NS); // a heartbeat: the memory is known to the encoder now
            runs[i] = () -> {
                session.abort(cause);
                session.poll(control, 0, true, 0);
                session.settle(better, better);
                session.poll(control, 0, true, 0);
                assert session.isSendingDone();
            };
        }
        assertThat(leastAllocated(runs)).isZero();
    }

    @Test
    void shouldAllocateNothingWhenDataAndHeartbeatsGo() {
        Session session = new ScriptedPeer(Session.Role.ACCEPTOR, 0).open().session();
        FrameEncoder encoder = new FrameEncoder();
        UnsafeBuffer data = new UnsafeBuffer(ByteBuffer.allocateDirect(1_024));
        int length = ScriptedPeer.layData(encoder, data, 100, 0, 2, 1);
        int check = encoder.payloadCheck(data, 0);
        long[] nowNs = {0};
        Runnable[] runs = new Runnable[SESSIONS];
        for (int i = 0; i < SESSIONS; i++) {
            runs[i] = () -> {
                nowNs[0] += Hellos.INTERVAL_NS;
                session.poll(control, 0, false, nowNs[0]);
                session.sealData(data, 0, length, check);
                session.onTick(nowNs[0]);
            };
        }
        assertThat(leastAllocated(runs)).isZero();
    }

    @Test
    void shouldAllocateNothingWhenDataAndHeartbeatsCome() {
        Session session = new ScriptedPeer(Session.Role.ACCEPTOR, 0).open().session();
        FrameEncoder encoder = new FrameEncoder();
        UnsafeBuffer buffer = new UnsafeBuffer(ByteBuffer.allocateDirect(1_024));
        FrameHeaderFlyweight header = new FrameHeaderFlyweight();
        long[] sequence = {2};
        Runnable[] runs = new Runnable[SESSIONS];
        for (int i = 0; i < SESSIONS; i++) {
            boolean isData = i % 2 == 0;
            runs[i] = () -> {
                if (isData) {
                    ScriptedPeer.laySmallData(encoder, buffer, 2, 0);
                } else {
                    encoder.heartbeat(buffer, 0).clockNs(1);
                    encoder.end();
                }
                encoder.seal(buffer, 0, sequence[0]++);
                session.onBytes(100, 0);
                session.onFrame(header.wrap(buffer, 0), buffer, FrameHeaderFlyweight.HEADER_LENGTH, 0);
            };
        }
        assertThat(leastAllocated(runs)).isZero();
        assertThat(session.violation()).isNull();
    }
}
