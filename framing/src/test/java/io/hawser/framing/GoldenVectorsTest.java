package io.hawser.framing;

import static io.hawser.framing.FrameHeaderFlyweight.HEADER_CHECK_OFFSET;
import static io.hawser.framing.FrameHeaderFlyweight.HEADER_LENGTH;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** PROTOCOL.md and the code say the same, in both directions. */
class GoldenVectorsTest {

    private final Map<String, String> blocks = ProtocolDocument.blocks();

    static Stream<GoldenVector> vectors() {
        return GoldenVectors.all().stream();
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void shouldWriteTheBytesOfTheDocumentWhenEncoding(final GoldenVector vector) {
        assertThat(vector.encode()).containsExactly(ProtocolDocument.bytes(blocks.get(vector.name())));
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void shouldReadTheValuesOfTheDocumentWhenDecoding(final GoldenVector vector) {
        final UnsafeBuffer frame = new UnsafeBuffer(ProtocolDocument.bytes(blocks.get(vector.name())));
        assertThat(vector.decoder().decode(frame, 0, frame.capacity())).isEqualTo(frame.capacity());
        final FrameHeaderFlyweight header = new FrameHeaderFlyweight().wrap(frame, 0);
        assertThat(header.sequence()).isEqualTo(vector.sequence());
        assertThat(header.alignedLength()).isEqualTo(frame.capacity());
        vector.expectation().accept(header, frame);
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void shouldNameFieldsAndValuesWhenShowingTheBytes(final GoldenVector vector) {
        final String block = blocks.get(vector.name());
        assertThat(block).isEqualTo(vector.render(ProtocolDocument.bytes(block)));
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void shouldCarryTheChecksOfTheDefinitionWhenSealed(final GoldenVector vector) {
        final byte[] bytes = ProtocolDocument.bytes(blocks.get(vector.name()));
        final FrameHeaderFlyweight header = new FrameHeaderFlyweight().wrap(new UnsafeBuffer(bytes), 0);
        final int payloadCheck =
                vector.isChecked() ? SlowCrc32c.of(bytes, HEADER_LENGTH, bytes.length - HEADER_LENGTH) : 0;
        assertThat(header.payloadCheck()).isEqualTo(payloadCheck);
        assertThat(header.headerCheck()).isEqualTo(SlowCrc32c.of(bytes, 0, HEADER_CHECK_OFFSET));
    }

    @Test
    void shouldShowEveryTypeAndNothingElse() {
        final List<GoldenVector> vectors = GoldenVectors.all();
        assertThat(blocks.keySet())
                .containsExactlyElementsOf(
                        vectors.stream().map(GoldenVector::name).toList());
        final Set<FrameType> types = EnumSet.noneOf(FrameType.class);
        vectors.forEach(vector -> types.add(FrameType.of(vector.encode()[FrameHeaderFlyweight.TYPE_OFFSET])));
        assertThat(types).containsExactly(FrameType.values());
    }

    @Test
    void shouldNameTheCheckValueOfTheCrc() {
        final byte[] digits = "123456789".getBytes(US_ASCII);
        assertThat(SlowCrc32c.of(digits, 0, digits.length)).isEqualTo(0xE306_9283);
        assertThat(new Crc32cCheck().compute(new UnsafeBuffer(digits), 0, digits.length))
                .isEqualTo(0xE306_9283);
        assertThat(ProtocolDocument.read()).contains("0xE3069283");
    }
}
