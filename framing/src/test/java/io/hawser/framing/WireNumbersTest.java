package io.hawser.framing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The numbers of the closed sets: pinned, unique, found again, and everything else refused. */
class WireNumbersTest {

    @Test
    void shouldKeepTheNumbersOfFrameTypes() {
        assertThat(Arrays.stream(FrameType.values()).map(t -> t + "=" + t.number()))
                .containsExactly(
                        "HELLO=1",
                        "READY=2",
                        "DATA=3",
                        "HEARTBEAT=4",
                        "CREDIT=5",
                        "HANGUP=6",
                        "ABORT=7",
                        "REFUSE=8",
                        "START=9",
                        "ACCEPT=10",
                        "REJECT=11",
                        "GO=12",
                        "CANCEL=13",
                        "CANCELLED=14",
                        "NOTICE=15",
                        "WAIT=16",
                        "FATE=17");
    }

    @Test
    void shouldKeepTheNumbersOfTheOtherSets() {
        assertThat(Arrays.stream(RefuseReason.values()).map(r -> r + "=" + r.number()))
                .containsExactly(
                        "VERSION=1",
                        "CLUSTER=2",
                        "SHAPE=3",
                        "SETTINGS=4",
                        "INDEX=5",
                        "DUPLICATE=6",
                        "STALE_GENERATION=7",
                        "BUSY=8",
                        "MALFORMED=9",
                        "UNAUTHENTICATED=10",
                        "OVERLOADED=11");
        assertThat(Arrays.stream(AbortKind.values()).map(k -> k + "=" + k.number()))
                .containsExactly(
                        "PEER_LOST=1",
                        "PEER_SILENT=2",
                        "PROTOCOL_VIOLATED=3",
                        "WORKER_PANICKED=4",
                        "PROCESS_EXITING=5",
                        "TRANSPORT_THREAD_FAILED=6",
                        "CLOSED_BY_USER=7",
                        "PROCESS_SUSPENDED=8",
                        "FORMATION_ABANDONED=9",
                        "WORKER_STALLED=10");
        assertThat(Arrays.stream(RejectPolicy.values()).map(p -> p + "=" + p.number()))
                .containsExactly("NEVER=1", "LATER_HERE=2", "ELSEWHERE=3");
        assertThat(Arrays.stream(CancelOrigin.values()).map(o -> o + "=" + o.number()))
                .containsExactly("USER=1", "RECEIVER_GONE=2", "RELEASE=3");
        assertThat(Arrays.stream(CancelAnswer.values()).map(a -> a + "=" + a.number()))
                .containsExactly("CANCELLED=1", "ALREADY_DONE=2", "UNKNOWN=3");
        assertThat(Arrays.stream(WaitState.values()).map(s -> s + "=" + s.number()))
                .containsExactly("WAITING=1", "OVER=2", "STALLED=3");
        assertThat(Arrays.stream(FateWord.values()).map(w -> w + "=" + w.number()))
                .containsExactly("COMPLETED=1", "CANCELLED=2", "FAILED=3");
    }

    @Test
    void shouldKeepTheBitsOfTheFlags() {
        assertThat(new int[] {
                    FrameFlags.BEGIN,
                    FrameFlags.END,
                    FrameFlags.CHECKED,
                    FrameFlags.CONFIRM,
                    FrameFlags.REPLY,
                    FrameFlags.LAST
                })
                .containsExactly(1, 2, 4, 8, 16, 32);
        for (final FrameType type : FrameType.values()) {
            assertThat(FrameFlags.isLast(type.allowedFlags())).isEqualTo(type == FrameType.DATA);
            assertThat(type.minLength(FrameFlags.LAST))
                    .isEqualTo(type == FrameType.DATA ? FrameHeaderFlyweight.HEADER_LENGTH : type.minLength());
            assertThat(type.minLength(0)).isEqualTo(type.minLength());
        }
    }

    @Test
    void shouldFindExactlyTheirConstantWhenAskedByNumber() {
        for (int number = -2; number < 300; number++) {
            final int n = number;
            assertThat(FrameType.of(n)).isEqualTo(byNumber(FrameType.values(), n));
            assertThat(RefuseReason.of(n)).isEqualTo(byNumber(RefuseReason.values(), n));
            assertThat(AbortKind.of(n)).isEqualTo(byNumber(AbortKind.values(), n));
            assertThat(RejectPolicy.of(n)).isEqualTo(byNumber(RejectPolicy.values(), n));
            assertThat(CancelOrigin.of(n)).isEqualTo(byNumber(CancelOrigin.values(), n));
            assertThat(CancelAnswer.of(n)).isEqualTo(byNumber(CancelAnswer.values(), n));
            assertThat(WaitState.of(n)).isEqualTo(byNumber(WaitState.values(), n));
            assertThat(FateWord.of(n)).isEqualTo(byNumber(FateWord.values(), n));
        }
        assertThat(FrameType.of(Integer.MIN_VALUE)).isNull();
        assertThat(FrameType.of(Integer.MAX_VALUE)).isNull();
    }

    @Test
    void shouldFindEveryFaultByItsCode() {
        for (final FrameFault fault : FrameFault.values()) {
            assertThat(FrameFault.of(fault.code())).isEqualTo(fault);
            assertThat(fault.code()).isEqualTo(-fault.ordinal());
        }
        assertThat(FrameFault.of(64)).isEqualTo(FrameFault.NONE);
        assertThatThrownBy(() -> FrameFault.of(-99)).hasMessageEndingWith("code=-99");
        assertThatThrownBy(() -> FrameFault.of(Integer.MIN_VALUE)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldGiveUpExactlyWhereTheProtocolSaysSo() {
        assertThat(Arrays.stream(RefuseReason.values()).filter(RefuseReason::isRetryable))
                .containsExactly(
                        RefuseReason.INDEX, RefuseReason.STALE_GENERATION, RefuseReason.BUSY, RefuseReason.OVERLOADED);
        for (final RefuseReason reason : RefuseReason.values()) {
            assertThat(reason.isFinal()).isNotEqualTo(reason.isRetryable());
        }
    }

    @Test
    void shouldHaveRoomForTheLongestPayloadOfEveryType() {
        assertThat(HelloFlyweight.MAX_LENGTH).isLessThanOrEqualTo(payloadLimit(FrameType.HELLO));
        assertThat(HeartbeatFlyweight.MAX_LENGTH).isEqualTo(payloadLimit(FrameType.HEARTBEAT));
        assertThat(AbortFlyweight.MAX_LENGTH).isLessThanOrEqualTo(payloadLimit(FrameType.ABORT));
        assertThat(RefuseFlyweight.MAX_LENGTH).isLessThanOrEqualTo(payloadLimit(FrameType.REFUSE));
        assertThat(RejectFlyweight.MAX_LENGTH).isLessThanOrEqualTo(payloadLimit(FrameType.REJECT));
        assertThat(WaitFlyweight.MAX_LENGTH).isEqualTo(payloadLimit(FrameType.WAIT));
        assertThat(FateFlyweight.MAX_LENGTH).isLessThanOrEqualTo(payloadLimit(FrameType.FATE));
        assertThat(CancelFlyweight.MAX_LENGTH).isLessThanOrEqualTo(payloadLimit(FrameType.CANCEL));
        for (final FrameType type : FrameType.values()) {
            assertThat(type.minLength()).isLessThanOrEqualTo(type.maxLength(FrameType.FRAME_LIMIT_MIN));
        }
        assertThat(FrameType.DATA.maxLength(4_711)).isEqualTo(4_711);
        assertThat(FrameType.GO.maxLength(4_711)).isEqualTo(4_711);
    }

    private static int payloadLimit(final FrameType type) {
        return type.maxLength(FrameType.FRAME_LIMIT_MIN) - FrameHeaderFlyweight.HEADER_LENGTH;
    }

    private static <E extends Enum<E>> E byNumber(final E[] constants, final int number) {
        return IntStream.range(0, constants.length)
                .filter(i -> i + 1 == number)
                .mapToObj(i -> constants[i])
                .findFirst()
                .orElse(null);
    }
}
