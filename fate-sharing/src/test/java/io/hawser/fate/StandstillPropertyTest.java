package io.hawser.fate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;

/** Random waits of a small cluster, judged by following every way that there is. */
class StandstillPropertyTest {
    private static final int WORKERS = 7;
    private static final long T = 1_000;

    /** A wait for a range of workers. */
    record Range(int first, int count) {
        boolean isWaitFor(int waiter, int target) {
            return target >= first && target < first + count && (target != waiter || count == 1);
        }
    }

    @Property(tries = 2_000)
    void shouldNameTheCirclesThatAreThere(@ForAll("waits") Map<Integer, Range> waits) {
        List<Standstill> reports = reports(detector(waits, List.copyOf(waits.keySet())), T);

        List<List<Integer>> cycles = reports.stream()
                .map(Standstill::cycle)
                .filter(c -> !c.isEmpty())
                .toList();
        assertThat(cycles).isEqualTo(expectedCycles(waits));
    }

    @Property(tries = 2_000)
    void shouldReportEachWaitOnceAndLeadItToItsRoot(@ForAll("waits") Map<Integer, Range> waits) {
        List<Standstill> reports = reports(detector(waits, List.copyOf(waits.keySet())), T);

        List<Integer> waiters = new ArrayList<>();
        for (Standstill report : reports) {
            for (Standstill.Wait wait : report.waits()) {
                waiters.add(wait.worker());
                expectChain(waits, report, wait);
            }
            report.consumers().forEach(c -> assertThat(waits).doesNotContainKey(c.worker()));
            assertThat(report.describe()).matches("\\p{ASCII}+").doesNotContain("\n");
        }
        assertThat(waiters).containsExactlyInAnyOrderElementsOf(waits.keySet());
    }

    @Property(tries = 500)
    void shouldSayTheSameInWhateverOrderWaitsWereTold(
            @ForAll("waits") Map<Integer, Range> waits, @ForAll Random random) {
        List<Integer> order = new ArrayList<>(waits.keySet());
        List<Standstill> expected = reports(detector(waits, order), T);
        Collections.shuffle(order, random);

        StandstillDetector detector = detector(waits, order);

        assertThat(reports(detector, T)).isEqualTo(expected);
        assertThat(reports(detector, 11 * T - 1)).isEmpty();
        assertThat(reports(detector, 11 * T)).hasSameSizeAs(expected);
    }

    @Provide
    Arbitrary<Map<Integer, Range>> waits() {
        Arbitrary<Integer> workers = Arbitraries.integers().between(0, WORKERS - 1);
        Arbitrary<Integer> counts = Arbitraries.frequency(Tuple.of(5, 1), Tuple.of(1, 2), Tuple.of(1, 3));
        Arbitrary<Range> ranges = Combinators.combine(workers, counts)
                .as((first, count) -> new Range(first, Math.min(count, WORKERS - first)));
        return Arbitraries.maps(workers, ranges).ofMaxSize(WORKERS).map(TreeMap::new);
    }

    private static StandstillDetector detector(Map<Integer, Range> waits, List<Integer> order) {
        StandstillDetector detector = new StandstillDetector(WORKERS, T);
        for (int waiter : order) {
            Range range = waits.get(waiter);
            detector.onWaiting(waiter, 0, 1, range.first(), range.count(), 0, 0, 64, 0);
        }
        return detector;
    }

    private static List<Standstill> reports(StandstillDetector detector, long nowNs) {
        List<Standstill> reports = new ArrayList<>();
        for (Standstill s = detector.tick(nowNs); s != null; s = detector.tick(nowNs)) {
            reports.add(s);
            assertThat(reports).hasSizeLessThanOrEqualTo(WORKERS);
        }
        return reports;
    }

    private static void expectChain(Map<Integer, Range> waits, Standstill report, Standstill.Wait wait) {
        int at = wait.worker();
        for (int next : report.chain(wait)) {
            assertThat(waits.get(at).isWaitFor(at, next)).isTrue();
            assertThat(waits).containsKey(next);
            at = next;
        }
        int end = at;
        if (report.isCycle()) {
            assertThat(report.cycle()).contains(end);
        } else {
            assertThat(allCycles(waits).stream().flatMap(List::stream)).doesNotContain(wait.worker());
            assertThat(waits.keySet()).noneMatch(worker -> waits.get(end).isWaitFor(end, worker));
        }
    }

    /** Of all circles whose workers can reach each other, the shortest through the smallest worker, first in order. */
    private static List<List<Integer>> expectedCycles(Map<Integer, Range> waits) {
        List<List<Integer>> expected = new ArrayList<>();
        Set<Integer> named = new HashSet<>();
        for (int worker = 0; worker < WORKERS; worker++) {
            int smallest = worker;
            if (named.contains(worker)) {
                continue;
            }
            allCycles(waits).stream()
                    .filter(cycle -> cycle.get(0) == smallest)
                    .min(Comparator.<List<Integer>>comparingInt(List::size).thenComparing(List::toString))
                    .ifPresent(cycle -> {
                        expected.add(cycle);
                        Set<Integer> there = reachable(waits, smallest);
                        there.removeIf(other -> !reachable(waits, other).contains(smallest));
                        named.addAll(there);
                    });
        }
        return expected;
    }

    private static Set<Integer> reachable(Map<Integer, Range> waits, int start) {
        Set<Integer> reached = new HashSet<>();
        reach(waits, start, reached);
        return reached;
    }

    private static void reach(Map<Integer, Range> waits, int at, Set<Integer> reached) {
        for (int next : waits.keySet()) {
            if (waits.get(at).isWaitFor(at, next) && reached.add(next)) {
                reach(waits, next, reached);
            }
        }
    }

    /** Every circle without a repeated worker, beginning with its smallest. */
    private static List<List<Integer>> allCycles(Map<Integer, Range> waits) {
        List<List<Integer>> cycles = new ArrayList<>();
        waits.keySet().forEach(start -> follow(waits, new ArrayList<>(List.of(start)), cycles));
        return cycles;
    }

    private static void follow(Map<Integer, Range> waits, List<Integer> path, List<List<Integer>> cycles) {
        int start = path.get(0);
        int at = path.get(path.size() - 1);
        for (int next : waits.keySet()) {
            if (!waits.get(at).isWaitFor(at, next)) {
                continue;
            }
            if (next == start) {
                cycles.add(List.copyOf(path));
            } else if (next > start && !path.contains(next)) {
                path.add(next);
                follow(waits, path, cycles);
                path.remove(path.size() - 1);
            }
        }
    }
}
