package io.hawser.tools;

import java.util.ArrayList;
import java.util.List;

/**
 * The result of the demonstration for people.
 *
 * <p><em>Threading:</em> one thread.
 */
final class DemoText {
    private static final List<String> COUNTS = List.of("messages", "bytesOut", "bytesIn", "framesOut", "framesIn");
    private static final int RANK_DECIMALS = 6;

    private final DemoResult result;

    DemoText(final DemoResult result) {
        this.result = result;
    }

    List<String> lines() {
        final List<String> lines = new ArrayList<>();
        lines.add("");
        lines.addAll(processes().lines());
        lines.add("");
        lines.addAll(ranking().lines());
        lines.add("");
        lines.add(check());
        lines.add(times());
        lines.addAll(disagreements());
        return lines;
    }

    private Table processes() {
        final Table table = new Table(
                "process",
                "classes",
                "references",
                "loaded in generation",
                "messages out",
                "bytes out",
                "bytes in",
                "data frames out",
                "data frames in");
        for (final Member member : result.members()) {
            final List<String> cells = new ArrayList<>(List.of(
                    Integer.toString(member.index()),
                    Numbers.grouped(member.classes()),
                    Numbers.grouped(member.references()),
                    Long.toString(member.loadedInGeneration())));
            COUNTS.forEach(name -> cells.add(Numbers.grouped(member.count(name))));
            table.row(cells.toArray(String[]::new));
        }
        return total(table);
    }

    private Table total(final Table table) {
        final List<String> cells = new ArrayList<>(
                List.of("all", Numbers.grouped(result.classes()), Numbers.grouped(result.references()), ""));
        for (final String name : COUNTS) {
            cells.add(Numbers.grouped(result.members().stream()
                    .mapToLong(member -> member.count(name))
                    .sum()));
        }
        return table.row(cells.toArray(String[]::new));
    }

    private Table ranking() {
        final Table table = new Table("", "rank", "<class");
        for (int i = 0; i < result.ranking().size(); i++) {
            final DemoResult.RankedClass ranked = result.ranking().get(i);
            table.row(Integer.toString(i + 1), Numbers.fixed(ranked.rank(), RANK_DECIMALS), ranked.name());
        }
        return table;
    }

    private String check() {
        final Check check = result.check();
        final String verdict = check.isRight() ? "right" : "WRONG";
        return "check against one thread: " + verdict + "; the top " + Check.TOP + " are "
                + (check.isTopEqual() ? "the same" : "NOT the same") + ", the largest relative difference is "
                + Numbers.scientific(check.maxDifference()) + " (allowed: " + Numbers.scientific(Check.TOLERANCE) + ")";
    }

    private String times() {
        return "time: " + Numbers.fixed(result.seconds(), 2) + " s; the last generation ranked in "
                + Numbers.fixed(result.rankSeconds(), 2) + " s; one thread loaded and ranked in "
                + Numbers.fixed(result.checkSeconds(), 2) + " s";
    }

    private List<String> disagreements() {
        return result.faults().stream()
                .filter(report -> !report.isSameCause())
                .map(report -> "WRONG: the survivors of "
                        + report.fault().kind().option() + " " + report.fault() + " do not agree on its cause")
                .toList();
    }
}
