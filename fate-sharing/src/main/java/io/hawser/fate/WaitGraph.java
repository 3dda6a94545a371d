package io.hawser.fate;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.stream.IntStream;

/**
 * Who waits for whom at one moment, and what each wait leads to. An edge goes from a waiter to each of its targets that
 * waits, too; a broadcast that reaches its own worker is no wait for itself.
 *
 * <p>Workers that can all reach each other make one circle: the shortest through the smallest of them. Any other wait
 * leads to the nearest circle; if it leads to none, to the nearest wait whose targets do not wait. The result depends on
 * the waits alone, not on the order or the time in which they were told.
 *
 * <p><em>Threading:</em> not thread-safe; made for one call.
 */
final class WaitGraph {
    private static final int NONE = -1;

    private final WaitSlot[] slots;
    private final int[] waiters;
    private final int[][] targets;
    private final int[][] sources;
    private final int[] component;

    /** Of whom a search for a circle came to a worker; each component is searched once. */
    private final int[] from;

    private final int[] next;
    private final WaitSituation[] situationOf;
    private final Map<WaitRoot, WaitSituation> situations = new LinkedHashMap<>();

    WaitGraph(WaitSlot[] slots) {
        this.slots = slots;
        waiters = IntStream.range(0, slots.length)
                .filter(w -> slots[w].isWaiting())
                .toArray();
        targets = new int[slots.length][];
        sources = new int[slots.length][];
        component = filled(slots.length);
        from = filled(slots.length);
        next = filled(slots.length);
        situationOf = new WaitSituation[slots.length];
        connect();
        findComponents();
        findCycles();
        findOthers();
    }

    /** Circles first, by their smallest worker, then the others by their smallest waiter next to the root. */
    Collection<WaitSituation> situations() {
        return situations.values();
    }

    /** The target that waits itself and by which a waiter leads to its root; -1 if none of its targets waits. */
    int nextWaiter(int waiter) {
        return next[waiter];
    }

    private void connect() {
        int[] sourceCount = new int[slots.length];
        for (int waiter : waiters) {
            targets[waiter] = waitingTargets(waiter);
            for (int target : targets[waiter]) {
                sourceCount[target]++;
            }
        }
        for (int waiter : waiters) {
            sources[waiter] = new int[sourceCount[waiter]];
        }
        // from the last to the first, so that each row ends up ascending
        for (int i = waiters.length - 1; i >= 0; i--) {
            for (int target : targets[waiters[i]]) {
                sources[target][--sourceCount[target]] = waiters[i];
            }
        }
    }

    private int[] waitingTargets(int waiter) {
        WaitSlot slot = slots[waiter];
        int first = slot.firstTarget();
        return IntStream.range(first, first + slot.targetCount())
                .filter(target -> slots[target].isWaiting() && (target != waiter || slot.targetCount() == 1))
                .toArray();
    }

    /** Strongly connected components, by Kosaraju's two passes. */
    private void findComponents() {
        int[] order = finishOrder();
        Queue<Integer> reached = new ArrayDeque<>();
        for (int i = order.length - 1; i >= 0; i--) {
            int id = order[i];
            if (component[id] == NONE) {
                component[id] = id;
                reached.add(id);
            }
            while (!reached.isEmpty()) {
                for (int source : sources[reached.remove()]) {
                    if (component[source] == NONE) {
                        component[source] = id;
                        reached.add(source);
                    }
                }
            }
        }
    }

    private int[] finishOrder() {
        int[] order = new int[waiters.length];
        int[] stack = new int[waiters.length];
        int[] edge = filled(slots.length);
        int finished = 0;
        for (int start : waiters) {
            int depth = 0;
            if (edge[start] == NONE) {
                edge[start] = 0;
                stack[depth++] = start;
            }
            while (depth > 0) {
                int waiter = stack[depth - 1];
                if (edge[waiter] == targets[waiter].length) {
                    order[finished++] = waiter;
                    depth--;
                    continue;
                }
                int target = targets[waiter][edge[waiter]++];
                if (edge[target] == NONE) {
                    edge[target] = 0;
                    stack[depth++] = target;
                }
            }
        }
        return order;
    }

    private void findCycles() {
        for (int waiter : waiters) {
            List<Integer> cycle = situationOf[waiter] == null ? shortestCycle(waiter) : List.of();
            if (!cycle.isEmpty()) {
                WaitSituation situation = situation(WaitRoot.ofCycle(cycle));
                for (int i = 0; i < cycle.size(); i++) {
                    join(cycle.get(i), cycle.get((i + 1) % cycle.size()), situation);
                }
                spread(cycle, true);
            }
        }
    }

    /** The shortest way within its component from a worker back to itself, of several the first in order of workers. */
    private List<Integer> shortestCycle(int start) {
        Queue<Integer> reached = new ArrayDeque<>(List.of(start));
        while (!reached.isEmpty()) {
            int waiter = reached.remove();
            for (int target : targets[waiter]) {
                if (target == start) {
                    return path(start, waiter);
                }
                if (component[target] == component[start] && from[target] == NONE) {
                    from[target] = waiter;
                    reached.add(target);
                }
            }
        }
        return List.of();
    }

    private List<Integer> path(int start, int end) {
        List<Integer> path = new ArrayList<>();
        for (int waiter = end; waiter != start; waiter = from[waiter]) {
            path.add(waiter);
        }
        path.add(start);
        Collections.reverse(path);
        return path;
    }

    private void findOthers() {
        List<Integer> inCycles = new ArrayList<>();
        situations.values().forEach(situation -> inCycles.addAll(situation.waiters()));
        spread(inCycles, false);
        List<Integer> ends = new ArrayList<>();
        for (int waiter : waiters) {
            if (targets[waiter].length == 0) {
                join(waiter, NONE, situation(WaitRoot.ofTargets(slots[waiter])));
                ends.add(waiter);
            }
        }
        spread(ends, false);
    }

    /** Lets everybody who waits for those reached, directly or not, lead where they lead. */
    private void spread(List<Integer> roots, boolean isWithinComponent) {
        Queue<Integer> reached = new ArrayDeque<>(roots);
        while (!reached.isEmpty()) {
            int waiter = reached.remove();
            for (int source : sources[waiter]) {
                boolean isMeant = !isWithinComponent || component[source] == component[waiter];
                if (isMeant && situationOf[source] == null) {
                    join(source, waiter, situationOf[waiter]);
                    reached.add(source);
                }
            }
        }
    }

    private WaitSituation situation(WaitRoot root) {
        return situations.computeIfAbsent(root, WaitSituation::new);
    }

    private void join(int waiter, int nextWaiter, WaitSituation situation) {
        next[waiter] = nextWaiter;
        situationOf[waiter] = situation;
        situation.waiters().add(waiter);
    }

    private static int[] filled(int length) {
        int[] array = new int[length];
        Arrays.fill(array, NONE);
        return array;
    }
}
