package io.hawser.jmh.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RowJsonTest {
    @Test
    void shouldWriteAnArrayOfObjects() {
        final String json = RowJson.of(Samples.rows(), Samples.SURROUNDINGS);

        assertThat(json)
                .startsWith(
                        "[\n  {\n    \"workload\": \"W2\",\n    \"metric\": \"rate\",\n    \"entrant\": \"hawser\",\n"
                                + "    \"median\": 2.5E7,\n    \"min\": 2.0E7,\n    \"max\": 3.0E7,\n"
                                + "    \"unit\": \"messages/s\",\n    \"ratioToRawNio\": 1.25,\n")
                .contains(
                        "\"unit\": \"µs\"", "\"p99Us\": 24.0", "\"congestionControl\": \"<none>\"", "\"peakMib\": null")
                .endsWith("]");
    }
}
