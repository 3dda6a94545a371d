package io.hawser.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.transport.MemoryAccount;
import io.hawser.transport.MessageTooLargeException;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

class AssemblyTest {
    private static final int LIMIT = 200_000;

    private final Deliveries deliveries = new Deliveries(new MemoryAccount());
    private final Assembly assembly = new Assembly(LIMIT);
    private final Pattern pattern = new Pattern();

    @Property(tries = 100)
    void shouldPutTogetherWhateverTheCuts(
            @ForAll @IntRange(min = 2, max = LIMIT) final int length, @ForAll final long seed) {
        final SplittableRandom random = new SplittableRandom(seed);
        int done = 0;
        while (done < length) {
            assertThat(assembly.isComplete()).isFalse();
            final int rest = length - done;
            final int most = Math.min(done == 0 ? rest - 1 : rest, 4_000);
            final int count = 1 + random.nextInt(most);
            final Delivery fragment = deliveries.fragment(7, 3, seed, length, done, count);
            if (done == 0) {
                assembly.begin(fragment, 7);
            } else {
                assembly.append(fragment);
            }
            fragment.release();
            done += count;
            assertThat(assembly.length()).isEqualTo(done);
        }
        assertThat(assembly.isComplete()).isTrue();
        assertThat(assembly.sourceWorker()).isEqualTo(3);
        assertThat(pattern.matches(seed, 0, assembly.buffer(), 0, length)).isTrue();
        assembly.end(random.nextBoolean());
        assertThat(assembly.isActive()).isFalse();
        assertThat(assembly.isComplete()).isFalse();
    }

    /** L7: who announces much and sends little takes little. */
    @Test
    void shouldTakeMemoryForWhatHasComeOnly() {
        final Assembly large = new Assembly(Integer.MAX_VALUE);
        large.begin(deliveries.fragment(0, 0, 1, Integer.MAX_VALUE, 0, 1_000), 0);
        assertThat(large.buffer().capacity()).isLessThanOrEqualTo(64 * 1024);
        assembly.begin(deliveries.fragment(0, 0, 1, 1_500, 0, 1_000), 0);
        assertThat(assembly.buffer().capacity()).isEqualTo(1_500);
    }

    @Test
    void shouldRefuseWhatIsTooLongAndTakeTheNextOne() {
        assertThatThrownBy(() -> assembly.begin(deliveries.fragment(7, 3, 1, LIMIT + 1, 0, 100), 7))
                .isInstanceOf(MessageTooLargeException.class)
                .hasMessageContaining("from worker 3 on channel 7")
                .hasMessageEndingWith("messageLength=" + (LIMIT + 1) + " assemblyLimit=" + LIMIT);
        assertThat(assembly.isActive()).isFalse();
        assembly.begin(deliveries.fragment(7, 3, 1, LIMIT, 0, 100), 7);
        assertThat(assembly.isActive()).isTrue();
    }

    /** What is retained stays as it is; what is not may be written over. */
    @Test
    void shouldLeaveRetainedBytesAlone() {
        assembly.begin(deliveries.fragment(0, 0, 1, 1_001, 0, 1_000), 0);
        assembly.append(deliveries.fragment(0, 0, 1, 1_001, 1_000, 1));
        final DirectBuffer kept = new UnsafeBuffer(assembly.buffer());
        assembly.end(true);
        assembly.begin(deliveries.fragment(0, 0, 2, 1_001, 0, 1_000), 0);
        assertThat(pattern.matches(1, 0, kept, 0, 1_001)).isTrue();
    }

    /** L7: a long message's memory is not kept for the next one. */
    @Test
    void shouldGiveUpMemoryOfLongMessages() {
        final int length = 100_000;
        for (int done = 0; done < length; done += 4_000) {
            final Delivery fragment = deliveries.fragment(0, 0, 1, length, done, 4_000);
            if (done == 0) {
                assembly.begin(fragment, 0);
            } else {
                assembly.append(fragment);
            }
        }
        assembly.end(false);
        assertThat(assembly.buffer().capacity()).isZero();
    }
}
