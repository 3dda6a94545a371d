package io.hawser.fate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Law L2: every survivor reports the same root cause. Case 73: it is not lost in the cascade. */
class RootCauseTest {
    private final Health health = Health.root("cluster");
    private final Cause earliest = CauseFixture.number(1);
    private final Cause middle = CauseFixture.number(2);
    private final Cause latest = CauseFixture.number(3);

    @Test
    void shouldTakeTheEarliestWhenOthersAreConsidered() {
        health.lose(middle);

        assertThat(health.consider(latest)).isFalse();
        assertThat(health.consider(earliest)).isTrue();

        assertThat(health.firstCause()).isSameAs(middle);
        assertThat(health.rootCause()).isSameAs(earliest);
        assertThat(health.secondaryCauses()).containsExactly(latest, middle);
        assertThat(health.secondaryCount()).isEqualTo(2);
    }

    @Test
    void shouldLoseHealthWhenTheFirstThingHeardIsAnothersCause() {
        assertThat(health.consider(middle)).isTrue();

        assertThat(health.firstCause()).isSameAs(middle);
        assertThat(health.rootCause()).isSameAs(middle);
    }

    @Test
    void shouldKeepTheRootCauseWhenSettled() {
        health.lose(middle);
        health.settle();
        health.settle();

        assertThat(health.consider(earliest)).isFalse();

        assertThat(health.rootCause()).isSameAs(middle);
        assertThat(health.secondaryCauses()).containsExactly(earliest);
    }

    @Test
    void shouldSettleNothingWhenHealthy() {
        health.settle();
        health.lose(middle);
        health.consider(earliest);

        assertThat(health.rootCause()).isSameAs(earliest);
    }

    /** Whoever is told both, in any order, comes to the same root cause. */
    @Test
    void shouldKnowTheEarliestAlsoWhenAReportHasTakenItsPlace() {
        Cause seen = aboutNine(CauseKind.PEER_SILENT, 0, middle.observedAtEpochMs() - 1);
        Cause report = aboutNine(CauseKind.PROCESS_SUSPENDED, 9, latest.observedAtEpochMs() + 1);
        assertThat(health.earliestCause()).isNull();
        health.lose(middle);
        assertThat(health.earliestCause()).isSameAs(middle);
        health.consider(seen);
        health.consider(report);
        assertThat(health.rootCause()).isSameAs(report);
        assertThat(health.earliestCause()).isSameAs(seen);

        Health other = Health.root("other");
        other.lose(middle);
        other.consider(report);
        assertThat(other.rootCause()).as("of the report alone").isSameAs(middle);
        other.consider(seen);
        assertThat(other.rootCause()).isSameAs(report);
    }

    private static Cause aboutNine(CauseKind kind, int observer, long atEpochMs) {
        return Cause.builder(kind)
                .subjectProcess(9)
                .observerProcess(observer)
                .observedAtEpochMs(atEpochMs)
                .generation(1)
                .build();
    }

    @Test
    void shouldChooseTheEarliestOrWhatTheFailedProcessSaysOfItself() {
        Cause selfReport = Cause.builder(CauseKind.WORKER_PANICKED)
                .subjectProcess(2)
                .observerProcess(2)
                .generation(3)
                .observedAtEpochMs(CauseFixture.AT_EPOCH_MS + 9)
                .build();

        assertThat(Cause.rootOf(List.of(middle))).isSameAs(middle);
        assertThat(Cause.rootOf(List.of(latest, earliest, middle, earliest))).isSameAs(earliest);
        assertThat(Cause.rootOf(List.of(earliest, selfReport, latest))).isSameAs(selfReport);
    }

    @Test
    void shouldChooseNoRootAmongNoCauses() {
        assertThatThrownBy(() -> Cause.rootOf(List.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageEndingWith("causes=0");
    }

    /** Every survivor passes the same event on; it is one event, however often it is told. */
    @Test
    void shouldListAnEventOnceWhenManyReportIt() {
        health.lose(middle);
        for (int reporter = 0; reporter < 100; reporter++) {
            health.consider(middle.reportedBy(reporter));
            health.lose(latest.reportedBy(reporter));
        }

        assertThat(health.rootCause()).isSameAs(middle);
        assertThat(health.secondaryCauses()).hasSize(1);
        assertThat(health.secondaryCount()).isEqualTo(1);
    }

    @Test
    void shouldOnlyCountWhenMoreCausesComeThanAreKept() {
        health.lose(earliest);
        List<Cause> others =
                LongStream.rangeClosed(10, 109).mapToObj(CauseFixture::number).toList();
        others.forEach(health::lose);

        assertThat(health.secondaryCauses()).isEqualTo(others.subList(0, CauseLedger.CAPACITY));
        assertThat(health.secondaryCount()).isEqualTo(100);
    }

    @Test
    void shouldFollowTheParentWhenLostThroughIt() {
        Health query = health.child("query");
        Health stage = query.child("stage");
        health.lose(middle);
        health.consider(earliest);
        query.lose(latest);

        assertThat(stage.firstCause()).isSameAs(middle);
        assertThat(stage.rootCause()).isSameAs(earliest);
        assertThat(stage.secondaryCauses()).containsExactly(middle, latest);
        assertThat(health.secondaryCauses()).containsExactly(middle);
    }

    /** Law L12: what one query knows does not become the cluster's root cause. */
    @Test
    void shouldNotMoveTheParentsRootCauseWhenAChildConsiders() {
        Health query = health.child("query");
        health.lose(middle);

        assertThat(query.consider(earliest)).isFalse();

        assertThat(health.rootCause()).isSameAs(middle);
        assertThat(query.rootCause()).isSameAs(middle);
        assertThat(query.secondaryCauses()).containsExactly(earliest);
        assertThat(query.secondaryCount()).isEqualTo(1);
    }

    @Test
    void shouldShareOneRootCauseWhenTheChildSharesItsParentsFate() {
        Health shared = health.child("shared", Escalation.TO_PARENT);
        shared.lose(middle);

        assertThat(shared.consider(earliest)).isTrue();
        shared.settle();

        assertThat(health.rootCause()).isSameAs(earliest);
        assertThat(shared.rootCause()).isSameAs(earliest);
        assertThat(health.consider(CauseFixture.number(0))).isFalse();
    }

    /** A wake-up runs between the loss of the child and that of the parent. */
    @Test
    void shouldShareOneRootCauseWhenOneIsConsideredOnTheWayUp() {
        Health shared = health.child("shared", Escalation.TO_PARENT);
        shared.addWakeup(() -> shared.consider(earliest));

        shared.lose(middle);

        assertThat(health.rootCause()).isSameAs(earliest);
        assertThat(shared.rootCause()).isSameAs(earliest);
        assertThat(shared.secondaryCauses()).containsExactly(middle);
    }

    /**
     * A process that was frozen while forming wakes, finds everybody gone, and gives up: that is a consequence, also if its
     * clock is slow, and also if it is heard of first.
     */
    @Test
    void shouldNotLetGivingUpOutrankWhatItFollowedFrom() {
        Cause gaveUp = Cause.builder(CauseKind.FORMATION_ABANDONED)
                .subjectProcess(middle.subjectProcess())
                .observerProcess(middle.subjectProcess())
                .generation(middle.generation())
                .observedAtEpochMs(earliest.observedAtEpochMs())
                .build();
        assertThat(gaveUp.isSelfReport()).isFalse();
        health.lose(gaveUp);

        assertThat(health.consider(middle)).isTrue();
        assertThat(health.consider(gaveUp.reportedBy(1))).isFalse();

        assertThat(health.rootCause()).isSameAs(middle);
        assertThat(health.secondaryCauses()).containsExactly(gaveUp);
    }

    /** The panic of one query is settled in that query, while the cluster stays healthy. */
    @Test
    void shouldChooseByItselfWhenTheParentIsHealthy() {
        Health query = health.child("query");
        query.lose(latest);
        query.consider(middle);
        query.settle();
        query.consider(earliest);

        assertThat(query.rootCause()).isSameAs(middle);
        assertThat(query.secondaryCauses()).containsExactly(latest, earliest);
        assertThat(health.state()).isEqualTo(HealthState.HEALTHY);
    }
}
