package io.hawser.fate;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Law L2 needs one order on all processes: total, and equal only for one event. */
class CauseOrderPropertyTest {
    @Property(tries = 1_000)
    void shouldPrecedeOneWayOnlyUnlessItIsTheSameEvent(@ForAll("causes") Cause a, @ForAll("causes") Cause b) {
        int directions = (a.precedes(b) ? 1 : 0) + (b.precedes(a) ? 1 : 0);
        assertThat(directions).isEqualTo(a.sameEvent(b) ? 0 : 1);
    }

    @Property(tries = 1_000)
    void shouldBeTransitiveWhenThreeAreCompared(
            @ForAll("causes") Cause a, @ForAll("causes") Cause b, @ForAll("causes") Cause c) {
        if (a.precedes(b) && b.precedes(c)) {
            assertThat(a.precedes(c)).isTrue();
        }
    }

    @Property(tries = 500)
    void shouldNotDependOnTheReporterWhenCompared(@ForAll("causes") Cause a, @ForAll("causes") Cause b) {
        assertThat(a.reportedBy(4).precedes(b)).isEqualTo(a.precedes(b.reportedBy(2)));
    }

    @Provide
    Arbitrary<Cause> causes() {
        return Combinators.combine(
                        Arbitraries.of(CauseKind.values()),
                        Arbitraries.integers().between(0, 2),
                        Arbitraries.integers().between(-1, 1),
                        Arbitraries.integers().between(0, 2),
                        Arbitraries.of(Long.MIN_VALUE, 0L, 1L, Long.MAX_VALUE))
                .as((kind, process, worker, observer, epochMs) -> Cause.builder(kind)
                        .subjectProcess(process)
                        .subjectWorker(worker)
                        .observerProcess(observer)
                        .observedAtEpochMs(epochMs)
                        .generation(1)
                        .build());
    }
}
