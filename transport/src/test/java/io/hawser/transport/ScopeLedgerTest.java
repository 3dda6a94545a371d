package io.hawser.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.fate.Cause;
import io.hawser.fate.CauseKind;
import io.hawser.fate.ScopeOutcome;
import io.hawser.framing.FateWord;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Whoever knows the same words about a scope comes to the same outcome (L2, L10, L12; case 95). */
class ScopeLedgerTest {
    private static final int SEEDS = 3_000;

    private static Cause cause(final int process, final long seenAtMs) {
        return Cause.builder(CauseKind.WORKER_PANICKED)
                .subjectProcess(process)
                .observerProcess(process)
                .observedAtEpochMs(seenAtMs)
                .generation(1)
                .build();
    }

    private static ScopeWord cancelled(final int process, final int byProcess, final int byWorker, final String why) {
        return ScopeWord.cancelled(process, new ScopeOutcome.Cancelled(byProcess, byWorker, why));
    }

    private static ScopeLedger ledger(final int processes, final ScopeWord... words) {
        final ScopeLedger ledger = new ScopeLedger(ScopeMembers.all(), processes, 1);
        for (final ScopeWord word : words) {
            assertThat(ledger.say(word)).isTrue();
        }
        return ledger;
    }

    @Test
    void shouldComeToTheSameOutcomeInWhateverOrderWordsCome() {
        for (long seed = 1; seed <= SEEDS; seed++) {
            final Random random = new Random(seed);
            final int processes = 1 + random.nextInt(6);
            final int workers = 1 + random.nextInt(3);
            final ScopeMembers members = members(random, processes * workers);
            final List<ScopeWord> words = words(random, processes);
            final ScopeLedger first = told(words, members, processes, workers);
            Collections.shuffle(words, random);
            final ScopeLedger second = told(words, members, processes, workers);
            assertThat(first.isComplete()).as("seed %d", seed).isTrue();
            final List<ScopeWord> counted = words.stream()
                    .filter(word -> members.countIn(word.process(), workers) > 0)
                    .toList();
            assertSame(seed, first.outcome(), expected(counted));
            assertSame(seed, second.outcome(), expected(counted));
        }
    }

    private static ScopeMembers members(final Random random, final int workerCount) {
        return random.nextInt(3) == 0
                ? ScopeMembers.all()
                : ScopeMembers.of(random.ints(1 + random.nextInt(workerCount), 0, workerCount)
                        .toArray());
    }

    private static List<ScopeWord> words(final Random random, final int processes) {
        final String[] reasons = {"", "a", "b", "\uFFFD", "\uD83D\uDE00"};
        final List<ScopeWord> words = new ArrayList<>();
        for (int process = 0; process < processes; process++) {
            words.add(
                    switch (random.nextInt(3)) {
                        case 0 -> ScopeWord.completed(process);
                        case 1 ->
                            cancelled(
                                    process,
                                    random.nextInt(processes),
                                    random.nextInt(3) - 1,
                                    reasons[random.nextInt(reasons.length)]);
                        default -> ScopeWord.failed(process, cause(random.nextInt(processes), random.nextInt(3)));
                    });
        }
        return words;
    }

    private static ScopeLedger told(
            final List<ScopeWord> words, final ScopeMembers members, final int processes, final int workers) {
        final ScopeLedger ledger = new ScopeLedger(members, processes, workers);
        for (final ScopeWord word : words) {
            assertThat(ledger.say(word)).isEqualTo(ledger.isMember(word.process()));
            assertThat(ledger.say(word)).as("told twice").isFalse();
        }
        return ledger;
    }

    /** The rule of PROTOCOL.md, once more. */
    private static ScopeOutcome expected(final List<ScopeWord> words) {
        final List<Cause> causes = words.stream()
                .filter(word -> word.cause() != null)
                .map(ScopeWord::cause)
                .toList();
        if (!causes.isEmpty()) {
            return new ScopeOutcome.Failed(Cause.rootOf(causes));
        }
        return words.stream()
                .filter(word -> word.cancel() != null)
                .map(ScopeWord::cancel)
                .min(Comparator.comparingInt(ScopeOutcome.Cancelled::byProcess)
                        .thenComparingInt(ScopeOutcome.Cancelled::byWorker)
                        .thenComparing(ScopeLedgerTest::utf8, Arrays::compareUnsigned))
                .map(ScopeOutcome.class::cast)
                .orElse(new ScopeOutcome.Completed());
    }

    private static byte[] utf8(final ScopeOutcome.Cancelled how) {
        return how.reason().getBytes(StandardCharsets.UTF_8);
    }

    private static void assertSame(final long seed, final ScopeOutcome actual, final ScopeOutcome expected) {
        if (expected instanceof ScopeOutcome.Failed failed) {
            assertThat(((ScopeOutcome.Failed) actual).cause().sameEvent(failed.cause()))
                    .as("seed %d: %s", seed, actual)
                    .isTrue();
        } else {
            assertThat(actual).as("seed %d", seed).isEqualTo(expected);
        }
    }

    @Test
    void shouldPutAFailureBeforeACancelAndACancelBeforeCompletion() {
        final ScopeLedger ledger = ledger(3, ScopeWord.completed(0), cancelled(1, 1, 1, "no more"));
        assertThat(ledger.isComplete()).isFalse();
        assertThat(ledger.isFailed()).isFalse();
        assertThat(ledger.outcome()).isEqualTo(new ScopeOutcome.Cancelled(1, 1, "no more"));
        ledger.say(ScopeWord.failed(2, cause(2, 1)));
        assertThat(ledger.isComplete()).isTrue();
        assertThat(ledger.isFailed()).isTrue();
        assertThat(ledger.outcome().isFailed()).isTrue();
    }

    @Test
    void shouldNotTakeAWordBackWhenAWorseOneFollows() {
        final ScopeLedger ledger = ledger(2, ScopeWord.completed(0));
        assertThat(ledger.say(ScopeWord.failed(0, cause(0, 1)))).isFalse();
        assertThat(ledger.say(cancelled(0, 1, -1, ""))).isFalse();
        assertThat(ledger.wordOf(0).kind()).isEqualTo(FateWord.COMPLETED);
        ledger.say(ScopeWord.completed(1));
        assertThat(ledger.outcome().isCompleted()).isTrue();
    }

    @Test
    void shouldPreferTheLowestProcessThenWorkerThenReasonAmongCancels() {
        assertThat(ledger(2, cancelled(0, 1, 0, "a"), cancelled(1, 0, 9, "z")).outcome())
                .isEqualTo(new ScopeOutcome.Cancelled(0, 9, "z"));
        assertThat(ledger(2, cancelled(0, 1, 0, "a"), cancelled(1, 1, -1, "z")).outcome())
                .as("the process itself counts before its workers")
                .isEqualTo(new ScopeOutcome.Cancelled(1, -1, "z"));
        assertThat(ledger(2, cancelled(0, 1, 0, "b"), cancelled(1, 1, 0, "a")).outcome())
                .isEqualTo(new ScopeOutcome.Cancelled(1, 0, "a"));
    }

    /** As characters of Java the two would stand the other way round. */
    @Test
    void shouldCompareReasonsAsBytesOfUtf8() {
        assertThat(ledger(2, cancelled(0, 1, 0, "\uD83D\uDE00"), cancelled(1, 1, 0, "\uFFFD"))
                        .outcome())
                .isEqualTo(new ScopeOutcome.Cancelled(1, 0, "\uFFFD"));
    }

    @Test
    void shouldHearNobodyButMembers() {
        final ScopeLedger ledger = new ScopeLedger(ScopeMembers.of(0, 1, 5), 4, 2);
        assertThat(ledger.isMember(0)).isTrue();
        assertThat(ledger.isMember(1)).isFalse();
        assertThat(ledger.isMember(2)).isTrue();
        assertThat(ledger.isMember(3)).isFalse();
        assertThat(ledger.say(ScopeWord.failed(1, cause(1, 1)))).isFalse();
        assertThat(ledger.say(ScopeWord.completed(0))).isTrue();
        assertThat(ledger.isComplete()).isFalse();
        assertThat(ledger.say(ScopeWord.completed(2))).isTrue();
        assertThat(ledger.isComplete()).isTrue();
        assertThat(ledger.outcome().isCompleted()).isTrue();
    }

    /** What others have seen of a failed process is only the trace of what it says of itself. */
    @Test
    void shouldTakeTheSelfReportForTheRoot() {
        final Cause seen = Cause.builder(CauseKind.PEER_LOST)
                .subjectProcess(1)
                .observerProcess(0)
                .observedAtEpochMs(1)
                .generation(1)
                .build();
        final ScopeOutcome outcome = ledger(2, ScopeWord.failed(0, seen), ScopeWord.failed(1, cause(1, 5)))
                .outcome();
        assertThat(((ScopeOutcome.Failed) outcome).cause().isSelfReport()).isTrue();
    }
}
