package io.hawser.framing;

import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/**
 * Whatever the bytes, decoding gives a verdict: it never throws, never reads outside, and what it lets pass can be
 * read.
 */
class FuzzTest {

    private static final int RUNS = 30_000;

    private final List<byte[]> frames =
            GoldenVectors.all().stream().map(GoldenVector::encode).toList();
    private final PayloadRules payloads = new PayloadRules();

    @Test
    void shouldNeverThrowWhenBytesAreGarbage() {
        final Random random = Seed.random("FuzzTest garbage");
        for (int run = 0; run < RUNS; run++) {
            final byte[] bytes = new byte[random.nextInt(200)];
            random.nextBytes(bytes);
            judge(new FrameDecoder(), new UnsafeBuffer(bytes));
            judge(new FrameDecoder().agreed(Frames.FRAME_LIMIT, random.nextBoolean()), new UnsafeBuffer(bytes));
        }
    }

    /** Frames bent in a few bytes, then sealed again, so that they get past the checks. */
    @Test
    void shouldNeverThrowWhenSealedFramesAreBent() {
        final Random random = Seed.random("FuzzTest bent");
        final FrameDecoder checked =
                new FrameDecoder().agreed(Frames.FRAME_LIMIT, true).recordWalk(true);
        int passed = 0;
        for (int run = 0; run < RUNS; run++) {
            final UnsafeBuffer frame =
                    new UnsafeBuffer(frames.get(random.nextInt(frames.size())).clone());
            for (int i = random.nextInt(4); i >= 0; i--) {
                bend(random, frame);
            }
            passed += judge(checked, Frames.reseal(frame)) > 0 ? 1 : 0;
        }
        assertThat(passed).isGreaterThan(RUNS / 10);
    }

    @Test
    void shouldNeverThrowWhenAStreamTurnsBad() {
        final Random random = Seed.random("FuzzTest stream");
        final byte[] stream = Frames.concat(frames);
        for (int run = 0; run < 2_000; run++) {
            final byte[] bent = stream.clone();
            final int flipped = random.nextInt(bent.length);
            bent[flipped] ^= (byte) (1 << random.nextInt(8));
            final StreamDecoder decoder = new StreamDecoder(new FrameDecoder().agreed(Frames.FRAME_LIMIT, true));
            final long[] delivered = new long[1];
            for (int position = 0; position < bent.length; ) {
                final int length = Math.min(1 + random.nextInt(300), bent.length - position);
                decoder.feed(
                        new UnsafeBuffer(bent),
                        position,
                        length,
                        (header, buffer, offset, payloadLength) ->
                                delivered[0] = decoder.frameOffset() + header.alignedLength());
                position += length;
            }
            assertThat(decoder.fault()).isNotEqualTo(FrameFault.NONE);
            assertThat(delivered[0]).isLessThanOrEqualTo(flipped);
        }
    }

    @Test
    void shouldNeverThrowWhenStrangersAreClassified() {
        final Random random = Seed.random("FuzzTest strangers");
        for (int run = 0; run < RUNS; run++) {
            final byte[] bytes = new byte[random.nextInt(20)];
            random.nextBytes(bytes);
            final UnsafeBuffer buffer = new UnsafeBuffer(bytes);
            assertThat(Stranger.of(buffer, 0, bytes.length)).isNotNull();
            assertThat(Excerpt.of(buffer, 0, bytes.length)).isNotNull();
        }
    }

    private int judge(final FrameDecoder decoder, final UnsafeBuffer bytes) {
        final int result = decoder.decode(bytes, 0, bytes.capacity());
        if (result > 0) {
            readAll(bytes);
        } else {
            final String text = decoder.describe(FrameFault.of(result), bytes, 0, bytes.capacity());
            assertThat(text.isEmpty() || text.chars().anyMatch(c -> c < ' ' || c > '~'))
                    .isFalse();
        }
        return result;
    }

    private void readAll(final DirectBuffer frame) {
        final FrameHeaderFlyweight header = new FrameHeaderFlyweight().wrap(frame, 0);
        if (header.type() != FrameType.DATA) {
            final PayloadFlyweight payload = payloads.wrap(header.type(), frame, 48, header.payloadLength());
            assertThat(payload.toString()).isNotEmpty();
            assertThat(texts(payload)).isNotNull();
        }
    }

    private static String texts(final PayloadFlyweight payload) {
        if (payload instanceof HelloFlyweight hello) {
            return hello.clusterId() + hello.hostName() + hello.address();
        } else if (payload instanceof AbortFlyweight abort) {
            return abort.kind().name() + abort.hostName() + abort.address() + abort.seen();
        } else if (payload instanceof RefuseFlyweight refuse) {
            return refuse.reason().name() + refuse.text();
        } else if (payload instanceof RejectFlyweight reject) {
            return reject.policy().name() + reject.text();
        } else if (payload instanceof CancelFlyweight cancel) {
            return cancel.origin().name() + cancel.text();
        } else if (payload instanceof WaitFlyweight wait) {
            return wait.state().name();
        } else if (payload instanceof HeartbeatFlyweight heartbeat && heartbeat.workerCount() > 0) {
            return "" + heartbeat.progress(heartbeat.workerCount() - 1);
        }
        return "";
    }

    private static void bend(final Random random, final UnsafeBuffer frame) {
        final int index = random.nextInt(frame.capacity());
        switch (random.nextInt(4)) {
            case 0 -> frame.putByte(index, (byte) random.nextInt());
            case 1 -> frame.putByte(index, (byte) (frame.getByte(index) ^ 1 << random.nextInt(8)));
            case 2 -> frame.putInt(index & ~3, random.nextInt(64) - 32, LITTLE_ENDIAN);
            default -> frame.putByte(index, (byte) (frame.getByte(index) + 1));
        }
    }
}
