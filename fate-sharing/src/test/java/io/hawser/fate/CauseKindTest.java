package io.hawser.fate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class CauseKindTest {
    @Test
    void shouldKeepTheCodesOfTheAbortFrameWhenAnythingElseChanges() {
        assertThat(Arrays.stream(CauseKind.values()).map(kind -> kind.code() + " " + kind))
                .containsExactly(
                        "1 PEER_LOST",
                        "2 PEER_SILENT",
                        "3 PROTOCOL_VIOLATED",
                        "4 WORKER_PANICKED",
                        "5 PROCESS_EXITING",
                        "6 THREAD_FAILED",
                        "7 CLOSED_BY_USER",
                        "8 PROCESS_SUSPENDED",
                        "9 FORMATION_ABANDONED",
                        "10 WORKER_STALLED");
    }

    @Test
    void shouldFindEachKindWhenGivenItsCode() {
        for (CauseKind kind : CauseKind.values()) {
            assertThat(CauseKind.fromCode(kind.code())).isSameAs(kind);
        }
    }

    @Test
    void shouldRefuseTheCodeWhenNoKindHasIt() {
        for (int code : new int[] {Integer.MIN_VALUE, -1, 0, 11, Integer.MAX_VALUE}) {
            assertThat(CauseKind.isCode(code)).isFalse();
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> CauseKind.fromCode(code))
                    .withMessageEndingWith("code=" + code);
        }
    }

    @Test
    void shouldSayWhatHappenedAndWhatToDoWhenAsked() {
        for (CauseKind kind : CauseKind.values()) {
            assertThat(kind.phrase()).isNotBlank().doesNotEndWith(".");
            assertThat(kind.advice()).isNotBlank().doesNotEndWith(".");
        }
    }
}
