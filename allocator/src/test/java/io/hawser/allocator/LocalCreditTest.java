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

    /** A window that is used up often grows as far as the pool lends; one that is used up once in a while does not. */
    @Test
    void shouldGrowWhenItLacksOften() {
        final LocalCredit credit = credit(4, 1, WINDOW);
        nowNs = 1_000_000_000;
        credit.noteLack();
        assertThat(pool.freeBytes()).isEqualTo(4 * WINDOW);
        nowNs += 1_000_000;
        credit.noteLack();
        assertThat(pool.freeBytes()).isEqualTo(3 * WINDOW);
        nowNs += 1_000_000;
        credit.noteLack();
        assertThat(pool.freeBytes()).isEqualTo(WINDOW);
        nowNs += 1_000_000;
        credit.noteLack(); // as wide as may be
        assertThat(pool.freeBytes()).isEqualTo(WINDOW);
        assertThat(credit.wholeLimit()).isEqualTo(2 * WINDOW - credit.address().charge(0));
        credit.close();
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
        final LocalCredit credit = new LocalCredit(address(SOURCE, 1), Long.MAX_VALUE, false, pool, signal);
        assertThat(credit.creditBytes()).isEqualTo(Long.MAX_VALUE);
        assertThat(credit.wholeLimit()).isEqualTo(Long.MAX_VALUE);
        assertThat(credit.isStuckWithout(SOURCE, Long.MAX_VALUE)).isFalse();
        credit.charge(1_000);
        credit.consumed(SOURCE, 1_000);
        credit.close();
        assertThat(pool.freeBytes()).isEqualTo(4 * WINDOW);
    }

    private LocalCredit credit(final int firstTarget, final int targetCount, final int window) {
        return new LocalCredit(address(firstTarget, targetCount), window, true, pool, signal);
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
