package io.hawser.fate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/** Law L2 over all orders of arrival. */
class RootCausePropertyTest {
    private static final Comparator<Cause> ORDER = (a, b) -> a.precedes(b) ? -1 : b.precedes(a) ? 1 : 0;

    @Property(tries = 300)
    void shouldFindTheSameRootWhenCausesArriveInAnyOrder(@ForAll("causes") List<Cause> causes) {
        Cause expected = rootOf(causes);

        for (List<Cause> order : permutations(causes)) {
            Health health = Health.root("cluster");
            order.forEach(health::consider);

            assertThat(health.firstCause()).isSameAs(order.get(0));
            assertThat(health.rootCause()).isSameAs(expected);
            assertThat(health.secondaryCauses()).doesNotContain(expected).hasSize(causes.size() - 1);
        }
    }

    /** Whoever has the causes as a whole chooses as one to whom they come one by one. */
    @Property(tries = 300)
    void shouldChooseTheSameRootAmongCausesAsOfThoseThatAreConsidered(@ForAll("causes") List<Cause> causes) {
        Cause expected = rootOf(causes);

        for (List<Cause> order : permutations(causes)) {
            assertThat(Cause.rootOf(order)).isSameAs(expected);
        }
    }

    private static Cause rootOf(List<Cause> causes) {
        Cause earliest = Collections.min(causes, ORDER);
        return causes.stream()
                .filter(cause -> !earliest.isSelfReport() && cause.isSelfReport())
                .filter(cause -> cause.subjectProcess() == earliest.subjectProcess())
                .min(ORDER)
                .orElse(earliest);
    }

    /** Each survivor sees its own first thing, tells everybody once, and hears the others in an order of its own. */
    @Property(tries = 300)
    void shouldAgreeWhenSurvivorsExchangeTheirFirstCauses(@ForAll("causes") List<Cause> seen, @ForAll long seed) {
        Random random = new Random(seed);
        Set<Long> roots = new HashSet<>();

        for (int survivor = 0; survivor < seen.size(); survivor++) {
            Health health = Health.root("survivor");
            health.lose(seen.get(survivor));
            List<Cause> told = new ArrayList<>(seen);
            told.addAll(seen);
            Collections.shuffle(told, random);
            told.forEach(cause -> health.consider(cause.reportedBy(random.nextInt(9))));
            health.settle();
            roots.add((long) seen.indexOf(seen.stream()
                    .filter(health.rootCause()::sameEvent)
                    .findFirst()
                    .orElseThrow()));
        }

        assertThat(roots).hasSize(1);
    }

    @Property(tries = 300)
    void shouldKeepTheRootWhenSettledAnywhereInTheOrder(
            @ForAll("causes") List<Cause> causes, @ForAll @IntRange(min = 1, max = 5) int settleAfter) {
        int before = Math.min(settleAfter, causes.size());
        Cause expected = rootOf(causes.subList(0, before));
        Health health = Health.root("cluster");

        causes.subList(0, before).forEach(health::consider);
        health.settle();
        causes.subList(before, causes.size())
                .forEach(cause -> assertThat(health.consider(cause)).isFalse());

        assertThat(health.rootCause()).isSameAs(expected);
        assertThat(health.secondaryCauses()).hasSize(causes.size() - 1);
    }

    /** Different events of one generation, with many ties in time so that the rest of the order decides. */
    @Provide
    Arbitrary<List<Cause>> causes() {
        return Combinators.combine(
                        Arbitraries.of(CauseKind.values()),
                        Arbitraries.integers().between(0, 3),
                        Arbitraries.integers().between(0, 3),
                        Arbitraries.longs().between(0, 2))
                .as((kind, process, observer, epochMs) -> Cause.builder(kind)
                        .subjectProcess(process)
                        .observerProcess(observer)
                        .observedAtEpochMs(epochMs)
                        .generation(1)
                        .build())
                .list()
                .ofMinSize(1)
                .ofMaxSize(5)
                .uniqueElements(Cause::describe);
    }

    private static List<List<Cause>> permutations(List<Cause> causes) {
        if (causes.size() <= 1) {
            return List.of(causes);
        }
        List<List<Cause>> all = new ArrayList<>();
        for (Cause head : causes) {
            List<Cause> rest = new ArrayList<>(causes);
            rest.remove(head);
            for (List<Cause> tail : permutations(rest)) {
                List<Cause> order = new ArrayList<>(List.of(head));
                order.addAll(tail);
                all.add(order);
            }
        }
        return all;
    }
}
