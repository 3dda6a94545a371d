package io.hawser.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ParachuteTest {
    private static final long MIB = 1024 * 1024;

    @ParameterizedTest
    @CsvSource({
        "48, 2, 16", // 1 MiB each, the least
        "8192, 2, 256", // 16 MiB each, four regions of 4 MiB
        "8192, 64, 16", // 1 MiB each
        "512, 4096, 0", // more than a sixteenth of the heap is never taken
        "512, 64, 8",
    })
    void shouldSuitHeapAndWorkers(final long heapMib, final int workers, final int chunks) {
        assertThat(Parachute.chunkCount(heapMib * MIB, workers)).isEqualTo(chunks);
    }
}
