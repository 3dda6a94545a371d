package io.hawser.jmh.bench;

import io.hawser.tools.JsonWriter;
import java.util.List;

/**
 * Rows as a JSON array of objects.
 *
 * <p><em>Threading:</em> safe; no state.
 */
final class RowJson {
    private RowJson() {}

    static String of(final List<Row> rows, final Surroundings surroundings) {
        final JsonWriter json = new JsonWriter().beginArray();
        rows.forEach(row -> write(json, row, surroundings));
        return json.endArray().toString();
    }

    private static void write(final JsonWriter json, final Row row, final Surroundings surroundings) {
        json.beginObject();
        json.name("workload").value(row.workload().name());
        json.name("metric").value(row.metric().label());
        json.name("entrant").value(row.entrant());
        json.name("median").value(row.spread().median());
        json.name("min").value(row.spread().min());
        json.name("max").value(row.spread().max());
        json.name("unit").value(row.metric().unit());
        json.name("ratioToRawNio").value(row.ratio());
        if (row.metric().isLatency()) {
            json.name("p99Us").value(row.p99Us());
            json.name("p999Us").value(row.p999Us());
            json.name("maxUs").value(row.maxUs());
        }
        json.name("cpuSecondsPerGb").value(row.cpuSecondsPerGb());
        json.name("cpuSecondsPerMillion").value(row.cpuSecondsPerMillion());
        json.name("peakMib").value(row.peakMib());
        json.name("rounds").value(row.rounds());
        json.name("failures").value(row.failures());
        surroundings.facts().forEach((name, value) -> json.name(name).value(value));
        json.endObject();
    }
}
