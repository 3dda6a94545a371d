package io.hawser.transport;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Up to where rings had been filled when workers were done with a scope. What lies before that is sent, or skipped, sooner or later.
 *
 * <p><em>Threading:</em> {@link Scopes} guards it.
 */
final class SentMarks {

    private record Mark(int process, SendRingDrain drain, long position) {
        boolean isPassed() {
            return drain.isReleased() || drain.passedPosition() >= position;
        }
    }

    private final List<Mark> marks = new ArrayList<>();

    /** Marks where a worker's rings are now; by that worker's thread. */
    void add(final SendRing[] rings) {
        for (int process = 0; process < rings.length; process++) {
            if (rings[process] != null) {
                marks.add(new Mark(process, rings[process].drain(), rings[process].publishedPosition()));
            }
        }
    }

    void clear() {
        marks.clear();
    }

    /** Whether all rings are past their marks. */
    boolean arePassed() {
        return marks.stream().allMatch(Mark::isPassed);
    }

    /** To be asked later: whether the rings to one process are past their marks. */
    BooleanSupplier passedTo(final int process) {
        final List<Mark> towards =
                marks.stream().filter(mark -> mark.process() == process).toList();
        return () -> towards.stream().allMatch(Mark::isPassed);
    }
}
