package io.hawser.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.fate.Cause;
import io.hawser.fate.CauseKind;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever breaks inside of this process while it forms, whoever waits for the cluster is told, and nothing is left (L3, L4). */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class FormingFaultTest {
    private static final Duration FORMATION_TIMEOUT = Duration.ofSeconds(30);
    private static final long SOON_S = 15;

    private final List<Endpoint> addresses = LoopbackMeshes.freeEndpoints(3);

    @TempDir
    private Path triggers;

    @AfterEach
    void forgetFault() {
        System.clearProperty("hawser.test.fault");
    }

    private ClusterConfigBuilder config(int process) {
        return ClusterConfig.builder()
                .clusterId("faulty")
                .processIndex(process)
                .addresses(addresses)
                .formationTimeout(FORMATION_TIMEOUT);
    }

    private static FutureTask<Mesh> form(ClusterConfigBuilder config) {
        FutureTask<Mesh> forming = new FutureTask<>(() -> Mesh.form(config.build(), new CollectingReceiver()));
        new Thread(forming, "test-forms").start();
        return forming;
    }

    private void assertNothingLeft(int process) throws Exception {
        String prefix = "hawser-faulty-p" + process;
        long startNs = System.nanoTime();
        while (!LoopbackMeshes.threadsNamed(prefix).isEmpty()) {
            assertThat(System.nanoTime() - startNs)
                    .as("threads left: %s", LoopbackMeshes.threadsNamed(prefix))
                    .isLessThan(TimeUnit.SECONDS.toNanos(SOON_S));
            Thread.onSpinWait();
        }
        InetAddress loopback = InetAddress.getByName("127.0.0.1");
        new ServerSocket(addresses.get(process).port(), 1, loopback).close();
    }

    private static Throwable failure(FutureTask<Mesh> forming) throws Exception {
        try {
            Mesh mesh = forming.get(SOON_S, TimeUnit.SECONDS);
            mesh.close();
            throw new AssertionError("formed although " + System.getProperty("hawser.test.fault"));
        } catch (ExecutionException e) {
            return e.getCause();
        }
    }

    // ---- threads that fail

    private void fault(String role) throws Exception {
        Path trigger = Files.createFile(triggers.resolve(role));
        System.setProperty("hawser.test.fault", role + ":java.lang.LinkageError@" + trigger);
    }

    @ParameterizedTest
    @ValueSource(strings = {"greet", "watch"})
    void shouldFailFormingAtOnceWhenAThreadOfThisProcessFails(String role) throws Exception {
        fault(role);
        assertThat(failure(form(config(0))))
                .isInstanceOf(FormationException.class)
                .hasMessageContaining(role);
        assertNothingLeft(0);
    }

    /** The third process is not there yet. */
    @ParameterizedTest
    @ValueSource(strings = {"send-1", "recv-1"})
    void shouldFailFormingAtOnceWhenAThreadOfAFirstLinkFails(String role) throws Exception {
        fault(role);
        FutureTask<Mesh> forming = form(config(0));
        FutureTask<Mesh> other = form(config(1));
        assertThat(failure(forming))
                .isInstanceOf(FormationException.class)
                .hasMessageContaining("lost its own health")
                .hasMessageContaining("injected");
        assertNothingLeft(0);
        giveUp(1, other);
    }

    private void giveUp(int process, FutureTask<Mesh> forming) throws Exception {
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getName().equals("test-forms")) {
                thread.interrupt();
            }
        }
        assertThatThrownBy(() -> forming.get(SOON_S, TimeUnit.SECONDS)).isInstanceOf(ExecutionException.class);
        assertNothingLeft(process);
    }

    // ---- threads that do not start

    /** Watch, greet, and two for each of two links. */
    @ParameterizedTest
    @CsvSource({
        "1,true", "2,true", "3,true", "4,true", "5,true", "6,true",
        "1,false", "2,false", "3,false", "4,false", "5,false", "6,false"
    })
    void shouldNeverHangWhenTheNthThreadCannotBeHad(int nth, boolean isMade) throws Exception {
        AtomicInteger asked = new AtomicInteger();
        FutureTask<Mesh> one = form(config(1));
        FutureTask<Mesh> two = form(config(2));
        FutureTask<Mesh> forming = form(config(0).threadFactory(body -> {
            if (asked.incrementAndGet() != nth) {
                return new Thread(body);
            }
            return isMade ? unstartable(body) : noThread();
        }));
        try {
            Mesh mesh = forming.get(SOON_S, TimeUnit.SECONDS);
            assertThat(mesh.awaitClosed(Duration.ofSeconds(SOON_S))).isTrue();
            Cause cause = mesh.health().rootCause();
            assertThat(cause.kind()).isEqualTo(CauseKind.THREAD_FAILED);
            assertThat(cause.seen()).contains("unable to create native thread");
            assertThat(mesh.memory().liveBytes()).isZero();
        } catch (ExecutionException e) {
            assertThat(e.getCause()).isInstanceOf(FormationException.class);
            assertThat(e.getCause()).hasStackTraceContaining("unable to create native thread");
        }
        assertThat(asked).hasValueGreaterThanOrEqualTo(nth);
        assertNothingLeft(0);
        endOthers(one, two);
    }

    private void endOthers(FutureTask<Mesh> one, FutureTask<Mesh> two) throws Exception {
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getName().equals("test-forms")) {
                thread.interrupt();
            }
        }
        for (FutureTask<Mesh> other : List.of(one, two)) {
            try {
                other.get(SOON_S, TimeUnit.SECONDS).close();
            } catch (ExecutionException notFormed) {
                assertThat(notFormed.getCause()).isInstanceOfAny(FormationException.class, InterruptedException.class);
            }
        }
        assertNothingLeft(1);
        assertNothingLeft(2);
    }

    private static Thread noThread() {
        throw new OutOfMemoryError("unable to create native thread");
    }

    private static Thread unstartable(Runnable body) {
        return new Thread(body) {
            @Override
            public synchronized void start() {
                throw new OutOfMemoryError("unable to create native thread");
            }
        };
    }

    /** The name of a peer is looked up by a thread, too. */
    @Test
    void shouldNeverHangWhenNoThreadForALookUpCanBeHad() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        ThreadFactory factory = body -> asked.incrementAndGet() <= 2 ? new Thread(body) : noThread();
        ClusterConfigBuilder config = config(1)
                .addresses(
                        List.of(new Endpoint("localhost", addresses.get(0).port()), addresses.get(1), addresses.get(2)))
                .threadFactory(factory);
        assertThat(failure(form(config)))
                .isInstanceOf(FormationException.class)
                .hasStackTraceContaining("unable to create native thread");
        assertNothingLeft(1);
    }
}
