package io.hawser.tools;

/**
 * The result of the demonstration for programs: one JSON object.
 *
 * <p><em>Threading:</em> safe; no state.
 */
final class DemoJson {
    private DemoJson() {}

    static String of(final DemoResult result) {
        final JsonWriter json = new JsonWriter().beginObject();
        json.name("right").value(result.isRight());
        json.name("processes").value(result.options().processes());
        json.name("workers").value(result.options().workers());
        json.name("iterations").value(result.options().iterations());
        json.name("classes").value(result.classes());
        json.name("references").value(result.references());
        topTen(json, result);
        json.name("checkedAgainstOneThread").value(result.check().isRight());
        json.name("maxDifference").value(result.check().maxDifference());
        json.name("generations").value(result.generations());
        json.name("faults").beginArray();
        result.faults().forEach(report -> fault(json, report));
        json.endArray();
        json.name("seconds").value(result.seconds());
        json.name("rankSeconds").value(result.rankSeconds());
        json.name("checkSeconds").value(result.checkSeconds());
        json.name("perProcess").beginArray();
        result.members().forEach(member -> process(json, member));
        json.endArray();
        return json.endObject().toString();
    }

    /** The same for a demonstration that came to nothing. */
    static String ofFailure(final String message) {
        final JsonWriter json = new JsonWriter().beginObject();
        json.name("right").value(false);
        json.name("failure").value(message);
        return json.endObject().toString();
    }

    private static void topTen(final JsonWriter json, final DemoResult result) {
        json.name("topTen").beginArray();
        for (final DemoResult.RankedClass ranked : result.ranking()) {
            json.beginObject();
            json.name("class").value(ranked.name());
            json.name("rank").value(ranked.rank());
            json.endObject();
        }
        json.endArray();
    }

    private static void fault(final JsonWriter json, final FaultReport report) {
        json.beginObject();
        json.name("kind").value(report.fault().kind().option().substring("--".length()));
        json.name("target").value(report.fault().target());
        json.name("iteration").value(report.fault().iteration());
        if (report.fault().isWhileForming()) {
            json.name("step").value(report.fault().step().toString());
        }
        json.name("generation").value(report.generation());
        json.name("cause").value(report.cause());
        json.name("sameCauseOnAll").value(report.isSameCause());
        json.name("survivors").beginArray();
        for (final FaultReport.Survivor survivor : report.survivors()) {
            json.beginObject();
            json.name("process").value(survivor.process());
            json.name("kind").value(survivor.kind());
            json.name("cause").value(survivor.cause());
            json.name("millisToReturn").value(survivor.millisToReturn());
            json.endObject();
        }
        json.endArray();
        json.endObject();
    }

    private static void process(final JsonWriter json, final Member member) {
        json.beginObject();
        json.name("process").value(member.index());
        json.name("classes").value(member.classes());
        json.name("references").value(member.references());
        json.name("loadedInGeneration").value(member.loadedInGeneration());
        json.name("loadSeconds").value(member.loadSeconds());
        json.name("messages").value(member.count("messages"));
        json.name("bytesOut").value(member.count("bytesOut"));
        json.name("bytesIn").value(member.count("bytesIn"));
        json.name("framesOut").value(member.count("framesOut"));
        json.name("framesIn").value(member.count("framesIn"));
        json.endObject();
    }
}
