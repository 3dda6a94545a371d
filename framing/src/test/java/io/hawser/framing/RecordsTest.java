package io.hawser.framing;

import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Records in a payload: written in place, walked, and refused where they do not fill it. */
class RecordsTest {

    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[4_096]);
    private final RecordIterator iterator = new RecordIterator();

    /** Case G1: a message of length 0 is a message. */
    @Test
    void shouldShowEmptyMessages() {
        int end = 8;
        for (int i = 0; i < 3; i++) {
            end = RecordDescriptor.put(buffer, end, buffer, 0, 0);
        }
        assertThat(end).isEqualTo(8 + 3 * 4);
        assertThat(RecordDescriptor.validate(buffer, 8, 12)).isEqualTo(FrameFault.NONE);
        iterator.wrap(buffer, 8, 12);
        for (int i = 0; i < 3; i++) {
            assertThat(iterator.next()).isTrue();
            assertThat(iterator.messageLength()).isZero();
            assertThat(iterator.messageOffset()).isEqualTo(12 + 4 * i);
        }
        assertThat(iterator.next()).isFalse();
        assertThat(iterator.fault()).isEqualTo(FrameFault.NONE);
    }

    @Test
    void shouldShowWhatWasPutWhenLengthsAreRandom() {
        final Random random = Seed.random("RecordsTest");
        for (int run = 0; run < 2_000; run++) {
            buffer.setMemory(0, buffer.capacity(), (byte) 0xA5);
            final List<byte[]> messages = new ArrayList<>();
            int end = 16;
            for (int i = 0; i <= random.nextInt(20); i++) {
                final byte[] message = new byte[random.nextInt(40)];
                random.nextBytes(message);
                messages.add(message);
                end = RecordDescriptor.put(buffer, end, new UnsafeBuffer(message), 0, message.length);
            }
            assertThat(RecordDescriptor.validate(buffer, 16, end - 16)).isEqualTo(FrameFault.NONE);
            iterator.wrap(buffer, 16, end - 16);
            for (final byte[] message : messages) {
                assertThat(iterator.next()).isTrue();
                final byte[] shown = new byte[iterator.messageLength()];
                buffer.getBytes(iterator.messageOffset(), shown);
                assertThat(shown).isEqualTo(message);
            }
            assertThat(iterator.next()).isFalse();
            assertThat(iterator.fault()).isEqualTo(FrameFault.NONE);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, Integer.MIN_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE - 3, 9, 13, 4, 3, 0})
    void shouldRefuseLengthsThatDoNotFillThePayload(final int messageLength) {
        RecordDescriptor.put(buffer, 0, buffer, 100, 8);
        buffer.putInt(0, messageLength, LITTLE_ENDIAN);
        buffer.putInt(4, 0x0101_0101);
        buffer.putInt(8, 0x0101_0101);
        expectFault(0, 12);
    }

    @Test
    void shouldRefuseNonZeroPadding() {
        RecordDescriptor.put(buffer, 0, buffer, 100, 5);
        assertThat(RecordDescriptor.validate(buffer, 0, 12)).isEqualTo(FrameFault.NONE);
        for (int i = 9; i < 12; i++) {
            buffer.putByte(i, (byte) 0x80);
            expectFault(0, 12);
            buffer.putByte(i, (byte) 0);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3, 5, 7, 11})
    void shouldRefusePayloadsCutShort(final int length) {
        RecordDescriptor.put(buffer, 0, buffer, 100, 8);
        expectFault(0, length);
    }

    @Test
    void shouldTakeAnEmptyPayloadOnlyInTheLastFrameOfALane() {
        final int last = FrameFlags.RECORDS | FrameFlags.LAST;
        assertThat(RecordDescriptor.validate(last, buffer, 8, 0)).isEqualTo(FrameFault.NONE);
        assertThat(RecordDescriptor.validate(FrameFlags.RECORDS, buffer, 8, 0)).isEqualTo(FrameFault.BAD_RECORDS);
        assertThat(RecordDescriptor.validate(last, buffer, 8, 3)).isEqualTo(FrameFault.BAD_RECORDS);
        assertThat(iterator.wrap(last, buffer, 8, 0).next()).isFalse();
        assertThat(iterator.fault()).isEqualTo(FrameFault.NONE);
        assertThat(iterator.wrap(FrameFlags.RECORDS, buffer, 8, 0).next()).isFalse();
        assertThat(iterator.fault()).isEqualTo(FrameFault.BAD_RECORDS);
        RecordDescriptor.put(buffer, 8, buffer, 100, 4);
        assertThat(iterator.wrap(last, buffer, 8, 8).next()).isTrue();
        assertThat(iterator.next()).isFalse();
        assertThat(iterator.fault()).isEqualTo(FrameFault.NONE);
    }

    private void expectFault(final int offset, final int length) {
        assertThat(RecordDescriptor.validate(buffer, offset, length)).isEqualTo(FrameFault.BAD_RECORDS);
        iterator.wrap(buffer, offset, length);
        while (iterator.next()) {
            assertThat(iterator.messageOffset() + iterator.messageLength()).isLessThanOrEqualTo(offset + length);
        }
        assertThat(iterator.fault()).isEqualTo(FrameFault.BAD_RECORDS);
    }
}
