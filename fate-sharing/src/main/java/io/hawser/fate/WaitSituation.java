package io.hawser.fate;

import java.util.ArrayList;
import java.util.List;

/**
 * All waits that lead to one root.
 *
 * @param root what they lead to.
 * @param waiters who waits: those of the circle in order or those next to the root, then the others from near to far.
 */
record WaitSituation(WaitRoot root, List<Integer> waiters) {
    WaitSituation(WaitRoot root) {
        this(root, new ArrayList<>());
    }
}
