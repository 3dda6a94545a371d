package io.hawser.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Random;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

class PlanDescriptorTest {
    /** Task 1 of 3, on workers 5, 3 and 258, plan "go". */
    private static final String GOLDEN = "01000000" + "03000000" + "05000000" + "03000000" + "02010000" + "676f";

    private static final int WORKERS = 300;
    private static final StartRequest REQUEST = StartRequests.start(1, 5, 11, 1); // of worker 3

    @Test
    void shouldLayTheseBytesWhenAPlanIsEncoded() {
        final DirectBuffer plan = new UnsafeBuffer("go".getBytes(StandardCharsets.UTF_8));
        final DirectBuffer encoded = PlanDescriptor.encode(1, new int[] {5, 3, 258}, plan);
        assertThat(HexFormat.of().formatHex(bytes(encoded))).isEqualTo(GOLDEN);
        assertThat(PlanDescriptor.length(3, 2)).isEqualTo(encoded.capacity());
    }

    @Test
    void shouldReadTheseBytesWhenAPlanIsDecoded() {
        final byte[] shifted = HexFormat.of().parseHex("ffffff" + GOLDEN + "ff");
        final GoAhead goAhead =
                PlanDescriptor.decode(REQUEST, new UnsafeBuffer(shifted), 3, shifted.length - 4, WORKERS);
        assertThat(goAhead.request()).isSameAs(REQUEST);
        assertThat(goAhead.task()).isOne();
        assertThat(goAhead.taskCount()).isEqualTo(3);
        assertThat(new int[] {goAhead.workerOf(0), goAhead.workerOf(1), goAhead.workerOf(2)})
                .containsExactly(5, 3, 258);
        assertThat(goAhead.plan().getStringWithoutLengthUtf8(0, 2)).isEqualTo("go");
        assertThat(goAhead.plan().capacity()).isEqualTo(2);
        assertThatThrownBy(() -> goAhead.workerOf(3)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void shouldReadNothingWhenTheBytesCannotBe() {
        final byte[] golden = HexFormat.of().parseHex(GOLDEN);
        for (int length = 0; length < golden.length - 2; length++) {
            assertThat(decode(golden, length)).as("length=%s", length).isNull();
        }
        assertThat(decode(golden, golden.length - 2).plan().capacity()).isZero();
        assertThat(decode("ffffffff" + GOLDEN.substring(8)))
                .as("task before the first")
                .isNull();
        assertThat(decode("03000000" + GOLDEN.substring(8)))
                .as("task behind the last")
                .isNull();
        assertThat(decode("01000000ffffff7f" + GOLDEN.substring(16)))
                .as("more tasks than bytes")
                .isNull();
        assertThat(decode("00000000" + "00000000" + GOLDEN.substring(16)))
                .as("no task")
                .isNull();
        assertThat(decode("00000000" + GOLDEN.substring(8)))
                .as("meant for another worker")
                .isNull();
        assertThat(decode(GOLDEN.replace("02010000", "2c010000")))
                .as("no such worker")
                .isNull();
        assertThat(decode(GOLDEN.replace("02010000", "ffffffff")))
                .as("no worker")
                .isNull();
    }

    @Test
    void shouldNeverThrowWhenBytesAreGarbage() {
        final Random random = new Random(Seed.print("PlanDescriptorTest"));
        final byte[] golden = HexFormat.of().parseHex(GOLDEN);
        int passed = 0;
        for (int run = 0; run < 20_000; run++) {
            final byte[] bytes = golden.clone();
            for (int i = random.nextInt(4); i >= 0; i--) {
                bytes[random.nextInt(bytes.length)] =
                        (byte) (random.nextBoolean() ? random.nextInt() : random.nextInt(4));
            }
            passed += decode(bytes, random.nextInt(bytes.length + 1)) != null ? 1 : 0;
        }
        assertThat(passed).isPositive();
    }

    private static GoAhead decode(final String hex) {
        final byte[] bytes = HexFormat.of().parseHex(hex);
        return decode(bytes, bytes.length);
    }

    private static GoAhead decode(final byte[] bytes, final int length) {
        return PlanDescriptor.decode(REQUEST, new UnsafeBuffer(bytes), 0, length, WORKERS);
    }

    private static byte[] bytes(final DirectBuffer buffer) {
        final byte[] bytes = new byte[buffer.capacity()];
        buffer.getBytes(0, bytes);
        return bytes;
    }
}
