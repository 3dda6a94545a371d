package io.hawser.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.framing.FrameDecoder;
import io.hawser.framing.FrameEncoder;
import io.hawser.framing.FrameFault;
import io.hawser.framing.FrameHeaderFlyweight;
import io.hawser.framing.RecordIterator;
import io.hawser.framing.StreamDecoder;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** A send thread and the peer behind it, without a socket: seals, decodes the stream as a peer would, shows each message. */
final class RingConsumer implements FrameSealer {
    /** What a peer sees of a message. */
    @FunctionalInterface
    interface MessageHandler {
        void onMessage(FrameHeaderFlyweight header, DirectBuffer buffer, int offset, int length);
    }

    private final SendRingDrain drain;
    private final MessageHandler handler;
    private final FrameEncoder encoder = new FrameEncoder();
    private final StreamDecoder decoder;
    private final RecordIterator records = new RecordIterator();
    private final UnsafeBuffer stretch = new UnsafeBuffer(0, 0);

    private long sealedFrames;
    private long sealedBytes;
    private long decodedFrames;
    private long decodedBytes;

    RingConsumer(
            final SendRingDrain drain, final int frameLimit, final boolean isChecked, final MessageHandler handler) {
        this.drain = drain;
        this.handler = handler;
        this.decoder = new StreamDecoder(new FrameDecoder().agreed(frameLimit, isChecked));
    }

    @Override
    public void seal(
            final MutableDirectBuffer buffer, final int offset, final int frameLength, final int payloadCheck) {
        encoder.seal(buffer, offset, sealedFrames++, payloadCheck);
        sealedBytes += frameLength;
    }

    /** Seals a stretch and takes all of it. */
    int poll(final int maxBytes) {
        final int length = seal(maxBytes);
        if (length > 0) {
            take(length);
        }
        return length;
    }

    int pollAll() {
        int total = 0;
        int length;
        while ((length = poll(Integer.MAX_VALUE)) > 0) {
            total += length;
        }
        return total;
    }

    int seal(final int maxBytes) {
        return drain.sealPublished(this, maxBytes);
    }

    /** Takes the first bytes of the stretch sealed last. */
    void take(final int length) {
        stretch.wrap(drain.stretch(), drain.stretch().position(), length);
        final FrameFault fault = decoder.feed(stretch, 0, length, this::onFrame);
        assertThat(fault).as(decoder.faultText()).isEqualTo(FrameFault.NONE);
        drain.consumed(length);
    }

    long sealedFrames() {
        return sealedFrames;
    }

    /** Everything sealed has been decoded, and the totals that HANGUP would tell are what a peer counts. */
    void assertWhole() {
        assertThat(decoder.partialLength()).isZero();
        assertThat(decodedFrames).isEqualTo(sealedFrames);
        assertThat(decodedBytes).isEqualTo(sealedBytes);
    }

    private void onFrame(
            final FrameHeaderFlyweight header, final DirectBuffer buffer, final int offset, final int length) {
        if (header.sequence() != decodedFrames) {
            throw new AssertionError("sequence=" + header.sequence() + " expected=" + decodedFrames);
        }
        decodedFrames++;
        decodedBytes += header.frameLength();
        records.wrap(buffer, offset, length);
        while (records.next()) {
            handler.onMessage(header, buffer, records.messageOffset(), records.messageLength());
        }
        if (records.fault() != FrameFault.NONE) {
            throw new AssertionError(records.fault().text());
        }
    }
}
