package io.hawser.transport;

import io.hawser.fate.Cause;
import io.hawser.fate.ScopeOutcome;
import io.hawser.framing.FateWord;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * The words of all members about one scope, and what follows from them. Whoever knows the same words comes to the same end, in whatever order they came.
 * PROTOCOL.md, "Scopes", is its specification.
 *
 * <p><em>Threading:</em> not thread-safe; {@link Scopes} guards it.
 */
final class ScopeLedger {

    /** Of several cancels: the lowest process, then worker, then reason, as bytes. */
    private static final Comparator<ScopeOutcome.Cancelled> FIRST_CANCEL = Comparator.comparingInt(
                    ScopeOutcome.Cancelled::byProcess)
            .thenComparingInt(ScopeOutcome.Cancelled::byWorker)
            .thenComparing(how -> how.reason().getBytes(StandardCharsets.UTF_8), Arrays::compareUnsigned);

    /** By process; null where none was said. */
    private final ScopeWord[] words;

    private final boolean[] isMember;
    private int missingCount;
    private FateWord worst = FateWord.COMPLETED;
    private ScopeOutcome.Cancelled cancel;
    private final List<Cause> causes = new ArrayList<>();

    /**
     * Nothing has been said.
     *
     * @param members           whose words count
     * @param processCount      of the cluster
     * @param workersPerProcess of the cluster
     */
    ScopeLedger(final ScopeMembers members, final int processCount, final int workersPerProcess) {
        words = new ScopeWord[processCount];
        isMember = new boolean[processCount];
        for (int process = 0; process < processCount; process++) {
            isMember[process] = members.countIn(process, workersPerProcess) > 0;
            missingCount += isMember[process] ? 1 : 0;
        }
    }

    boolean isMember(final int process) {
        return isMember[process];
    }

    /** What a process has said; null if it has not. */
    ScopeWord wordOf(final int process) {
        return words[process];
    }

    /** Takes the word of a member; false if it has one already: a word is never taken back. */
    boolean say(final ScopeWord word) {
        if (words[word.process()] != null || !isMember[word.process()]) {
            return false;
        }
        words[word.process()] = word;
        missingCount--;
        if (word.kind().compareTo(worst) > 0) {
            worst = word.kind();
        }
        if (word.cancel() != null && (cancel == null || FIRST_CANCEL.compare(word.cancel(), cancel) < 0)) {
            cancel = word.cancel();
        }
        if (word.cause() != null) {
            causes.add(word.cause());
        }
        return true;
    }

    /** Whether all members have spoken. */
    boolean isComplete() {
        return missingCount == 0;
    }

    /** What the words said so far come to; once all are said, the outcome. */
    ScopeOutcome outcome() {
        return switch (worst) {
            case COMPLETED -> new ScopeOutcome.Completed();
            case CANCELLED -> cancel;
            case FAILED -> new ScopeOutcome.Failed(Cause.rootOf(causes));
        };
    }

    /** Whether somebody has said that something failed. */
    boolean isFailed() {
        return worst == FateWord.FAILED;
    }
}
