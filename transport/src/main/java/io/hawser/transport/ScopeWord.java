package io.hawser.transport;

import io.hawser.fate.Cause;
import io.hawser.fate.ScopeOutcome;
import io.hawser.framing.FateFlyweight;
import io.hawser.framing.FateWord;

/**
 * What a process has said about a scope, for good.
 *
 * @param process whose word it is
 * @param kind    the word
 * @param cancel  by whom it was cancelled and why; null unless it was
 * @param cause   why it has failed; null unless it has
 */
record ScopeWord(int process, FateWord kind, ScopeOutcome.Cancelled cancel, Cause cause) {

    static ScopeWord completed(final int process) {
        return new ScopeWord(process, FateWord.COMPLETED, null, null);
    }

    static ScopeWord cancelled(final int process, final ScopeOutcome.Cancelled cancel) {
        return new ScopeWord(process, FateWord.CANCELLED, cancel, null);
    }

    static ScopeWord failed(final int process, final Cause cause) {
        return new ScopeWord(process, FateWord.FAILED, null, cause);
    }

    static ScopeWord read(final FateFlyweight fate, final int reporter) {
        return switch (fate.word()) {
            case COMPLETED -> completed(fate.process());
            case CANCELLED ->
                cancelled(
                        fate.process(),
                        new ScopeOutcome.Cancelled(fate.cancelledByProcess(), fate.cancelledByWorker(), fate.text()));
            case FAILED -> failed(fate.process(), CauseCodec.decode(fate.cause(), reporter));
        };
    }

    /** What another process says that has heard this one and has nothing else to say. */
    ScopeWord echoedBy(final int other) {
        return new ScopeWord(other, kind, cancel, cause);
    }

    /** Whether nothing is pushed or pulled in the scope any more. */
    boolean isStop() {
        return kind != FateWord.COMPLETED;
    }
}
