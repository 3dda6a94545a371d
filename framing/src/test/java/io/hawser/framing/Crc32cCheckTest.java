package io.hawser.framing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.Random;
import org.agrona.BufferUtil;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** The same number over every kind of memory, whole or in part. */
class Crc32cCheckTest {

    private static final int LENGTH = 10_000;

    private final byte[] bytes = new byte[LENGTH];
    private final Crc32cCheck check = new Crc32cCheck();
    private final Random random = Seed.random("Crc32cCheckTest");

    Crc32cCheckTest() {
        random.nextBytes(bytes);
    }

    @Test
    void shouldGiveTheSameOverEveryKindOfMemory() {
        expectSame(filled(new UnsafeBuffer(new byte[LENGTH])));
        expectSame(filled(new UnsafeBuffer(new byte[LENGTH + 50], 17, LENGTH)));
        expectSame(filled(new UnsafeBuffer(ByteBuffer.allocate(LENGTH + 50), 17, LENGTH)));
        expectSame(filled(new UnsafeBuffer(ByteBuffer.allocateDirect(LENGTH))));
        expectSame(filled(new UnsafeBuffer(ByteBuffer.allocateDirect(LENGTH + 50), 17, LENGTH)));
        final ByteBuffer slice =
                ByteBuffer.allocateDirect(LENGTH + 50).position(23).slice();
        expectSame(filled(new UnsafeBuffer(slice, 4, LENGTH)));
        expectSame(new UnsafeBuffer(filled(new UnsafeBuffer(slice, 4, LENGTH)), 0, LENGTH));
        final ByteBuffer memory = ByteBuffer.allocateDirect(LENGTH);
        expectSame(filled(new UnsafeBuffer(BufferUtil.address(memory), LENGTH)));
        assertThat(memory.get(0)).isEqualTo(bytes[0]);
    }

    @Test
    void shouldGiveTheSameWhenManyBuffersTakeTurns() {
        final DirectBuffer[] buffers = new DirectBuffer[20];
        for (int i = 0; i < buffers.length; i++) {
            buffers[i] = filled(new UnsafeBuffer(ByteBuffer.allocateDirect(LENGTH)));
        }
        for (int run = 0; run < 200; run++) {
            final DirectBuffer buffer = buffers[random.nextInt(buffers.length)];
            final int length = run < 100 ? 44 : LENGTH - 1;
            assertThat(check.compute(buffer, 1, length)).isEqualTo(SlowCrc32c.of(bytes, 1, length));
        }
    }

    @Test
    void shouldLeavePositionAndLimitOfTheBufferAlone() {
        final ByteBuffer direct = ByteBuffer.allocateDirect(LENGTH).limit(5).position(3);
        check.compute(new UnsafeBuffer(direct, 0, LENGTH), 0, LENGTH);
        assertThat(direct.position()).isEqualTo(3);
        assertThat(direct.limit()).isEqualTo(5);
    }

    @Test
    void shouldRefuseRegionsOutsideTheBuffer() {
        final UnsafeBuffer buffer = new UnsafeBuffer(ByteBuffer.allocateDirect(LENGTH + 50), 0, LENGTH);
        assertThatThrownBy(() -> check.compute(buffer, 1, LENGTH)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> check.compute(buffer, -1, 5)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    private void expectSame(final DirectBuffer buffer) {
        for (int run = 0; run < 50; run++) {
            final int offset = random.nextInt(LENGTH);
            final int length = random.nextInt(LENGTH - offset + 1);
            assertThat(check.compute(buffer, offset, length)).isEqualTo(SlowCrc32c.of(bytes, offset, length));
        }
    }

    private <T extends MutableDirectBuffer> T filled(final T buffer) {
        buffer.putBytes(0, bytes);
        return buffer;
    }
}
