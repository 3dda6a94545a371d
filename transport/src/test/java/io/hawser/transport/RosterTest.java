package io.hawser.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** L5: who holds what of which generation, decided alike by all from the same greetings. */
class RosterTest {
    private static Former former(long generation, long incarnation, int process) {
        return new Former(generation, incarnation, process, 8, 2);
    }

    private static Roster roster(Former... formers) {
        List<Roster.Member> members = new ArrayList<>();
        for (Former former : formers) {
            int process = members.size();
            members.add(new Roster.Member(process, 100 + process, "host", "a:1", 1_000L + process, former));
        }
        return new Roster(members);
    }

    @Test
    void shouldKnowNoFormerGenerationWhenAllAreNew() {
        Roster roster = roster(Former.NONE, Former.NONE);

        assertThat(roster.formerGeneration()).isZero();
        assertThat(roster.formerProcessCount()).isZero();
        assertThat(roster.isSurvivor(0)).isFalse();
        assertThat(roster.heirOf(0)).isEqualTo(-1);
        assertThat(roster.incarnation()).isEqualTo(2_001);
        assertThat(roster.toString()).contains("process 1 at a:1 is new");
    }

    @Test
    void shouldNameTheHeirsOfASmallerClusterWithOtherIndexes() {
        Roster roster = roster(former(5, 9, 7), Former.NONE, former(5, 9, 0));

        assertThat(roster.formerGeneration()).isEqualTo(5);
        assertThat(roster.formerProcessCount()).isEqualTo(8);
        assertThat(roster.formerWorkersPerProcess()).isEqualTo(2);
        assertThat(roster.heirOf(7)).isZero();
        assertThat(roster.heirOf(0)).isEqualTo(2);
        assertThat(roster.heirOf(1)).isEqualTo(-1);
        assertThat(roster.isSurvivor(1)).isFalse();
        assertThat(roster.toString()).contains("process 0 at a:1 was process 7");
    }

    /** Case 24: what sleeps for long and comes back with a great number does not make newcomers of all others. */
    @Test
    void shouldGoByTheMostThatBelongTogetherAndNotByTheGreatestNumber() {
        Roster roster = roster(former(3, 9, 0), former(1L << 61, 4, 1), former(3, 9, 2));

        assertThat(roster.formerGeneration()).isEqualTo(3);
        assertThat(roster.isSurvivor(1)).isFalse();
        assertThat(roster.heirOf(1)).isEqualTo(-1);
    }

    @Test
    void shouldTellGenerationsOfOneNumberApart() {
        Roster roster = roster(former(3, 9, 0), former(3, 10, 1), former(3, 9, 2), Former.NONE);

        assertThat(roster.isSurvivor(0)).isTrue();
        assertThat(roster.isSurvivor(1)).isFalse();
    }

    @Test
    void shouldComeToTheSameInAnyOrder() {
        Former[] formers = {former(3, -9, 0), former(4, 5, 1), former(3, -9, 2), former(4, 5, 3), Former.NONE};
        Roster roster = roster(formers);
        assertThat(roster.formerGeneration()).isEqualTo(4);
        Former[] equal = {former(4, 5, 0), former(4, -5, 1)};
        assertThat(roster(equal).isSurvivor(1))
                .as("the greater incarnation, unsigned")
                .isTrue();
        assertThat(roster(equal[1], equal[0]).isSurvivor(0)).isTrue();
    }

    @Test
    void shouldRefusePlacesThatCannotHaveBeen() {
        assertThatThrownBy(() -> new Former(0, 0, 1, 0, 0)).hasMessageContaining("processIndex=1");
        assertThatThrownBy(() -> new Former(1, 0, 2, 2, 1)).hasMessageContaining("processCount=2");
        assertThatThrownBy(() -> new Former(1, 0, 0, 1, 0)).hasMessageContaining("workersPerProcess=0");
        assertThatThrownBy(() -> new Former(-1, 0, 0, 1, 1)).hasMessageContaining("generation=-1");
        assertThat(former(1, 0, 3).worker(1)).isEqualTo(7);
        assertThatThrownBy(() -> former(1, 0, 3).worker(2)).isInstanceOf(IndexOutOfBoundsException.class);
    }
}
