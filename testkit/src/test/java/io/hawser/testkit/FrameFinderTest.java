package io.hawser.testkit;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.framing.FrameType;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FrameFinderTest {
    /** With and without payload checks, lengths that need padding, no payload at all, longer than any piece that is fed. */
    private static final FrameStream STREAM = FrameStream.greeted()
            .ready()
            .data(8, true)
            .data(13, false)
            .lastData()
            .data(70_000, true)
            .ready()
            .data(1, true);

    private final List<FrameType> found = new ArrayList<>();
    private final FrameFinder finder = new FrameFinder(found::add);

    @Test
    void shouldFindAllFramesWhateverTheSplit() {
        final long seed = Long.getLong("hawser.seed", new Random().nextLong());
        System.out.println("FrameFinderTest hawser.seed=" + seed);
        final Random random = new Random(seed);
        final byte[] bytes = STREAM.bytes();
        for (int run = 0; run < 200; run++) {
            final List<FrameType> seen = new ArrayList<>();
            final FrameFinder fed = new FrameFinder(seen::add);
            final int longest = 1 << random.nextInt(17);
            for (int position = 0; position < bytes.length; ) {
                final int length = Math.min(1 + random.nextInt(longest), bytes.length - position);
                fed.passed(bytes, position, length);
                position += length;
            }
            assertThat(seen).as("run %d", run).isEqualTo(STREAM.types());
        }
    }

    @Test
    void shouldLeadToFrameByIndex() {
        for (int index = 0; index < STREAM.types().size(); index++) {
            assertThat(stopOf(null, index)).as("index=%d", index).isEqualTo(STREAM.start(index));
        }
    }

    @Test
    void shouldLeadToFrameByTypeAndIndex() {
        assertThat(stopOf(FrameType.HELLO, 0)).isZero();
        assertThat(stopOf(FrameType.READY, 1)).isEqualTo(STREAM.start(6));
        assertThat(stopOf(FrameType.DATA, 0)).isEqualTo(STREAM.start(2));
        assertThat(stopOf(FrameType.DATA, 4)).isEqualTo(STREAM.start(7));
        assertThat(stopOf(FrameType.DATA, 5)).isEqualTo(STREAM.bytes().length);
        assertThat(stopOf(FrameType.ABORT, 0)).isEqualTo(STREAM.bytes().length);
    }

    @Test
    void shouldWaitForWholeHeaderWhenTypeIsAsked() {
        final byte[] bytes = STREAM.bytes();
        assertThat(finder.lengthBefore(FrameType.HELLO, 0, bytes, 0, 47)).isEqualTo(FrameFinder.UNDECIDED);
        assertThat(finder.lengthBefore(FrameType.HELLO, 0, bytes, 0, 48)).isZero();
        assertThat(finder.lengthBefore(null, 1, bytes, 0, 47)).isEqualTo(47);
    }

    @Test
    void shouldNotTakeFramesForSoughtThatHaveBegunToPass() {
        final byte[] bytes = STREAM.bytes();
        finder.passed(bytes, 0, 10);
        assertThat(finder.lengthBefore(FrameType.HELLO, 0, bytes, 10, 100)).isEqualTo(38);
        finder.passed(bytes, 10, 38);
        assertThat(finder.lengthBefore(null, 0, bytes, 48, bytes.length - 48)).isEqualTo(STREAM.start(1) - 48);
        finder.passed(bytes, 48, STREAM.start(1) - 48);
        assertThat(finder.lengthBefore(null, 0, bytes, STREAM.start(1), 100)).isZero();
    }

    @Test
    void shouldGiveUpForGoodWhenHeaderIsNotOne() {
        final byte[] bytes = STREAM.bytes();
        bytes[STREAM.start(2) + 20] ^= 1;
        finder.passed(bytes, 0, bytes.length);
        assertThat(found).containsExactly(FrameType.HELLO, FrameType.READY);
        assertThat(finder.lengthBefore(null, 0, bytes, 0, 1_000)).isEqualTo(1_000);
    }

    @Test
    void shouldBelieveNothingOfStreamThatDoesNotGreet() {
        final byte[] bytes = STREAM.bytes();
        finder.passed(bytes, STREAM.start(1), bytes.length - STREAM.start(1));
        assertThat(found).isEmpty();
        assertThat(new FrameFinder(found::add).lengthBefore(FrameType.DATA, 0, "GET / HTTP".getBytes(US_ASCII), 0, 10))
                .isEqualTo(10);
    }

    /** Passes what may, as a pipe does; where that ends. */
    private static int stopOf(final FrameType type, final long index) {
        final byte[] bytes = STREAM.bytes();
        final FrameFinder finder = new FrameFinder(any -> {});
        int position = 0;
        while (position < bytes.length) {
            final int length = finder.lengthBefore(type, index, bytes, position, bytes.length - position);
            if (length <= 0) {
                break;
            }
            finder.passed(bytes, position, length);
            position += length;
        }
        return position;
    }
}
