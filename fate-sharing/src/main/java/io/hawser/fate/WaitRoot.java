package io.hawser.fate;

import java.util.List;

/**
 * What waits lead to: a circle of waits, or workers that do not wait themselves.
 *
 * @param cycle the workers of the circle in order, beginning with the smallest; empty if there is none.
 * @param firstTarget otherwise the first worker waited for.
 * @param targetCount otherwise the number of workers waited for.
 */
record WaitRoot(List<Integer> cycle, int firstTarget, int targetCount) {
    static WaitRoot ofCycle(List<Integer> cycle) {
        return new WaitRoot(List.copyOf(cycle), -1, 0);
    }

    static WaitRoot ofTargets(WaitSlot slot) {
        return new WaitRoot(List.of(), slot.firstTarget(), slot.targetCount());
    }

    boolean isCycle() {
        return !cycle.isEmpty();
    }
}
