package io.hawser.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.fate.Clock;
import io.hawser.transport.LaneAddress;
import io.hawser.transport.WindowPool;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class LocalCreditTest {
    private static final int WINDOW = 4_096;
    private static final int SOURCE = 3;

    private final Inbox inbox = new Inbox();
    private final RoomSignal signal = new RoomSignal(inbox);
    private long nowNs;
    private final WindowPool pool = new WindowPool(4 * WINDOW, 4 * WINDOW, clock());

    /** Case 104: what was sent and not consumed, and what may be sent, are the window at any time, whatever else happens. */
    @Property(tries = 200)
    void shouldBalanceWhateverIsSentAndConsumed(@ForAll final long seed) {
        final SplittableRandom random = new SplittableRandom(seed);
        final LocalCredit credit = credit(4, 3, WINDOW);
        final long[] held = new long[3];
        for (int i = 0; i < 300; i++) {
            final int charge = credit.address().charge(8 * (1 + random.nextInt(60)));
            if (random.nextBoolean()
                    && charge <= credit.creditBytes() + credit.address().charge(0)) {
                credit.charge(charge - credit.address().charge(0));
                for (int target = 0; target < held.length; target++) {
                    held[target] += charge;
                }
            } else {
                final int target = random.nextInt(held.length);
                final long part = random.nextLong(held[target] + 1);
                credit.consumed(4 + target, (int) part);
                held[target] -= part;
            }
            final long most = Math.max(held[0], Math.max(held[1], held[2]));
            assertThat(credit.creditBytes() + credit.address().charge(0) + most).isEqualTo(WINDOW);
            assertThat(credit.sent() - credit.least()).isEqualTo(most);
        }
    }

    @Test
    void shouldSignalOnceWhenTheSlowestHasConsumedHalf() {
        final LocalCredit credit = credit(4, 2, WINDOW);
        credit.charge(WINDOW - credit.address().charge(0));
        credit.want();
        assertThat(credit.isHalfFree()).isFalse();
        credit.consumed(4, WINDOW);
        credit.consumed(5, WINDOW / 2 - 8);
        assertThat(signal.isSet()).isFalse();
        credit.consumed(5, 8);
        assertThat(signal.isSet()).isTrue();
        assertThat(credit.isHalfFree()).isTrue();
        signal.clear();
        credit.consumed(5, 8);
        assertThat(signal.isSet()).isFalse();
        credit.want();
        credit.wantNothing();
        credit.consumed(5, WINDOW / 4);
        assertThat(signal.isSet()).isFalse();
    }

    /** A window of which half is read quickly grows as far as the pool lends; one that is read slowly does not. */
    @Test
    void shouldGrowWhenHalfIsReadQuickly() {
        final LocalCredit credit = credit(4, 1, WINDOW);
        nowNs = 1_000_000_000;
        lack(credit, 0, WINDOW / 2);
        assertThat(pool.freeBytes()).isEqualTo(4 * WINDOW);
        lack(credit, 10_000_000, WINDOW);
        assertThat(pool.freeBytes()).isEqualTo(4 * WINDOW);
        lack(credit, 3_000_000, WINDOW / 2);
        assertThat(pool.freeBytes()).isEqualTo(3 * WINDOW);
        lack(credit, 1_000_000, WINDOW - 8);
        lack(credit, 1_000_000, 8);
        assertThat(pool.freeBytes()).isEqualTo(WINDOW);
        lack(credit, 1_000_000, 4 * WINDOW); // as wide as may be
        assertThat(pool.freeBytes()).isEqualTo(WINDOW);
        assertThat(credit.wholeLimit()).isEqualTo(2 * WINDOW - credit.address().charge(0));
        credit.close();
        credit.close();
        assertThat(pool.freeBytes()).isEqualTo(4 * WINDOW);
    }

    /** However often a push is tried: who does not read needs no wider window. */
    @Test
    void shouldNotGrowWhenNothingIsRead() {
        final LocalCredit credit = credit(4, 1, WINDOW);
        for (int i = 0; i < 1_000; i++) {
            lack(credit, 1_000, 0);
        }
        lack(credit, 1_000, WINDOW / 2 - 8);
        assertThat(pool.freeBytes()).isEqualTo(4 * WINDOW);
        final LocalCredit own = credit(SOURCE, 1, WINDOW);
        own.noteLack();
        assertThat(pool.freeBytes()).isEqualTo(3 * WINDOW);
    }

    /** L7: a wide window that is read slowly goes back to the pool once others lack it, as far as what is under way allows. */
    @Test
    void shouldNarrowWhenReadSlowlyAndThePoolIsShort() {
        final LocalCredit credit = credit(4, 1, WINDOW);
        lack(credit, 0, WINDOW / 2);
        lack(credit, 1_000_000, WINDOW);
        assertThat(pool.freeBytes()).isEqualTo(WINDOW);
        final int charge = credit.address().charge(0);
        credit.charge(4 * WINDOW + (int) (credit.least() - credit.sent()) - charge);
        assertThat(credit.sent() - credit.least()).isEqualTo(4 * WINDOW);
        lack(credit, 500_000_000, 0);
        credit.consumed(4, 3 * WINDOW);
        credit.want();
        assertThat(pool.freeBytes()).isEqualTo(WINDOW); // not short

        assertThat(pool.tryTake(1)).isTrue();
        lack(credit, 500_000_000, 0);
        credit.charge(2 * WINDOW);
        assertThat(pool.freeBytes()).isEqualTo(WINDOW - 1); // too much is under way
        credit.consumed(4, WINDOW + charge);
        credit.want();
        assertThat(pool.freeBytes()).isEqualTo(3 * WINDOW - 1);
        assertThat(credit.creditBytes()).isEqualTo(-charge);
        assertThat(credit.isHalfFree()).isFalse();
        credit.consumed(4, WINDOW);
        assertThat(signal.isSet()).isTrue();
        credit.consumed(4, WINDOW);
        credit.close();
        assertThat(pool.freeBytes()).isEqualTo(4 * WINDOW - 1);
    }

    /** L7: what was borrowed is given back by whoever consumes the last, not before. */
    @Test
    void shouldGiveBackWhenTheLastIsConsumedAfterClose() {
        final LocalCredit credit = credit(SOURCE, 2, WINDOW);
        credit.noteLack();
        assertThat(pool.freeBytes()).isEqualTo(3 * WINDOW);
        credit.charge(WINDOW);
        final int bytes = (int) credit.sent();
        credit.close();
        credit.consumed(SOURCE, bytes);
        credit.consumed(SOURCE + 1, bytes - 1);
        assertThat(credit.isSettled()).isFalse();
        assertThat(pool.freeBytes()).isEqualTo(3 * WINDOW);
        credit.consumed(SOURCE + 1, 1);
        assertThat(credit.isSettled()).isTrue();
        assertThat(pool.freeBytes()).isEqualTo(4 * WINDOW);
        credit.close();
        assertThat(pool.freeBytes()).isEqualTo(4 * WINDOW);
    }

    /** Who would wait for itself gets what there is at once, and for a message that has to be cut as much as that takes. */
    @Test
    void shouldBeStuckOnlyWhenThePoolIsNoHelp() {
        final LocalCredit credit = credit(SOURCE, 1, WINDOW);
        final int charge = credit.address().charge(0);
        assertThat(credit.isStuckWithout(SOURCE, WINDOW - charge)).isFalse();
        assertThat(pool.freeBytes()).isEqualTo(4 * WINDOW);
        assertThat(credit.isStuckWithout(SOURCE, WINDOW - charge + 1)).isFalse();
        assertThat(pool.freeBytes()).isEqualTo(3 * WINDOW);
        assertThat(credit.isStuckWithout(SOURCE, 4 * WINDOW - charge + 1)).isTrue();
        assertThat(credit.isStuckWithout(SOURCE, 4 * WINDOW - charge)).isFalse();
        assertThat(credit.isStuckWithout(SOURCE + 1, 100 * WINDOW)).isFalse();
        credit.close();
        assertThat(pool.freeBytes()).isEqualTo(4 * WINDOW);
    }

    @Test
    void shouldCountNothingWhenUnbounded() {
        final LocalCredit credit =
                new LocalCredit(address(SOURCE, 1), Long.MAX_VALUE, false, pool, signal, new GoneTargets(SOURCE, 1));
        assertThat(credit.creditBytes()).isEqualTo(Long.MAX_VALUE);
        assertThat(credit.wholeLimit()).isEqualTo(Long.MAX_VALUE);
        assertThat(credit.isStuckWithout(SOURCE, Long.MAX_VALUE)).isFalse();
        credit.charge(1_000);
        credit.consumed(SOURCE, 1_000);
        credit.close();
        assertThat(pool.freeBytes()).isEqualTo(4 * WINDOW);
    }

    /** Some time later the lane is used up again, and so much has been read meanwhile. */
    private void lack(final LocalCredit credit, final long laterNs, final int bytes) {
        nowNs += laterNs;
        for (int i = 0; i < credit.address().targetCount(); i++) {
            credit.consumed(credit.address().firstTarget() + i, bytes);
        }
        credit.noteLack();
    }

    private LocalCredit credit(final int firstTarget, final int targetCount, final int window) {
        return new LocalCredit(
                address(firstTarget, targetCount),
                window,
                true,
                pool,
                signal,
                new GoneTargets(firstTarget, targetCount));
    }

    private static LaneAddress address(final int firstTarget, final int targetCount) {
        return new LaneAddress(0, 1, SOURCE, firstTarget, targetCount);
    }

    private Clock clock() {
        final Clock system = Clock.system();
        return new Clock() {
            @Override
            public long nanoTime() {
                return nowNs;
            }

            @Override
            public long epochMs() {
                return system.epochMs();
            }
        };
    }
}
