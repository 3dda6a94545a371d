package io.hawser.flink;

import static org.assertj.core.api.Assertions.assertThat;

import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

class DataRecordTest {
    private static final int AT = 8;

    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[128]);

    @Test
    void shouldPinTheBytesOfABuffer() {
        DataRecord.buffer(buffer, AT, 1, DataRecord.COMPRESSED, 0x01020304, 5, 6, 2);
        DataRecord.partialLength(buffer, AT, 0, 7);
        DataRecord.partialLength(buffer, AT, 1, 0x0100);
        final byte[] bytes = new byte[28];
        buffer.getBytes(AT, bytes);
        assertThat(bytes)
                .containsExactly(1, 1, 1, 0, 4, 3, 2, 1, 5, 0, 0, 0, 6, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0, 0, 1, 0, 0);
        assertThat(DataRecord.payloadOffset(2)).isEqualTo(28);
    }

    @Test
    void shouldReadWhatWasWritten() {
        DataRecord.buffer(buffer, AT, 9, 0, Integer.MIN_VALUE, 77, -1, 0);
        assertThat(DataRecord.kind(buffer, AT)).isEqualTo(DataRecord.BUFFER);
        assertThat(DataRecord.dataType(buffer, AT)).isEqualTo(9);
        assertThat(DataRecord.flags(buffer, AT)).isZero();
        assertThat(DataRecord.sequenceNumber(buffer, AT)).isEqualTo(Integer.MIN_VALUE);
        assertThat(DataRecord.backlog(buffer, AT)).isEqualTo(77);
        assertThat(DataRecord.subpartition(buffer, AT)).isEqualTo(-1);
        assertThat(DataRecord.partialCount(buffer, AT)).isZero();
        assertThat(DataRecord.fault(buffer, AT, DataRecord.HEADER_LENGTH)).isNull();
    }

    @Test
    void shouldClearWhatStoodThereBefore() {
        buffer.setMemory(0, 128, (byte) 0xFF);
        DataRecord.backlog(buffer, AT, 3);
        assertThat(DataRecord.partialCount(buffer, AT)).isZero();
        assertThat(DataRecord.backlog(buffer, AT)).isEqualTo(3);
        DataRecord.end(buffer, AT, DataRecord.FAILED, DataRecord.PRODUCER_FAILED);
        assertThat(DataRecord.flags(buffer, AT)).isEqualTo(DataRecord.PRODUCER_FAILED);
        assertThat(DataRecord.backlog(buffer, AT)).isZero();
    }

    @Test
    void shouldNameWhatIsWrongWithARecord() {
        DataRecord.buffer(buffer, AT, 1, 0, 0, 0, 0, 2);
        DataRecord.partialLength(buffer, AT, 0, 10);
        DataRecord.partialLength(buffer, AT, 1, 20);
        assertThat(DataRecord.fault(buffer, AT, 28 + 30)).isNull();
        assertThat(DataRecord.fault(buffer, AT, 28 + 31)).contains("do not add up: sum=30");
        assertThat(DataRecord.fault(buffer, AT, 27)).contains("do not fit their record: count=2");
        assertThat(DataRecord.fault(buffer, AT, 3)).contains("shorter than its header: length=3");
        DataRecord.partialLength(buffer, AT, 1, -1);
        assertThat(DataRecord.fault(buffer, AT, 28 + 9)).contains("negative length: length=-1");
        DataRecord.buffer(buffer, AT, 1, 0, 0, 0, 0, Integer.MAX_VALUE);
        assertThat(DataRecord.fault(buffer, AT, 100)).contains("do not fit");
    }

    @Test
    void shouldPinTheBytesOfControl() {
        final ExpandableArrayBuffer target = new ExpandableArrayBuffer();
        assertThat(ControlRecord.put(target, ControlRecord.SEGMENT, 3, 4, 5, 0)).isEqualTo(20);
        final byte[] bytes = new byte[20];
        target.getBytes(0, bytes);
        assertThat(bytes).containsExactly(6, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0);
        assertThat(ControlRecord.kind(target, 0)).isEqualTo(ControlRecord.SEGMENT);
        assertThat(ControlRecord.channelId(target, 0)).isEqualTo(3);
        assertThat(ControlRecord.first(target, 0)).isEqualTo(4);
        assertThat(ControlRecord.second(target, 0)).isEqualTo(5);
    }

    @Test
    void shouldKnowEachEndOfAConsumerByItsCode() {
        for (final ConsumerEnd end : ConsumerEnd.values()) {
            assertThat(ConsumerEnd.of(end.code())).isSameAs(end);
        }
        assertThat(ConsumerEnd.of(99)).isSameAs(ConsumerEnd.CANCELLED);
    }
}
