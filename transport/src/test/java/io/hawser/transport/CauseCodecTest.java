package io.hawser.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.fate.Cause;
import io.hawser.fate.CauseBuilder;
import io.hawser.fate.CauseKind;
import io.hawser.framing.AbortFlyweight;
import io.hawser.framing.AbortKind;
import io.hawser.framing.FrameDecoder;
import io.hawser.framing.FrameEncoder;
import io.hawser.framing.FrameHeaderFlyweight;
import java.nio.ByteOrder;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Causes travel as ABORT frames and arrive as they were, however extreme (L2). */
class CauseCodecTest {
    private static final int PAYLOAD = FrameHeaderFlyweight.HEADER_LENGTH;
    private static final int REPORTER = 3;

    private final FrameEncoder encoder = new FrameEncoder();
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[8 * 1_024]);

    @ParameterizedTest
    @EnumSource(CauseKind.class)
    void shouldArriveAsItWasWhateverItsKind(CauseKind kind) {
        assertThat(AbortKind.of(kind.code())).isNotNull();
        assertRoundTrip(extreme(kind).build());
    }

    @Test
    void shouldHaveACauseForEveryKindOnTheWire() {
        for (AbortKind kind : AbortKind.values()) {
            assertThat(CauseKind.fromCode(kind.number()).code()).isEqualTo(kind.number());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "ü", "€", "𝄞", "日本", "a\u0300"})
    void shouldCutTextsAtACharacterWhenTheyAreTooLong(String part) {
        Cause cause = extreme(CauseKind.WORKER_PANICKED)
                .seen(part.repeat(5_000))
                .subjectHost(part.repeat(500))
                .subjectAddress(part.repeat(500))
                .build();
        assertThat(cause.seen()).isSubstringOf(part.repeat(5_000)).doesNotContain("\uFFFD");
        assertRoundTrip(cause);
    }

    @Test
    void shouldSayOneLineWhenTheTextIsMadeOfControlCharactersAndHalvesOfPairs() {
        String text = "a\r\nb\tc\u0000d\u001B[31me\uD834f\uDD1Eg\u2028h\u202Ei";
        assertRoundTrip(extreme(CauseKind.THREAD_FAILED)
                .seen(text)
                .subjectHost(text)
                .subjectAddress(text)
                .build());
    }

    @Test
    void shouldTravelWithoutItsThrowable() {
        Cause silent = Cause.builder(CauseKind.WORKER_PANICKED)
                .subjectProcess(0)
                .observerProcess(0)
                .generation(1)
                .throwable(null)
                .build();
        assertThat(assertRoundTrip(silent).seen()).isEmpty();
        Cause loud = extreme(CauseKind.WORKER_PANICKED)
                .seen(null)
                .throwable(new IllegalStateException("Überlauf"))
                .build();
        Cause arrived = assertRoundTrip(loud);
        assertThat(arrived.throwable()).isNull();
        assertThat(arrived.seen()).isEqualTo("java.lang.IllegalStateException: Überlauf");
    }

    @Test
    void shouldBearNullTextsAndBadThrowables() {
        Cause cause = Cause.builder(CauseKind.PROCESS_EXITING)
                .subjectProcess(1)
                .observerProcess(2)
                .generation(1)
                .subjectHost(null)
                .subjectAddress(null)
                .throwable(new Unprintable())
                .build();
        assertThat(assertRoundTrip(cause).seen()).contains("Unprintable");
    }

    private static final class Unprintable extends RuntimeException {
        private static final long serialVersionUID = 1;

        @Override
        public String toString() {
            throw new IllegalStateException("no words");
        }
    }

    /** On the wire it may be 0, unknown; a cause always has one. */
    @Test
    void shouldNotChokeOnAnAbortWithoutGeneration() {
        CauseCodec.encode(encoder, buffer, 0, extreme(CauseKind.PEER_LOST).build());
        buffer.putLong(PAYLOAD + 16, 0, ByteOrder.LITTLE_ENDIAN);
        assertThat(decode().generation()).isEqualTo(1);
    }

    private static CauseBuilder extreme(CauseKind kind) {
        return Cause.builder(kind)
                .subjectProcess(Integer.MAX_VALUE)
                .subjectWorker(Integer.MAX_VALUE)
                .observerProcess(Integer.MAX_VALUE)
                .generation(Long.MAX_VALUE)
                .subjectPid(Long.MAX_VALUE)
                .subjectNonce(Long.MIN_VALUE)
                .observedAtEpochMs(Long.MIN_VALUE)
                .elapsedNs(Long.MAX_VALUE)
                .subjectHost("host")
                .subjectAddress("[fe80::1%eth0]:7000")
                .seen("seen");
    }

    private Cause assertRoundTrip(Cause cause) {
        CauseCodec.encode(encoder, buffer, 0, cause);
        Cause arrived = decode();
        assertThat(arrived.sameEvent(cause)).isTrue();
        assertThat(arrived.reporterProcess()).isEqualTo(REPORTER);
        assertThat(arrived)
                .usingRecursiveComparison()
                .ignoringFields("settled", "throwable", "reporterProcess")
                .isEqualTo(cause);
        return arrived;
    }

    private Cause decode() {
        encoder.seal(buffer, 0, 0);
        int length = new FrameDecoder().agreed(1_024, true).decode(buffer, 0, buffer.capacity());
        assertThat(length).as("a frame that a decoder lets pass").isPositive();
        int payloadLength = new FrameHeaderFlyweight().wrap(buffer, 0).payloadLength();
        return CauseCodec.decode(new AbortFlyweight().wrap(buffer, PAYLOAD, payloadLength), REPORTER);
    }
}
