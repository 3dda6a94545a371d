package io.hawser.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.hawser.testkit.Deadline;
import io.hawser.testkit.Signal;
import io.hawser.tests.harness.CommandLineRun;
import io.hawser.tests.harness.Json;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the README promises first: {@code ./hawser demo} ranks right, whatever is done to it, and leaves nobody behind. */
class DemoIT {
    private static final Duration PATIENCE = Duration.ofSeconds(100);
    private static final int PROCESSES = 4;
    private static final double SILENCE_MS = 2_000;
    private static final double HEARTBEAT_MS = 200;

    /** Until the last worker is back; measured it is milliseconds, this only tells broken from whole. */
    private static final double RETURN_BOUND_MS = 1_000;

    /** Where nobody is frozen, a busy machine is not to be taken for somebody who is. */
    private static final String PATIENT = "--silence-timeout=30s";

    private static final int INTERRUPTED = 128 + 2;
    private static final int TERMINATED = 128 + 15;

    @TempDir
    private Path directory;

    @Test
    void shouldRankRightWhenNothingHappens() {
        final Json result = assertRight(PATIENT);
        assertThat(result.get("generations").number()).isEqualTo(1);
        assertThat(result.get("faults").all()).isEmpty();
        assertLoadedInGenerations(result, 1, 1, 1, 1);
    }

    @Test
    void shouldRankRightWhenProcessIsKilled() {
        final Json result = assertRight(PATIENT, "--kill", "2@5");
        final Json fault = assertFault(result, "kill", "PEER_LOST", "process 2 ", 0, 1, 3);
        assertThat(lastReturnMs(fault)).isBetween(0.0, RETURN_BOUND_MS);
        assertLoadedInGenerations(result, 1, 1, 2, 1);
    }

    @Test
    void shouldRankRightWhenProcessIsFrozen() {
        final Json result = assertRight("--freeze", "1@5");
        final Json fault = assertFault(result, "freeze", "PEER_SILENT", "process 1 ", 0, 2, 3);
        assertThat(lastReturnMs(fault))
                .isBetween(SILENCE_MS - 2 * HEARTBEAT_MS, SILENCE_MS + HEARTBEAT_MS + RETURN_BOUND_MS);
        assertLoadedInGenerations(result, 1, 2, 1, 1);
    }

    @Test
    void shouldRankRightWhenWorkerThrows() {
        final Json result = assertRight(PATIENT, "--panic", "3@5");
        final Json fault = assertFault(result, "panic", "WORKER_PANICKED", "worker 3 of process 1 ", 0, 1, 2, 3);
        assertThat(lastReturnMs(fault)).isBetween(0.0, RETURN_BOUND_MS);
        assertLoadedInGenerations(result, 1, 1, 1, 1);
    }

    /** Case 79: the first process first, then another one. */
    @Test
    void shouldRankRightWhenOneAfterTheOtherIsKilled() {
        final Json result = assertRight(PATIENT, "--kill", "0@3", "--kill", "2@7");
        assertThat(result.get("generations").number()).isEqualTo(3);
        assertThat(result.get("faults").all()).hasSize(2);
        assertLoadedInGenerations(result, 2, 1, 3, 1);
    }

    /** Cases 78 and 79: at each step of forming again some process is killed, and comes back at another port. */
    @Test
    void shouldRankRightWhenKilledAtEachStepOfFormingAgainAndStartedAnewElsewhere() {
        final Json result = assertRight(
                PATIENT,
                "--kill=0@2",
                "--kill=1@listening",
                "--kill=2@greeted",
                "--kill=3@ready",
                "--kill=0@started",
                "--kill=1@4",
                "--elsewhere",
                "--iterations=8");
        assertThat(result.get("faults").all()).hasSize(6);
        assertThat(result.get("faults").all())
                .allMatch(fault -> fault.get("sameCauseOnAll").isTrue());
    }

    @ParameterizedTest
    @CsvSource({
        "--kill,4@5",
        "--kill,1@later",
        "--freeze,1@ready",
        "--panic,8@5",
        "--freeze,1@20",
        "--kill,two",
        "--processes,0",
        "--no-such-option,1"
    })
    void shouldTellWrongUsageInOneLineWhenArgumentIsBad(final String option, final String value) {
        try (CommandLineRun run = new CommandLineRun(directory, "demo", "--json", option, value)) {
            assertThat(run.awaitExit(PATIENCE)).as("exit status of %s", run).isEqualTo(2);
            assertThat(run.out()).isEmpty();
            assertThat(run.err()).startsWith("hawser demo: ").contains(option).hasLineCount(1);
            run.assertNobodyLeft();
        }
    }

    @Test
    void shouldLeaveNobodyWhenInterrupted() {
        try (CommandLineRun run = endless()) {
            assumeThat(run.isDeafToInterrupt()).as("started in the background").isFalse();
            run.signal(Signal.INT);
            assertInterrupted(run, INTERRUPTED);
        }
    }

    @Test
    void shouldLeaveNobodyWhenTerminalInterruptsAll() {
        try (CommandLineRun run = endless()) {
            assumeThat(run.isDeafToInterrupt()).as("started in the background").isFalse();
            run.signalAll(Signal.INT);
            assertInterrupted(run, INTERRUPTED);
        }
    }

    @Test
    void shouldLeaveNobodyWhenTerminatedWhileOneIsFrozen() {
        try (CommandLineRun run = endless("--freeze", "1@5")) {
            run.awaitErr("SIGSTOP to process 1", PATIENCE);
            run.signal(Signal.TERM);
            assertInterrupted(run, TERMINATED);
        }
    }

    @Test
    void shouldLeaveNobodyWhenKilled() {
        try (CommandLineRun run = endless()) {
            run.signal(Signal.KILL);
            run.awaitExit(PATIENCE);
            Deadline.await(
                    PATIENCE,
                    () -> "the end of " + run.family(),
                    () -> run.family().isEmpty());
        }
    }

    /** In the midst of more work than there is patience. */
    private CommandLineRun endless(final String... faults) {
        final CommandLineRun run = demo(arguments(faults, PATIENT, "--processes", "2", "--iterations", "100000"));
        run.awaitErr("generation 1 formed", PATIENCE);
        assertThat(run.family()).as("family of %s", run).hasSize(1 + 2);
        return run;
    }

    private CommandLineRun demo(final String... faults) {
        return new CommandLineRun(directory, arguments(new String[] {"demo", "--json"}, faults));
    }

    private static String[] arguments(final String[] first, final String... more) {
        final String[] all = Arrays.copyOf(first, first.length + more.length);
        System.arraycopy(more, 0, all, first.length, more.length);
        return all;
    }

    private static void assertInterrupted(final CommandLineRun run, final int status) {
        assertThat(run.awaitExit(PATIENCE)).as("exit status of %s", run).isEqualTo(status);
        run.assertNobodyLeft();
        assertThat(run.err())
                .endsWith("interrupted; all processes have ended\n")
                .doesNotContain("demo failed");
    }

    private Json assertRight(final String... faults) {
        try (CommandLineRun run = demo(faults)) {
            assertThat(run.awaitExit(PATIENCE)).as("exit status of %s", run).isZero();
            run.assertNobodyLeft();
            final Json result = Json.parse(run.out());
            assertThat(result.get("right").isTrue()).as("right, of %s", run).isTrue();
            assertThat(result.get("checkedAgainstOneThread").isTrue()).isTrue();
            final List<Json> topTen = result.get("topTen").all();
            assertThat(topTen).hasSize(10);
            assertThat(topTen.get(0).get("class").text()).isEqualTo("java.lang.Object");
            assertThat(result.get("perProcess").all()).hasSize(PROCESSES);
            return result;
        }
    }

    /** One fault, of which all survivors tell the same. */
    private static Json assertFault(
            final Json result,
            final String fault,
            final String kind,
            final String subject,
            final Integer... survivors) {
        assertThat(result.get("generations").number()).isEqualTo(2);
        assertThat(result.get("faults").all()).hasSize(1);
        final Json report = result.get("faults").all().get(0);
        assertThat(report.get("kind").text()).isEqualTo(fault);
        assertThat(report.get("generation").number()).isEqualTo(1);
        assertThat(report.get("sameCauseOnAll").isTrue())
                .as("same cause, in %s", report)
                .isTrue();
        final List<Json> told = report.get("survivors").all();
        assertThat(told).extracting(each -> (int) each.get("process").number()).containsExactly(survivors);
        assertThat(told).extracting(each -> each.get("kind").text()).containsOnly(kind);
        assertThat(told)
                .extracting(each -> each.get("cause").text())
                .allSatisfy(cause -> assertThat(cause).startsWith(subject));
        return report;
    }

    private static double lastReturnMs(final Json fault) {
        return fault.get("survivors").all().stream()
                .mapToDouble(each -> each.get("millisToReturn").number())
                .max()
                .orElseThrow();
    }

    /** Who has not died keeps what it has loaded. */
    private static void assertLoadedInGenerations(final Json result, final Integer... generations) {
        assertThat(result.get("perProcess").all())
                .extracting(each -> (int) each.get("loadedInGeneration").number())
                .containsExactly(generations);
    }
}
