package io.hawser.framing;

import static io.hawser.framing.Frames.concat;
import static io.hawser.framing.Frames.golden;
import static io.hawser.framing.Frames.record;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Case 41: whatever the split, the same is delivered. Case G3: frames that end exactly where a read ends. */
class StreamDecoderTest {

    /** A HELLO and messages of 0, 1 and 65,537 bytes. */
    private static final byte[] STREAM = concat(List.of(
            GoldenVectors.named("HELLO").encode(),
            record(1, new byte[0]),
            record(2, new byte[] {42}),
            record(3, pattern(65_537))));

    private final Recorder whole = new Recorder();

    StreamDecoderTest() {
        whole.feed(new UnsafeBuffer(STREAM), 0, STREAM.length);
    }

    @Test
    void shouldDeliverAllFramesWhenTheyComeInOnePiece() {
        assertThat(whole.frames).hasSize(4);
        assertThat(whole.frames.get(0)).startsWith("HELLO sequence=0 offset=0 length=166");
        assertThat(whole.frames.get(1)).startsWith("DATA sequence=1 offset=216 length=4");
        assertThat(whole.frames.get(3)).startsWith("DATA sequence=3 offset=328 length=65544");
        assertThat(whole.inPlaceCount).isEqualTo(4);
        assertThat(whole.stream.frameOffset()).isEqualTo(STREAM.length);
        assertThat(whole.stream.partialLength()).isZero();
    }

    @Test
    void shouldDeliverTheSameWhenFedByteByByte() {
        final Recorder recorder = new Recorder();
        for (int i = 0; i < STREAM.length; i++) {
            recorder.feed(new UnsafeBuffer(STREAM), i, 1);
        }
        assertThat(recorder.frames).isEqualTo(whole.frames);
        assertThat(recorder.inPlaceCount).isZero();
    }

    @Test
    void shouldDeliverTheSameWhenSplitInTwoAnywhere() {
        for (int split = 0; split <= STREAM.length; split = nextSplit(split)) {
            final Recorder recorder = new Recorder();
            recorder.feed(new UnsafeBuffer(STREAM), 0, split);
            recorder.feed(new UnsafeBuffer(STREAM), split, STREAM.length - split);
            assertThat(recorder.frames).as("split %d", split).isEqualTo(whole.frames);
            assertThat(recorder.inPlaceCount).isGreaterThanOrEqualTo(3);
        }
    }

    @Test
    void shouldDeliverTheSameWhenSplitAtRandom() {
        final Random random = Seed.random("StreamDecoderTest");
        for (int run = 0; run < 200; run++) {
            final Recorder recorder = new Recorder();
            final int longest = 1 << random.nextInt(17);
            for (int position = 0; position < STREAM.length; ) {
                final int length = Math.min(random.nextInt(longest + 1), STREAM.length - position);
                // a fresh buffer each time: nothing may be kept of one that was fed
                final byte[] chunk = Arrays.copyOfRange(STREAM, position, position + length);
                recorder.feed(new UnsafeBuffer(chunk), 0, length);
                Arrays.fill(chunk, (byte) 0xEE);
                position += length;
            }
            assertThat(recorder.frames).as("run %d", run).isEqualTo(whole.frames);
        }
    }

    @Test
    void shouldDeliverInPlaceWhenReadsEndAtFrameBoundaries() {
        final Recorder recorder = new Recorder();
        final int[] boundaries = {0, 216, 272, 328, STREAM.length};
        for (int i = 1; i < boundaries.length; i++) {
            recorder.feed(new UnsafeBuffer(STREAM), boundaries[i - 1], boundaries[i] - boundaries[i - 1]);
            assertThat(recorder.frames).hasSize(i);
            assertThat(recorder.stream.partialLength()).isZero();
        }
        assertThat(recorder.frames).isEqualTo(whole.frames);
        assertThat(recorder.inPlaceCount).isEqualTo(4);
    }

    @Test
    void shouldDeliverEveryTypeWhenSplitAnywhere() {
        final List<byte[]> frames = GoldenVectors.all().stream()
                .filter(GoldenVector::isChecked)
                .map(GoldenVector::encode)
                .toList();
        final byte[] stream = concat(frames);
        for (int split = 0; split <= stream.length; split++) {
            final Recorder recorder = new Recorder();
            recorder.feed(new UnsafeBuffer(stream), 0, split);
            recorder.feed(new UnsafeBuffer(stream), split, stream.length - split);
            assertThat(recorder.frames).hasSize(frames.size());
        }
    }

    @Test
    void shouldDeliverNothingMoreWhenAFrameWasBad() {
        final byte[] stream = STREAM.clone();
        stream[216 + 48] ^= 1;
        for (int split = 0; split <= 400; split++) {
            final Recorder recorder = new Recorder();
            recorder.feed(new UnsafeBuffer(stream), 0, split);
            recorder.feed(new UnsafeBuffer(stream), split, stream.length - split);
            assertThat(recorder.frames).hasSize(1);
            assertThat(recorder.stream.fault()).isEqualTo(FrameFault.BAD_PAYLOAD_CHECK);
            assertThat(recorder.stream.faultText())
                    .startsWith("bad payload check in DATA frameLength=52")
                    .endsWith(" at stream offset 216");
            assertThat(recorder.feed(golden("READY"), 0, 64)).isEqualTo(FrameFault.BAD_PAYLOAD_CHECK);
            assertThat(recorder.frames).hasSize(1);
        }
    }

    @Test
    void shouldTellTheBytesKeptWhenTheStreamEndsInsideAFrame() {
        final Recorder recorder = new Recorder();
        recorder.feed(new UnsafeBuffer(STREAM), 0, 224);
        assertThat(recorder.stream.partialLength()).isEqualTo(8);
        assertThat(recorder.stream.frameOffset()).isEqualTo(216);
        assertThat(recorder.stream.fault()).isEqualTo(FrameFault.NONE);
        assertThat(recorder.stream.faultText()).isEqualTo("no fault");
    }

    /** Every position, but deep inside the big message, where one is like another, only some. */
    private static int nextSplit(final int split) {
        return split + (split > 1_000 && split < STREAM.length - 1_000 ? 17 : 1);
    }

    private static byte[] pattern(final int length) {
        final byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }

    /**
     * Feeds a stream and writes down what comes out; the check, which the decoder verified, stands for the content.
     * Leaves greeting mode on the first HELLO.
     */
    private static final class Recorder implements FrameHandler {
        final List<String> frames = new ArrayList<>();
        final FrameDecoder decoder = new FrameDecoder().recordWalk(true);
        final StreamDecoder stream = new StreamDecoder(decoder);
        int inPlaceCount;
        private DirectBuffer fed;

        FrameFault feed(final UnsafeBuffer chunk, final int offset, final int length) {
            fed = chunk;
            return stream.feed(chunk, offset, length, this);
        }

        @Override
        public void onFrame(
                final FrameHeaderFlyweight header,
                final DirectBuffer buffer,
                final int payloadOffset,
                final int payloadLength) {
            inPlaceCount += buffer == fed ? 1 : 0;
            frames.add(header.type() + " sequence=" + header.sequence() + " offset=" + stream.frameOffset() + " length="
                    + payloadLength + " check=" + header.payloadCheck());
            decoder.agreed(Frames.FRAME_LIMIT, true);
        }
    }
}
