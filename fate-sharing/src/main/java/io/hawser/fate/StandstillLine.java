package io.hawser.fate;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Writes a standstill as one line: what is wrong, who waits for whom and for how long, what to do. */
final class StandstillLine {
    /** Of each list so many are told and the rest counted, so that a line stays readable in a large cluster. */
    private static final int MAX_TOLD = 8;

    private StandstillLine() {}

    static String of(Standstill standstill) {
        StringBuilder line = new StringBuilder(512);
        if (standstill.isCycle()) {
            circle(line, standstill);
        } else {
            consumers(line, standstill);
        }
        waits(line, standstill);
        return line.append("; ").append(advice(standstill)).toString();
    }

    private static void circle(StringBuilder line, Standstill standstill) {
        List<Integer> cycle = standstill.cycle();
        if (cycle.size() == 1) {
            line.append("standstill: worker ").append(cycle.get(0)).append(" waits for itself and cannot go on");
            return;
        }
        boolean isCertain = standstill.waits().stream()
                .limit(cycle.size()) // those of the circle come first
                .allMatch(wait -> wait.targetCount() == 1);
        line.append("standstill: workers wait for each other in a circle and ")
                .append(isCertain ? "none can go on, " : "it is likely that none can go on, ")
                .append(told(cycle, " -> ", String::valueOf))
                .append(" -> ")
                .append(cycle.get(0));
    }

    private static void consumers(StringBuilder line, Standstill standstill) {
        List<Standstill.Consumer> consumers = new ArrayList<>(standstill.consumers());
        consumers.sort(Comparator.comparing(consumer -> consumer.progress() == Standstill.Progress.MOVED));
        boolean isOnly = consumers.size() == 1;
        line.append("slow consumer: ");
        if (!isOnly) {
            line.append("at least one of ").append(consumers.size()).append(" workers that do not wait themselves, ");
        }
        line.append(told(consumers, ", ", consumer -> consumer(consumer, isOnly)));
        int count = standstill.waits().size();
        line.append(isOnly ? " and keeps " : ", keeps ");
        line.append(count == 1 ? "one worker" : count + " workers").append(" waiting");
    }

    private static String consumer(Standstill.Consumer consumer, boolean isOnly) {
        String moved = switch (consumer.progress()) {
            case MOVED -> " last moved " + Elapsed.text(consumer.movedAgoNs()) + " ago";
            case NOT_MOVED -> " has not moved since";
            case UNKNOWN -> " has told nothing of its progress";
        };
        return "worker " + consumer.worker() + (isOnly ? " does not wait itself," : "") + moved;
    }

    private static void waits(StringBuilder line, Standstill standstill) {
        line.append(": ").append(told(standstill.waits(), "; ", wait -> wait(standstill, wait)));
    }

    private static String wait(Standstill standstill, Standstill.Wait wait) {
        return "worker " + wait.worker() + " has waited " + Elapsed.text(wait.waitedNs()) + " on "
                + channel(wait) + " for " + wait.bytesWanted() + " bytes of credit of " + targets(wait)
                + chain(standstill, wait);
    }

    private static String channel(Standstill.Wait wait) {
        return "channel " + wait.channelId() + (wait.scopeId() == 0 ? "" : " of dataflow " + wait.scopeId());
    }

    private static String targets(Standstill.Wait wait) {
        int first = wait.firstTarget();
        if (wait.targetCount() == 1) {
            return "worker " + first;
        }
        int last = first + wait.targetCount() - 1;
        boolean isOwn = wait.worker() >= first && wait.worker() <= last;
        return "workers " + first + " to " + last + (isOwn ? " (itself among them)" : "");
    }

    /** How the wait leads on to its root, unless it is one of the circle, which has been told. */
    private static String chain(Standstill standstill, Standstill.Wait wait) {
        List<Integer> chain = standstill.chain(wait);
        if (chain.isEmpty()) {
            return "";
        }
        String which = wait.targetCount() == 1 ? ", which " : ", of which worker " + chain.get(0) + " ";
        if (standstill.cycle().contains(wait.worker())) {
            return wait.targetCount() == 1 ? "" : which + "waits, too";
        }
        List<Integer> links = chain.subList(1, chain.size());
        String on = told(links, ", which ", link -> "waits for worker " + link);
        return which + on + (links.isEmpty() ? "" : ", which ") + end(standstill, chain.get(chain.size() - 1));
    }

    private static String end(Standstill standstill, int lastWaiter) {
        if (standstill.cycle().contains(lastWaiter)) {
            return "is part of the circle";
        }
        return standstill.waits().stream()
                .filter(wait -> wait.worker() == lastWaiter)
                .map(wait -> "waits for " + targets(wait))
                .findFirst()
                .orElse("waits, too");
    }

    private static String advice(Standstill standstill) {
        List<String> channels = standstill.waits().stream()
                .map(StandstillLine::channel)
                .distinct()
                .toList();
        String look = standstill.isCycle() ? "" : "look at what the slow worker does, or ";
        String where = channels.size() == 1 ? channels.get(0) : "one of these channels";
        return look + "use refuse or spill on " + where + ", a larger channelWindow, or pull while waiting";
    }

    private static <T> String told(List<T> items, String separator, Function<T, String> text) {
        String told = items.stream().limit(MAX_TOLD).map(text).collect(Collectors.joining(separator));
        int rest = items.size() - MAX_TOLD;
        return rest > 0 ? told + separator + "(" + rest + " more)" : told;
    }
}
