package io.hawser.tests;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.testkit.Deadline;
import io.hawser.testkit.Nursery;
import io.hawser.testkit.Signal;
import io.hawser.tests.harness.ChildCluster;
import io.hawser.tests.harness.Event;
import io.hawser.tests.harness.Joined;
import io.hawser.tests.harness.RawFrame;
import io.hawser.tests.harness.RawHello;
import io.hawser.tests.harness.Strangers;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * L11: strangers do no harm, neither while a cluster forms nor while it runs: the job does not notice, memory, threads and
 * descriptors are bounded, and the log stays short.
 */
class StrangersIT {
    private static final int PROBES = Soak.times(300, 1_000);
    private static final Duration HELLO_TIMEOUT = Duration.ofSeconds(1);
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    /** Of a busy machine. To wait for strangers one after the other would take 50 times the hello time-out. */
    private static final Duration FORMED_WITHIN = Duration.ofSeconds(12);

    private static final int LOG_LINE_LIMIT = 12;

    /** The default, and one that has just been accepted. */
    private static final int UNIDENTIFIED_LIMIT = 256 + 1;

    @RegisterExtension
    static final Nursery NURSERY = Nursery.forWholeClass();

    private static final ChildCluster CLUSTER = new ChildCluster(NURSERY, 3, 1)
            .set("helloMs", HELLO_TIMEOUT.toMillis())
            .set("silenceMs", 10_000)
            .set("formationMs", 30_000)
            .set("pauseMicros", 1_000);

    /** What strangers do, and what the log must name it. */
    enum Attack {
        /** Case 15. */
        PROBES_THAT_CLOSE("") {
            @Override
            void on(final Strangers strangers) throws IOException {
                strangers.connectAndClose(PROBES);
            }
        },
        /** Case 7. */
        HTTP("HTTP") {
            @Override
            void on(final Strangers strangers) throws IOException {
                strangers.sayAndListen(Strangers.HTTP);
            }
        },
        /** Case 7. */
        SSH("SSH") {
            @Override
            void on(final Strangers strangers) throws IOException {
                strangers.sayAndListen(Strangers.SSH);
            }
        },
        /** Case 7. */
        TLS("TLS") {
            @Override
            void on(final Strangers strangers) throws IOException {
                strangers.sayAndListen(Strangers.TLS);
            }
        },
        /** Case 7. */
        NONSENSE("") {
            @Override
            void on(final Strangers strangers) throws IOException {
                strangers.babble(1 << 20, 42);
            }
        },
        /** Case 12 a. */
        SILENCE("") {
            @Override
            void on(final Strangers strangers) throws IOException {
                strangers.connectAndStay(50);
            }
        },
        /** Case 12 b. */
        HALF_HELLOS("") {
            @Override
            void on(final Strangers strangers) throws IOException {
                final byte[] hello = strangeHello().bytes();
                strangers.sayAndStay(Arrays.copyOf(hello, hello.length - 1), 50);
            }
        },
        /** Case 10: what claims to be long is not waited for. */
        HUGE_LENGTHS("") {
            @Override
            void on(final Strangers strangers) throws IOException {
                final byte[] header =
                        Arrays.copyOf(strangeHello().length(0x7FFF_FFFF).bytes(), 48);
                for (int i = 0; i < 200; i++) {
                    strangers.sayAndListen(header);
                }
            }
        },
        /** Case 11: frames of somebody who has not greeted. */
        NO_HELLO("") {
            @Override
            void on(final Strangers strangers) throws IOException {
                for (final RawFrame frame : List.of(
                        RawFrame.data(1, 2, 0, new byte[8]),
                        RawFrame.heartbeat(),
                        RawFrame.hangUp(0, 0, 0, 0),
                        RawFrame.abort(1, 1, 1, 1, "lie"),
                        RawFrame.ready(1, 1),
                        RawFrame.of(RawFrame.CREDIT).payload(new byte[16]))) {
                    strangers.sayAndListen(frame.bytes());
                }
            }
        },
        /** Case 22: a HELLO of another cluster, and a second one right behind it. */
        OTHER_CLUSTER("") {
            @Override
            void on(final Strangers strangers) throws IOException {
                final byte[] hello = strangeHello().bytes();
                final byte[] twice = Arrays.copyOf(hello, 2 * hello.length);
                System.arraycopy(hello, 0, twice, hello.length, hello.length);
                assertThat(strangers.sayAndListen(twice))
                        .as("an answer that refuses")
                        .isNotEmpty();
            }
        };

        private final String nameInLog;

        Attack(final String nameInLog) {
            this.nameInLog = nameInLog;
        }

        abstract void on(Strangers strangers) throws IOException;

        private static RawFrame strangeHello() {
            final RawHello hello = new RawHello();
            hello.clusterId = "another";
            hello.processIndex = 2;
            hello.processCount = 3;
            return hello.frame();
        }
    }

    private final int[] logged = new int[CLUSTER.processCount()];

    @BeforeEach
    void launch() {
        CLUSTER.launchMissing();
        CLUSTER.all().forEach(process -> logged[process] = allLines(process).size());
    }

    @ParameterizedTest
    @EnumSource(Attack.class)
    void shouldRunOnWhenStrangersCome(final Attack attack) throws Exception {
        final ChildCluster.Run run = CLUSTER.form("rounds");
        run.awaitAtWork(CLUSTER.all());
        final Event before = CLUSTER.inspect(0, true);
        try (Strangers strangers = new Strangers(CLUSTER.port(0))) {
            attack.on(strangers);
            assertBounded(before, CLUSTER.inspect(0, true));
            assertProgress();
            strangers.awaitDropped(HELLO_TIMEOUT.plusSeconds(3));
        }
        awaitDescriptors(before);
        run.tell(0, "end");
        new Joined(run.joined(CLUSTER.all(), PATIENCE)).assertClean().assertNothingLeft();
        assertLog(attack);
    }

    @ParameterizedTest
    @EnumSource(Attack.class)
    void shouldFormWhenStrangersComeFirst(final Attack attack) throws Exception {
        final ChildCluster.Run run = CLUSTER.newRun();
        run.start(0, "rounds");
        run.start(1, "rounds");
        awaitListening(CLUSTER.port(0));
        awaitListening(CLUSTER.port(1));
        try (Strangers first = new Strangers(CLUSTER.port(0));
                Strangers second = new Strangers(CLUSTER.port(1))) {
            attack.on(first);
            attack.on(second);
            final long startNs = System.nanoTime();
            run.start(2, "rounds");
            run.awaitFormed(CLUSTER.all());
            assertThat(System.nanoTime() - startNs)
                    .as("ns from the last process's start until all had formed")
                    .isLessThan(FORMED_WITHIN.toNanos());
        }
        run.tell(0, "end");
        new Joined(run.joined(CLUSTER.all(), PATIENCE)).assertClean().assertNothingLeft();
        assertLog(attack);
    }

    @Test
    void shouldAnswerEveryDialWhenManyCameWhileProcessWasFrozenCase2() throws Exception {
        final ChildCluster pair = new ChildCluster(NURSERY, 2, 1).set("helloMs", 5_000);
        pair.launchMissing();
        final ChildCluster.Run run = pair.newRun();
        run.start(0, "rounds");
        awaitListening(pair.port(0));
        pair.child(0).signal(Signal.STOP);
        final ExecutorService diallers = Executors.newFixedThreadPool(300);
        try {
            final List<Future<Boolean>> answers = IntStream.range(0, 300)
                    .mapToObj(i -> diallers.submit(dialUntilAnswered(pair.port(0), run.id())))
                    .toList();
            // long enough for all to have dialled, and to have been kept waiting
            assertThat(diallers.awaitTermination(1, TimeUnit.SECONDS)).isFalse();
            pair.child(0).signal(Signal.CONT);
            for (final Future<Boolean> answer : answers) {
                assertThat(answer.get(20, TimeUnit.SECONDS)).isTrue();
            }
        } finally {
            diallers.shutdownNow();
        }
        run.start(1, "rounds");
        run.awaitFormed(pair.all());
        run.tell(0, "end");
        new Joined(run.joined(pair.all(), PATIENCE)).assertClean();
    }

    @Test
    void shouldStayWholeWhenManyDialAsFastAsTheyCanCases2And13() throws Exception {
        final ChildCluster pair = new ChildCluster(NURSERY, 2, 1).set("helloMs", 1_000);
        pair.launchMissing();
        final ChildCluster.Run run = pair.newRun();
        run.start(0, "rounds", "pauseMicros", 1_000);
        awaitListening(pair.port(0));
        final AtomicBoolean isOver = new AtomicBoolean();
        final ExecutorService diallers = Executors.newFixedThreadPool(300);
        try {
            for (int i = 0; i < 300; i++) {
                diallers.execute(() -> storm(pair.port(0), isOver));
            }
            run.start(1, "rounds", "pauseMicros", 1_000);
            run.awaitFormed(pair.all());
            final long counted = pair.inspect(0, false).number("counted");
            Deadline.await(
                    PATIENCE,
                    "rounds in the storm",
                    () -> pair.inspect(0, false).number("counted") > counted + 200);
            assertThat(pair.inspect(0, true).number("heap")).as("heap").isLessThan(16 << 20);
        } finally {
            isOver.set(true);
            diallers.shutdownNow();
        }
        run.tell(0, "end");
        new Joined(run.joined(pair.all(), PATIENCE)).assertClean();
    }

    private static void storm(final int port, final AtomicBoolean isOver) {
        final byte[] hello = claim(0, 1).frame().bytes();
        try (Strangers one = new Strangers(port)) {
            while (!isOver.get()) {
                one.sayAndListen(hello);
            }
        } catch (final IOException | AssertionError unanswered) {
            // the storm ends here; what it has done to the process is asserted there
            assert unanswered != null;
        }
    }

    @Test
    void shouldFormWhenStrangersKeepComingCase13() throws Exception {
        final ChildCluster.Run run = CLUSTER.newRun();
        run.start(0, "rounds");
        awaitListening(CLUSTER.port(0));
        try (Strangers dead = new Strangers(CLUSTER.port(0))) {
            dead.connectAndStay(60);
        }
        try (Strangers strangers = new Strangers(CLUSTER.port(0))) {
            strangers.connectAndStay(60);
            run.start(1, "rounds");
            for (int i = 0; i < 20; i++) {
                strangers.connectAndStay(1);
                strangers.sayAndListen(Strangers.HTTP);
            }
            run.start(2, "rounds");
            run.awaitFormed(CLUSTER.all());
            for (int process = 0; process < 3; process++) {
                assertThat(run.formed(process).number("tookMicros")).isLessThan(10_000_000);
            }
            run.tell(0, "end");
            new Joined(run.joined(CLUSTER.all(), PATIENCE)).assertClean();
        }
    }

    @Test
    void shouldKeepLinkWhenStrangerClaimsIndexOfRunningProcessCase27() throws Exception {
        final ChildCluster.Run run = CLUSTER.form("rounds");
        run.awaitAtWork(CLUSTER.all());
        try (Strangers strangers = new Strangers(CLUSTER.port(0))) {
            for (int index = 0; index < 4; index++) {
                final byte[] answer =
                        strangers.sayAndListen(claim(index, run.id()).frame().bytes());
                assertThat(answer).as("a REFUSE").hasSizeGreaterThan(48);
                assertThat(answer[5]).isEqualTo((byte) RawFrame.REFUSE);
            }
            assertProgress();
        }
        run.tell(0, "end");
        new Joined(run.joined(CLUSTER.all(), PATIENCE)).assertClean().assertNothingLeft();
    }

    private static RawHello claim(final int index, final long generation) {
        final RawHello hello = new RawHello();
        hello.clusterId = "it";
        hello.generation = generation;
        hello.processIndex = index;
        hello.processCount = 3;
        hello.heartbeatInterval = Duration.ofMillis(100);
        hello.silenceTimeout = Duration.ofSeconds(10);
        return hello;
    }

    private static Callable<Boolean> dialUntilAnswered(final int port, final long generation) {
        return () -> {
            final RawHello hello = claim(1, generation);
            hello.processCount = 2;
            hello.clusterId = "another";
            final Deadline deadline = Deadline.in(PATIENCE);
            try (Strangers one = new Strangers(port)) {
                while (!deadline.isOver()) {
                    if (one.sayAndListen(hello.frame().bytes()).length > 0) {
                        return true;
                    }
                }
            }
            return false;
        };
    }

    private static void awaitListening(final int port) {
        Deadline.await(PATIENCE, "listening on port " + port, () -> {
            try (Strangers one = new Strangers(port)) {
                one.connectAndClose(1);
                return true;
            } catch (final IOException refused) {
                return false;
            }
        });
    }

    private static void assertBounded(final Event before, final Event now) {
        assertThat(now.number("threads")).as("threads").isLessThanOrEqualTo(before.number("threads") + 1);
        assertThat(now.number("descriptors"))
                .as("descriptors")
                .isLessThanOrEqualTo(before.number("descriptors") + UNIDENTIFIED_LIMIT);
        assertThat(now.number("heap")).as("heap").isLessThan(before.number("heap") + (4 << 20));
        assertThat(now.number("direct")).as("direct memory").isLessThan(before.number("direct") + (4 << 20));
    }

    private void awaitDescriptors(final Event before) {
        Deadline.await(
                PATIENCE,
                "descriptors back at " + before.number("descriptors"),
                () -> CLUSTER.inspect(0, false).number("descriptors") <= before.number("descriptors"));
    }

    private void assertProgress() {
        final long before = CLUSTER.inspect(0, false).number("counted");
        Deadline.await(
                PATIENCE, "ten more rounds", () -> CLUSTER.inspect(0, false).number("counted") > before + 10);
    }

    /** No warning, few lines, and one that names what it looked like. */
    private void assertLog(final Attack attack) {
        for (final int process : CLUSTER.all()) {
            assertThat(newLines(process)).as("log of process %d", process).noneMatch(StrangersIT::isWarning);
        }
        final List<String> lines = newLines(0).stream()
                .filter(line -> line.contains("io.hawser.stranger"))
                .toList();
        assertThat(lines).hasSizeLessThan(LOG_LINE_LIMIT);
        if (!attack.nameInLog.isEmpty()) {
            assertThat(lines).anyMatch(line -> line.contains(attack.nameInLog));
        }
    }

    private List<String> newLines(final int process) {
        final List<String> all = allLines(process);
        return all.subList(logged[process], all.size());
    }

    private static List<String> allLines(final int process) {
        return CLUSTER.child(process).errorLines();
    }

    private static boolean isWarning(final String line) {
        return line.contains(" WARN ") || line.contains(" ERROR ") || line.contains("Exception");
    }
}
