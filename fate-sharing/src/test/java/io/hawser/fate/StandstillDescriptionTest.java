package io.hawser.fate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The line that the person on call reads. */
class StandstillDescriptionTest {
    private static final long S = 1_000_000_000L;

    private final Locale locale = Locale.getDefault();
    private final StandstillDetector detector = new StandstillDetector(100, 10 * S);

    @AfterEach
    void restoreLocale() {
        Locale.setDefault(locale);
    }

    @Test
    void shouldNameTheCircleInOrder() {
        detector.onWaiting(5, 0, 4, 0, 1, 0, 11 * S, 128, 0);
        detector.onWaiting(2, 0, 3, 5, 1, 0, 10 * S, 70_000, 0);
        detector.onWaiting(0, 0, 3, 2, 1, 0, 12_345_000_000L, 64, 0);
        detector.onWaiting(9, 0, 3, 2, 1, 0, S, 8, 0);
        detector.onWaiting(8, 0, 3, 9, 1, 0, S, 8, 0);

        assertThat(detector.tick(0).describe())
                .isEqualTo(
                        "standstill: workers wait for each other in a circle and none can go on, 0 -> 2 -> 5 -> 0:"
                                + " worker 0 has waited 12.345 s on channel 3 for 64 bytes of credit of worker 2;"
                                + " worker 2 has waited 10.000 s on channel 3 for 70000 bytes of credit of worker 5;"
                                + " worker 5 has waited 11.000 s on channel 4 for 128 bytes of credit of worker 0;"
                                + " worker 9 has waited 1.000 s on channel 3 for 8 bytes of credit of worker 2, which is part of the"
                                + " circle;"
                                + " worker 8 has waited 1.000 s on channel 3 for 8 bytes of credit of worker 9, which waits for worker"
                                + " 2, which is part of the circle;"
                                + " use refuse or spill on one of these channels, a larger channelWindow, or pull while waiting");
    }

    @Test
    void shouldSayThatACircleIsLikelyWhenABroadcastClosesIt() {
        detector.onWaiting(0, 0, 3, 4, 3, 0, 10 * S, 64, 0);
        detector.onWaiting(5, 0, 3, 0, 1, 0, 10 * S, 64, 0);

        assertThat(detector.tick(0).describe())
                .startsWith("standstill: workers wait for each other in a circle and it is likely that none can go on,"
                        + " 0 -> 5 -> 0: worker 0 has waited 10.000 s on channel 3 for 64 bytes of credit of workers 4 to"
                        + " 6, of which worker 5 waits, too; worker 5 has")
                .endsWith("; use refuse or spill on channel 3, a larger channelWindow, or pull while waiting");
    }

    @Test
    void shouldSayItselfWhenAWorkerWaitsForItself() {
        detector.onWaiting(7, 0, 3, 7, 1, 0, 10 * S, 64, 0);

        assertThat(detector.tick(0).describe())
                .startsWith("standstill: worker 7 waits for itself and cannot go on: worker 7 has waited 10.000 s");
    }

    @Test
    void shouldTellWhetherASlowConsumerMoves() {
        detector.onWaiting(0, 0, 3, 4, 1, 0, 10 * S, 64, 0);
        assertThat(detector.tick(0).describe())
                .startsWith(
                        "slow consumer: worker 4 does not wait itself, has told nothing of its progress and keeps one"
                                + " worker waiting: ");
        detector.onProgress(4, 1, 0);
        assertThat(detector.tick(100 * S).describe())
                .isEqualTo(
                        "slow consumer: worker 4 does not wait itself, has not moved since and keeps one worker waiting:"
                                + " worker 0 has waited 110.000 s on channel 3 for 64 bytes of credit of worker 4;"
                                + " look at what the slow worker does, or use refuse or spill on channel 3, a larger channelWindow,"
                                + " or pull while waiting");
        detector.onProgress(4, 2, 199 * S);
        assertThat(detector.tick(200 * S).describe())
                .startsWith("slow consumer: worker 4 does not wait itself, last moved 1.000 s ago and keeps one worker"
                        + " waiting: ");
    }

    @Test
    void shouldNameTheChainToItsRoot() {
        detector.onWaiting(9, 0, 3, 8, 1, 0, 10 * S, 64, 0);
        detector.onWaiting(8, 0, 2, 6, 2, 0, 10 * S, 64, 0);
        detector.onWaiting(7, 0, 2, 4, 1, 0, 10 * S, 64, 0);

        assertThat(detector.tick(0).describe())
                .contains(
                        " and keeps 3 workers waiting: worker 7 has waited 10.000 s on channel 2 for 64 bytes of credit"
                                + " of worker 4; worker 8 has waited 10.000 s on channel 2 for 64 bytes of credit of workers 6 to"
                                + " 7, of which worker 7 waits for worker 4; worker 9 has waited 10.000 s on channel 3 for 64 bytes"
                                + " of credit of worker 8, which waits for worker 7, which waits for worker 4; look");
    }

    @Test
    void shouldNameThoseFirstThatHaveNotMovedWhenABroadcastWaits() {
        detector.onWaiting(0, 0, 3, 0, 4, 0, 10 * S, 64, 10 * S);
        for (int worker = 0; worker < 4; worker++) {
            detector.onProgress(worker, 1, S);
            detector.onProgress(worker, worker == 2 ? 1 : 2, 9 * S);
        }

        assertThat(detector.tick(10 * S).describe())
                .startsWith(
                        "slow consumer: at least one of 3 workers that do not wait themselves, worker 2 has not moved"
                                + " since, worker 1 last moved 1.000 s ago, worker 3 last moved 1.000 s ago, keeps one worker"
                                + " waiting: worker 0 has waited 10.000 s on channel 3 for 64 bytes of credit of workers 0 to 3"
                                + " (itself among them); look at what");
    }

    @Test
    void shouldStayShortWhenManyWait() {
        for (int worker = 1; worker < 100; worker++) {
            detector.onWaiting(worker, 0, 3, worker % 2 == 0 ? 0 : worker - 1, 1, 0, 10 * S, 64, 0);
        }
        assertThat(detector.tick(0).describe()).hasSizeLessThan(1_500).contains("; (91 more); look");
        for (int worker = 0; worker < 100; worker++) {
            detector.onWaiting(worker, 0, 3, (worker + 1) % 100, 1, 1, 10 * S, 64, 0);
        }
        assertThat(detector.tick(0).describe()).hasSizeLessThan(1_500).contains("-> 7 -> (92 more) -> 0: ");
    }

    /** Some locales print other digits. */
    @Test
    void shouldReadTheSameWhenTheLocaleHasOtherDigits() {
        detector.onWaiting(0, 0, 3, 4, 1, 0, 12_345_000_000L, 70_000, 0);
        Standstill standstill = detector.tick(0);
        String expected = standstill.describe();

        for (String tag : new String[] {"ar-EG-u-nu-arab", "th-TH-u-ca-buddhist-nu-thai", "tr-TR", "hi-IN-u-nu-deva"}) {
            Locale.setDefault(Locale.forLanguageTag(tag));
            assertThat(standstill.describe()).as(tag).isEqualTo(expected).matches("\\p{ASCII}*");
        }
    }
}
