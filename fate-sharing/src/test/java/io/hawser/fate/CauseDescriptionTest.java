package io.hawser.fate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The line that the person on call reads (law L2). */
class CauseDescriptionTest {
    private final Locale locale = Locale.getDefault();

    @AfterEach
    void restoreLocale() {
        Locale.setDefault(locale);
    }

    @Test
    void shouldSayWhoWhatWhenAndWhatToDoWhenAllIsKnown() {
        Cause cause = CauseFixture.lost()
                .subjectWorker(5)
                .subjectPid(4711)
                .subjectHost("host-b")
                .subjectAddress("10.0.0.2:7000")
                .seen("end of stream without hang-up")
                .build()
                .reportedBy(1);

        assertThat(cause.describe())
                .isEqualTo("worker 5 of process 2 (at 10.0.0.2:7000, pid 4711@host-b) was lost: end of stream without"
                        + " hang-up; seen by process 0 at 2025-11-29T19:43:00.123Z in generation 3, reported by process 1;"
                        + " all workers of generation 3 stop; look at its exit status and log; if both say nothing, ask the"
                        + " kernel log whether it was killed for memory");
    }

    @Test
    void shouldLeaveOutWhatIsUnknownWhenLittleIsKnown() {
        assertThat(CauseFixture.lost().build().describe())
                .startsWith("process 2 was lost; seen by process 0 at 2025-11-29T19:43:00.123Z in generation 3; all");
        assertThat(CauseFixture.lost().subjectHost("host-b").build().describe())
                .startsWith("process 2 (on host-b) was lost");
        assertThat(CauseFixture.lost().subjectPid(7).build().describe()).startsWith("process 2 (pid 7) was lost");
    }

    /** An index means nothing there. */
    @Test
    void shouldNameTheEndsOfALinkOfItsOwn() {
        CauseBuilder lost = CauseFixture.lost().subjectPid(7).subjectAddress("tm@2@10.0.0.2:7000");
        assertThat(lost.build().reportedBy(1).describe("the link ends"))
                .startsWith("tm@2 (at 10.0.0.2:7000, pid 7) was lost; seen by the other end of the link at"
                        + " 2025-11-29T19:43:00.123Z; the link ends; look");
        assertThat(lost.observerProcess(2).build().describe("the link ends")).contains("; seen by itself at ");
    }

    @Test
    void shouldSayItselfWhenAProcessTellsOfItself() {
        assertThat(CauseFixture.lost().observerProcess(2).build().describe()).contains("; seen by itself at ");
    }

    @Test
    void shouldGiveTheMeasuredSpanWhenThereIsOne() {
        Cause cause = Cause.builder(CauseKind.PROCESS_SUSPENDED)
                .subjectProcess(1)
                .observerProcess(1)
                .generation(1)
                .elapsedNs(3_050_900_000L)
                .build();

        assertThat(cause.describe()).startsWith("process 1 was suspended for 3.050 s; seen by itself");
    }

    /** Case 83: the text names the setting, its value, the measured silence and the longest local pause. */
    @Test
    void shouldPointToTheSettingWhenAPeerWasSilent() {
        SilenceDetector detector = new SilenceDetector(2_000_000_000L, 0);
        Cause cause = Cause.builder(CauseKind.PEER_SILENT)
                .subjectProcess(1)
                .observerProcess(0)
                .generation(1)
                .elapsedNs(detector.silenceNs(2_010_000_000L))
                .seen(detector.describe(2_010_000_000L, 12_500_000L))
                .build();

        assertThat(cause.describe())
                .contains("fell silent for 2.010 s: ")
                .contains("silenceTimeout is 2.000 s")
                .contains("the longest pause of the observer itself was 12.500 ms")
                .contains("raise silenceTimeout if pauses of this length are normal");
    }

    /** Some locales print other digits. */
    @Test
    void shouldReadTheSameWhenTheLocaleHasOtherDigits() {
        Cause cause =
                CauseFixture.lost().elapsedNs(1_234_567_890L).subjectPid(42).build();
        String expected = cause.describe();

        for (String tag : new String[] {"ar-EG-u-nu-arab", "th-TH-u-ca-buddhist-nu-thai", "tr-TR", "hi-IN-u-nu-deva"}) {
            Locale.setDefault(Locale.forLanguageTag(tag));
            assertThat(cause.describe()).as(tag).isEqualTo(expected).matches("\\p{ASCII}*");
        }
    }

    /** Law L11: what a peer sends must not forge a second log line. */
    @Test
    void shouldStayOneLineWhenForeignTextHasLineBreaks() {
        Cause cause = CauseFixture.lost()
                .seen("a\nWARN forged\u2028b\u001b[31m")
                .subjectHost("h\r\nx")
                .subjectAddress("a\u0000b")
                .build();

        assertThat(cause.describe()).doesNotContain("\n", "\r", "\u2028", "\u001b", "\u0000");
        assertThat(cause.seen()).isEqualTo("a WARN forged b?[31m");
        assertThat(cause.subjectHost()).isEqualTo("h  x");
        assertThat(cause.subjectAddress()).isEqualTo("a?b");
    }

    @Test
    void shouldNameWhatWasThrownOnceWhenThereIsAThrowable() {
        IllegalStateException thrown = new IllegalStateException("boom");

        Cause silent = CauseFixture.lost().throwable(thrown).build();
        Cause told = CauseFixture.lost().seen("in send-to-2").throwable(thrown).build();

        assertThat(silent.seen()).isEqualTo("java.lang.IllegalStateException: boom");
        assertThat(silent.describe()).containsOnlyOnce("boom");
        assertThat(told.describe()).contains("in send-to-2 (java.lang.IllegalStateException: boom); seen by");
    }

    /** Case 68: panic while panicking. */
    @Test
    void shouldStillDescribeWhenTheThrowableCannotDescribeItself() {
        Throwable broken = new RuntimeException() {
            private static final long serialVersionUID = 1L;

            @Override
            public String getMessage() {
                throw new IllegalStateException("secondary");
            }
        };

        assertThat(CauseFixture.lost().throwable(broken).build().describe())
                .contains(broken.getClass().getName())
                .doesNotContain("secondary");
    }

    @Test
    void shouldSayWhatItLedToWhenThatIsNotTheEndOfTheCluster() {
        assertThat(CauseFixture.number(0).describe("scope query-7 stops"))
                .contains("; scope query-7 stops; ")
                .doesNotContain("all workers");
    }

    @Test
    void shouldSurviveAnyTimeWhenAPeersClockIsWrong() {
        assertThat(CauseFixture.lost().observedAtEpochMs(Long.MIN_VALUE).build().describe())
                .contains(" at -");
        assertThat(CauseFixture.lost().observedAtEpochMs(Long.MAX_VALUE).build().describe())
                .contains(" at +");
    }
}
