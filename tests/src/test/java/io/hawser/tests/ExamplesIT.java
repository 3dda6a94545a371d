package io.hawser.tests;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.testkit.Signal;
import io.hawser.tests.harness.CommandLineRun;
import io.hawser.tests.harness.Json;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The examples in their short forms: each comes out right, says so in JSON, and leaves nobody behind. */
class ExamplesIT {
    private static final Duration PATIENCE = Duration.ofSeconds(100);
    private static final int TERMINATED = 128 + 15;

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"refuse", "wait", "spill"})
    void shouldBoundMemoryWhenConsumerIsSlow(final String policy) {
        final Json result = assertRight("slow-consumer", "--policy", policy, "--seconds", "5");
        assertThat(result.get("policy").text()).isEqualTo(policy);
        assertThat(result.get("memoryFlat").isTrue()).isTrue();
        assertThat(result.get("consumerDirectMax").number())
                .isLessThanOrEqualTo(result.get("directLimit").number());
        assertThat(result.get("producerDirectMax").number())
                .isLessThanOrEqualTo(result.get("directLimit").number());
        assertThat(result.get("pushed").number()).isGreaterThan(1_000);
        assertThat(result.get("pulled").number()).isBetween(2.0, 7.0);
        assertThat(result.get("spilledMax").number() > 0).isEqualTo(policy.equals("spill"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"refuse", "spill"})
    void shouldCompleteCycleWhenChannelsDoNotWait(final String policy) {
        assertThat(assertRight("cycle", "--policy", policy).get("completed").isTrue())
                .isTrue();
    }

    @Test
    void shouldExplainCycleWhenChannelsWait() {
        final Json result = assertRight("cycle", "--policy", "wait");
        assertThat(result.get("completed").isTrue()).isFalse();
        assertThat(result.get("explainedAfterMs").number()).isBetween(2_000.0, 3_000.0);
        assertThat(result.get("cycle").all()).extracting(Json::number).containsExactly(0.0, 1.0);
    }

    @Test
    void shouldStreamBigMessage() {
        final Json result = assertRight("big-message", "--size", "64m");
        assertThat(result.get("size").number()).isEqualTo(64 << 20);
        assertThat(result.get("receiverDirectMax").number())
                .isLessThanOrEqualTo(result.get("directLimit").number());
        assertThat(result.get("pings").number()).isPositive();
    }

    @Test
    void shouldBoundMemoryWhenAllPushToOne() {
        final Json result = assertRight("fan-in", "--processes", "3", "--seconds", "3");
        assertThat(result.get("directMax").number())
                .isLessThanOrEqualTo(result.get("directLimit").number());
        assertThat(result.get("perSourceMinPerSecond").number()).isPositive();
    }

    @Test
    void shouldLeaveNobodyWhenTerminated() {
        try (CommandLineRun run = new CommandLineRun(directory, "example", "fan-in", "--seconds", "60")) {
            run.awaitOut("pulled", PATIENCE);
            run.signal(Signal.TERM);
            assertThat(run.awaitExit(PATIENCE)).as("exit status of %s", run).isEqualTo(TERMINATED);
            run.assertNobodyLeft();
            assertThat(run.out()).endsWith("interrupted; all processes have ended\n");
        }
    }

    @Test
    void shouldTellWrongUsageInOneLineWhenOptionIsUnknown() {
        try (CommandLineRun run = new CommandLineRun(directory, "example", "fan-in", "--no-such-option")) {
            assertThat(run.awaitExit(PATIENCE)).as("exit status of %s", run).isEqualTo(2);
            assertThat(run.err())
                    .startsWith("hawser example fan-in: ")
                    .contains("--no-such-option")
                    .hasLineCount(1);
        }
    }

    /** L8, case 108: a setting changes hundreds of times while the channel is full, and waits for no data. */
    @Test
    void shouldTellAProducerWhoseDataIsStuck() {
        final Json result = assertRight("retune", "--rounds", "500");
        assertThat(result.get("roundTripMedianMs").number()).isBetween(0.0, 10.0);
        assertThat(result.get("refused").number()).isPositive();
    }

    /** L9, cases 32 to 34: rejected, late and lost before the go-ahead is tried again, lost after it is a failure; no reservation leaks. */
    @Test
    void shouldAnswerQueryWhenWorkersRefuseAndDie() {
        final Json result = assertRight("query");
        assertThat(result.get("answers").number()).isEqualTo(3);
        assertThat(result.get("generations").number()).isEqualTo(3);
        assertThat(result.get("sameAsOneThread").isTrue()).isTrue();
        assertThat(result.get("top").text()).startsWith("java.lang ");
        assertThat(result.get("rejected").number()).isPositive();
        assertThat(result.get("timedOut").number()).isPositive();
        assertThat(result.get("acceptedLate").number()).isPositive();
        assertThat(result.get("beforeGoCanHaveRun").isTrue()).isFalse();
        assertThat(result.get("afterGoCanHaveRun").isTrue()).isTrue();
        assertThat(result.get("afterGoFailed").isTrue()).isTrue();
        assertThat(result.get("wentAhead").number())
                .as("seven tasks of each of four queries, once each")
                .isEqualTo(28);
        assertThat(result.get("permitsTaken").number()).isZero();
    }

    @Test
    void shouldFailNoQueryWhenProcessesReturnOneAfterTheOther() {
        final Json result = assertRight("rolling-restart", "--processes", "3", "--queries", "20");
        assertThat(result.get("failed").number()).isZero();
        assertThat(result.get("wrong").number()).isZero();
        assertThat(result.get("answered").number()).isGreaterThanOrEqualTo(60);
        assertThat(result.get("rejectedElsewhere").number()).isGreaterThanOrEqualTo(10);
        assertThat(result.get("pausesMs").all()).hasSize(2).allMatch(pause -> pause.number() > 0);
        assertThat(result.get("restarted").number()).isEqualTo(2);
        assertThat(result.get("permitsTaken").number()).isZero();
    }

    /** L8, L10, cases 94 and 95: a job whose windows are all full is out at once, all that it held is back, and the job beside it goes on. */
    @Test
    void shouldDropAStuckJobAndNoOther() {
        final Json result = assertRight("drop-stuck-job", "--rounds", "9");
        assertThat(result.get("workersOutMedianMs").number()).isBetween(0.0, 100.0);
        assertThat(result.get("memoryBackMedianMs").number()).isBetween(0.0, 100.0);
        assertThat(result.get("heldBytesStuck").number()).isGreaterThan(1 << 20);
        assertThat(result.get("heldBytesAfter").number()).isZero();
        assertThat(result.get("healthyPerSecondDuring").number()).isPositive();
        assertThat(result.get("healthyDipPercent").number()).isLessThan(50);
        assertThat(result.get("jobOutcome").text()).isEqualTo("cancelled");
        assertThat(result.get("healthyOutcome").text()).isEqualTo("completed");
    }

    @Test
    void shouldListExamplesWithoutAName() {
        try (CommandLineRun run = new CommandLineRun(directory, "example")) {
            assertThat(run.awaitExit(PATIENCE)).as("exit status of %s", run).isZero();
            assertThat(run.out())
                    .contains(
                            "slow-consumer",
                            "cycle",
                            "big-message",
                            "fan-in",
                            "retune",
                            "drop-stuck-job",
                            "query",
                            "rolling-restart");
        }
    }

    /** Exit status and last line agree. */
    private Json assertRight(final String... arguments) {
        final String[] all = new String[arguments.length + 1];
        all[0] = "example";
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        try (CommandLineRun run = new CommandLineRun(directory, all)) {
            assertThat(run.awaitExit(PATIENCE)).as("exit status of %s", run).isZero();
            run.assertNobodyLeft();
            final Json result =
                    Json.parse(run.out().lines().reduce((before, line) -> line).orElseThrow());
            assertThat(result.get("example").text()).isEqualTo(arguments[0]);
            assertThat(result.get("right").isTrue()).isTrue();
            return result;
        }
    }
}
