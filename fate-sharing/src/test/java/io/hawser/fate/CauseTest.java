package io.hawser.fate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class CauseTest {
    @Test
    void shouldHoldWhatItWasBuiltFrom() {
        Throwable thrown = new Error("x");
        Cause cause = Cause.builder(CauseKind.WORKER_PANICKED)
                .subjectProcess(1)
                .subjectWorker(3)
                .subjectPid(99)
                .subjectNonce(-5)
                .subjectHost("h")
                .subjectAddress("a:1")
                .observerProcess(1)
                .reporterProcess(0)
                .observedAtEpochMs(17)
                .generation(2)
                .elapsedNs(4)
                .seen("s")
                .throwable(thrown)
                .build();

        assertThat(cause.kind()).isEqualTo(CauseKind.WORKER_PANICKED);
        assertThat(cause.subjectProcess()).isEqualTo(1);
        assertThat(cause.subjectWorker()).isEqualTo(3);
        assertThat(cause.subjectPid()).isEqualTo(99);
        assertThat(cause.subjectNonce()).isEqualTo(-5);
        assertThat(cause.subjectHost()).isEqualTo("h");
        assertThat(cause.subjectAddress()).isEqualTo("a:1");
        assertThat(cause.observerProcess()).isEqualTo(1);
        assertThat(cause.reporterProcess()).isZero();
        assertThat(cause.observedAtEpochMs()).isEqualTo(17);
        assertThat(cause.generation()).isEqualTo(2);
        assertThat(cause.elapsedNs()).isEqualTo(4);
        assertThat(cause.seen()).isEqualTo("s");
        assertThat(cause.throwable()).isSameAs(thrown);
        assertThat(cause).hasToString(cause.describe());
    }

    @Test
    void shouldHaveUnknownsAsDocumentedWhenOnlyTheRequiredIsSet() {
        Cause cause = Cause.builder(CauseKind.PEER_LOST)
                .subjectProcess(0)
                .observerProcess(0)
                .generation(1)
                .seen(null)
                .subjectHost(null)
                .subjectAddress(null)
                .build();

        assertThat(cause.subjectWorker()).isEqualTo(-1);
        assertThat(cause.reporterProcess()).isEqualTo(-1);
        assertThat(cause.subjectPid()).isZero();
        assertThat(cause.subjectHost() + cause.subjectAddress() + cause.seen()).isEmpty();
        assertThat(cause.throwable()).isNull();
    }

    @Test
    void shouldRefuseWhenANumberIsOutOfRange() {
        refused("subjectProcess=-1", () -> CauseFixture.lost().subjectProcess(-1));
        refused("subjectWorker=-2", () -> CauseFixture.lost().subjectWorker(-2));
        refused("subjectPid=-1", () -> CauseFixture.lost().subjectPid(-1));
        refused("observerProcess=-1", () -> CauseFixture.lost().observerProcess(-1));
        refused("reporterProcess=-2", () -> CauseFixture.lost().reporterProcess(-2));
        refused("generation=0", () -> CauseFixture.lost().generation(0));
        refused("elapsedNs=-1", () -> CauseFixture.lost().elapsedNs(-1));
        assertThatNullPointerException().isThrownBy(() -> Cause.builder(null));
    }

    @Test
    void shouldRefuseWhenSomethingRequiredIsMissing() {
        CauseBuilder builder = Cause.builder(CauseKind.PEER_LOST);
        missing("subjectProcess=-1", builder);
        missing("observerProcess=-1", builder.subjectProcess(0));
        missing("generation=0", builder.observerProcess(0));
        assertThat(builder.generation(1).build()).isNotNull();
    }

    @Test
    void shouldBeTheSameEventWhenAPeerReportsIt() {
        Cause cause = CauseFixture.lost().seen("x").subjectNonce(8).build();
        Cause reported = cause.reportedBy(1);

        assertThat(reported.reporterProcess()).isEqualTo(1);
        assertThat(reported.seen()).isEqualTo("x");
        assertThat(reported.subjectNonce()).isEqualTo(8);
        assertThat(cause.sameEvent(reported)).isTrue();
        assertThat(cause.reporterProcess()).isEqualTo(-1);
        assertThat(cause.sameEvent(null)).isFalse();
    }

    @Test
    void shouldBeAnotherEventWhenAnyPartOfItsIdentityDiffers() {
        Cause cause = CauseFixture.lost().build();

        assertThat(cause.sameEvent(CauseFixture.lost().subjectProcess(1).build()))
                .isFalse();
        assertThat(cause.sameEvent(CauseFixture.lost().subjectWorker(1).build()))
                .isFalse();
        assertThat(cause.sameEvent(CauseFixture.lost().observerProcess(1).build()))
                .isFalse();
        assertThat(cause.sameEvent(CauseFixture.lost().generation(4).build())).isFalse();
        assertThat(cause.sameEvent(CauseFixture.number(1))).isFalse();
        assertThat(cause.sameEvent(Cause.builder(CauseKind.PEER_SILENT)
                        .subjectProcess(2)
                        .observerProcess(0)
                        .generation(3)
                        .observedAtEpochMs(CauseFixture.AT_EPOCH_MS)
                        .build()))
                .isFalse();
    }

    @Test
    void shouldCompleteOnceWhenPreparedBeforehand() {
        Throwable thrown = new OutOfMemoryError("heap");
        PreparedCause prepared = CauseFixture.lost().seen("in recv-from-2").prepare();

        Cause cause = prepared.complete(77, 5, thrown);

        assertThat(cause.observedAtEpochMs()).isEqualTo(77);
        assertThat(cause.elapsedNs()).isEqualTo(5);
        assertThat(cause.throwable()).isSameAs(thrown);
        assertThat(prepared.complete(78, null)).isSameAs(cause);
        assertThat(cause.observedAtEpochMs()).isEqualTo(77);
        assertThat(cause.describe()).contains("in recv-from-2 (java.lang.OutOfMemoryError: heap)");
    }

    /** Two threads of a process run out of memory at once. */
    @Test
    void shouldBeWholeForWhoeverComesSecondWhileTheFirstStillFillsItIn() throws Exception {
        CountDownLatch isFilling = new CountDownLatch(1);
        CountDownLatch mayFill = new CountDownLatch(1);
        PreparedCause prepared = new PreparedCause(CauseFixture.number(0)) {
            @Override
            void fill(Cause cause, long observedAtEpochMs, long elapsedNs, Throwable thrown) {
                isFilling.countDown();
                try {
                    mayFill.await();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
                super.fill(cause, observedAtEpochMs, elapsedNs, thrown);
            }
        };
        FutureTask<Long> first =
                new FutureTask<>(() -> prepared.complete(77, null).observedAtEpochMs());
        FutureTask<Long> second =
                new FutureTask<>(() -> prepared.complete(78, null).observedAtEpochMs());
        new Thread(first).start();
        isFilling.await();
        new Thread(second).start();
        assertThatExceptionOfType(TimeoutException.class).isThrownBy(() -> second.get(100, TimeUnit.MILLISECONDS));
        mayFill.countDown();
        assertThat(first.get(10, TimeUnit.SECONDS)).isEqualTo(77);
        assertThat(second.get(10, TimeUnit.SECONDS)).isEqualTo(77);
    }

    private static void refused(String messageEnd, ThrowingCallable call) {
        assertThatIllegalArgumentException().isThrownBy(call).withMessageEndingWith(messageEnd);
    }

    private static void missing(String messageEnd, CauseBuilder builder) {
        assertThatIllegalStateException().isThrownBy(builder::build).withMessageEndingWith(messageEnd);
    }
}
