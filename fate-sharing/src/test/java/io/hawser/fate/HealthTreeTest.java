package io.hawser.fate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Law L12: health is scoped; a failure goes down the tree, never up unless asked to. */
class HealthTreeTest {
    private final Health cluster = Health.root("cluster");
    private final Health query = cluster.child("query-1");
    private final Health stage = query.child("stage-a");
    private final Health sibling = cluster.child("query-2");
    private final Cause cause = CauseFixture.number(1);
    private final Cause other = CauseFixture.number(2);

    @Test
    void shouldGoDownWhenLost() {
        assertThat(cluster.lose(cause)).isTrue();

        for (Health scope : new Health[] {query, stage, sibling}) {
            assertThat(scope.firstCause()).isSameAs(cause);
        }
    }

    @Test
    void shouldNotGoUpOrAsideWhenLost() {
        assertThat(query.lose(cause)).isTrue();

        assertThat(stage.firstCause()).isSameAs(cause);
        assertThat(sibling.state()).isEqualTo(HealthState.HEALTHY);
        assertThat(cluster.state()).isEqualTo(HealthState.HEALTHY);
    }

    @Test
    void shouldGoUpAndFromThereDownWhenAskedTo() {
        Health shared = cluster.child("shared", Escalation.TO_PARENT);
        Health deep = shared.child("deep", Escalation.TO_PARENT);

        assertThat(deep.lose(cause)).isTrue();

        for (Health scope : new Health[] {deep, shared, cluster, query, stage, sibling}) {
            assertThat(scope.firstCause()).isSameAs(cause);
            assertThat(scope.secondaryCauses()).isEmpty();
        }
    }

    @Test
    void shouldKeepItsOwnCauseWhenItWasLostBeforeItsParent() {
        query.lose(cause);
        cluster.lose(other);

        assertThat(query.rootCause()).isSameAs(cause);
        assertThat(stage.rootCause()).isSameAs(cause);
        assertThat(sibling.rootCause()).isSameAs(other);
        assertThat(query.secondaryCauses()).isEmpty();
    }

    @Test
    void shouldStayEndedWhenTheParentIsLost() {
        query.end();
        cluster.lose(cause);

        assertThat(query.state()).isEqualTo(HealthState.ENDED);
        assertThat(stage.state()).isEqualTo(HealthState.ENDED);
    }

    @Test
    void shouldEndWhatIsBelowWhenEnded() {
        query.lose(cause);

        assertThat(cluster.end()).isTrue();

        assertThat(sibling.state()).isEqualTo(HealthState.ENDED);
        assertThat(query.state()).isEqualTo(HealthState.LOST);
    }

    @Test
    void shouldBeBornLostWhenTheParentIsLost() {
        cluster.lose(cause);
        Health late = cluster.child("late");

        assertThat(late.firstCause()).isSameAs(cause);
        assertThat(cluster.childCount()).isZero();
    }

    @Test
    void shouldRefuseAChildWhenEnded() {
        cluster.end();

        assertThatIllegalStateException()
                .isThrownBy(() -> cluster.child("late"))
                .withMessageEndingWith("name=cluster");
        assertThat(cluster.childCount()).isZero();
    }

    @Test
    void shouldRefuseAChildWhenTheTreeIsTooDeep() {
        Health deepest = IntStream.range(1, Health.MAX_DEPTH)
                .boxed()
                .reduce(cluster, (scope, i) -> scope.child("at-" + i), (a, b) -> b);

        assertThatIllegalStateException()
                .isThrownBy(() -> deepest.child("beyond"))
                .withMessageEndingWith("depth=" + Health.MAX_DEPTH);
        cluster.lose(cause);
        assertThat(deepest.isLost()).isTrue();
    }

    @Test
    void shouldForgetItsChildrenWhenTheyEndOrAreLost() {
        assertThat(cluster.childCount()).isEqualTo(2);
        sibling.close();
        assertThat(cluster.childCount()).isEqualTo(1);
        query.lose(cause);
        query.close();
        assertThat(cluster.childCount()).isZero();

        for (int i = 0; i < 1_000; i++) {
            cluster.child("never-closed-" + i).lose(cause);
        }
        // the last one is dropped when the next is made
        assertThat(cluster.childCount()).isEqualTo(1);
    }

    @Test
    void shouldHoldNothingWhenLost() {
        query.addWakeup(() -> {});
        cluster.addWakeup(() -> {});
        cluster.lose(cause);

        assertThat(cluster.childCount() + query.childCount()).isZero();
        assertThat(cluster.wakeupCount() + query.wakeupCount()).isZero();
    }

    @Test
    void shouldNameTheScopeThatStopsWhenOnlyThatOneFailed() {
        query.lose(cause);

        assertThatExceptionOfType(HealthLostException.class)
                .isThrownBy(stage::check)
                .withMessageContaining("; scope query-1 of generation 3 stops; ");
        assertThat(query.toString()).contains("scope query-1 of generation 3 stops");
    }

    @Test
    void shouldNameAllWorkersWhenTheWholeClusterFailed() {
        cluster.lose(cause);

        assertThatExceptionOfType(HealthLostException.class)
                .isThrownBy(stage::check)
                .withMessage(cause.describe());
    }
}
