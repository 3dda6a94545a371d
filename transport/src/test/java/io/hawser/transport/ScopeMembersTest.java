package io.hawser.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ScopeMembersTest {

    @Test
    void shouldContainEveryWorkerWhenAllAreMembers() {
        final ScopeMembers all = ScopeMembers.all();
        assertThat(all.isAll()).isTrue();
        assertThat(all.contains(0)).isTrue();
        assertThat(all.contains(1_000_000)).isTrue();
        assertThat(all.countIn(7, 3)).isEqualTo(3);
        assertThat(all.isBeyond(1)).isFalse();
        assertThat(all).hasToString("all workers");
    }

    @Test
    void shouldContainWhoIsNamedAndNobodyElse() {
        final ScopeMembers some = ScopeMembers.of(130, 2, 3, 2, 63, 64);
        assertThat(some.isAll()).isFalse();
        for (int worker = 0; worker < 300; worker++) {
            assertThat(some.contains(worker))
                    .as("worker %d", worker)
                    .isEqualTo(worker == 2 || worker == 3 || worker == 63 || worker == 64 || worker == 130);
        }
        assertThat(some.countIn(0, 4)).isEqualTo(2);
        assertThat(some.countIn(1, 4)).isZero();
        assertThat(some.countIn(15, 4)).isOne();
        assertThat(some.countIn(16, 4)).isOne();
        assertThat(some).hasToString("workers {2, 3, 63, 64, 130}");
    }

    @Test
    void shouldTellWhetherThereIsOneTooMany() {
        assertThat(ScopeMembers.of(0, 5).isBeyond(6)).isFalse();
        assertThat(ScopeMembers.of(0, 5).isBeyond(5)).isTrue();
        assertThat(ScopeMembers.of(0, 63).isBeyond(64)).isFalse();
        assertThat(ScopeMembers.of(0, 64).isBeyond(64)).isTrue();
        assertThat(ScopeMembers.ofLongs(new long[] {Long.MIN_VALUE}).isBeyond(63))
                .isTrue();
    }

    /** As they come from the wire there may be zeroes at the end. */
    @Test
    void shouldBeEqualWhenTheSameAreNamed() {
        final ScopeMembers some = ScopeMembers.of(0, 2);
        assertThat(ScopeMembers.of(2, 0, 2)).isEqualTo(some).hasSameHashCodeAs(some);
        assertThat(ScopeMembers.ofLongs(new long[] {5, 0})).isEqualTo(some).hasSameHashCodeAs(some);
        assertThat(ScopeMembers.ofLongs(new long[] {5, 1})).isNotEqualTo(some);
        assertThat(ScopeMembers.ofLongs(new long[0])).isSameAs(ScopeMembers.all());
        assertThat(ScopeMembers.all()).isNotEqualTo(some);
    }

    /** Nobody is not everybody. */
    @Test
    void shouldNotTakeNobodyForAll() {
        final ScopeMembers nobody = ScopeMembers.ofLongs(new long[] {0});
        assertThat(nobody.isAll()).isFalse();
        assertThat(nobody.countIn(0, 64)).isZero();
        assertThat(nobody).isNotEqualTo(ScopeMembers.all());
    }

    @Test
    void shouldComeBackFromTheWireAsTheyWere() {
        final ScopeMembers most = ScopeMembers.of(0, ScopeMembers.NAMED_MAX - 1);
        assertThat(most.longs()).hasSize(64);
        assertThat(ScopeMembers.ofLongs(most.longs())).isEqualTo(most);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, Integer.MIN_VALUE, ScopeMembers.NAMED_MAX, Integer.MAX_VALUE})
    void shouldRefuseAMemberThatCannotBeNamed(final int worker) {
        assertThatThrownBy(() -> ScopeMembers.of(0, worker))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageEndingWith("worker=" + worker);
    }

    @Test
    void shouldRefuseAScopeWithoutMembers() {
        assertThatThrownBy(ScopeMembers::of)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageEndingWith("workers=0");
    }
}
