package io.hawser.fate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Laws L2 and L12 on random trees under random orders of lose, end, consider, settle, child and close, against a model. */
class HealthTreePropertyTest {
    private static final int STEP_COUNT = 60;

    /** What the model knows of a scope: the word, as the plain rule says it should be. */
    private static final class Node {
        final Health health;
        final Node parent;
        final boolean isEscalating;
        final List<Node> children = new ArrayList<>();
        HealthState state = HealthState.HEALTHY;
        Cause first;
        Cause settledRoot;
        int wakeCount;

        Node(Health health, Node parent, boolean isEscalating) {
            this.health = health;
            this.parent = parent;
            this.isEscalating = isEscalating;
            health.addWakeup(() -> wakeCount++);
        }

        void lose(Cause cause) {
            if (state != HealthState.HEALTHY) {
                return;
            }
            inherit(cause);
            if (isEscalating) {
                parent.lose(cause);
            }
        }

        void inherit(Cause cause) {
            if (state == HealthState.HEALTHY) {
                state = HealthState.LOST;
                first = cause;
                children.forEach(child -> child.inherit(cause));
            }
        }

        void end() {
            if (state == HealthState.HEALTHY) {
                state = HealthState.ENDED;
                children.forEach(Node::end);
            }
        }
    }

    @Property(tries = 150)
    void shouldFollowTheRulesOfTheTreeWhateverHappensInWhateverOrder(@ForAll long seed) {
        Random random = new Random(seed);
        List<Node> nodes = new ArrayList<>();
        nodes.add(new Node(Health.root("root"), null, false));

        for (int step = 0; step < STEP_COUNT; step++) {
            Node node = nodes.get(random.nextInt(nodes.size()));
            Map<Node, HealthState> before = states(nodes);
            act(random, nodes, node, step);
            nodes.forEach(HealthTreePropertyTest::check);
            checkNothingRecovered(before);
        }
    }

    private static void act(Random random, List<Node> nodes, Node node, int step) {
        // few losses in a long life, so that trees grow before they fall
        switch (random.nextInt(16)) {
            case 0 -> lose(node, CauseFixture.number(random.nextInt(1_000)));
            case 1 -> consider(node, CauseFixture.number(random.nextInt(1_000)));
            case 2 -> assertThat(node.health.end()).isEqualTo(node.state == HealthState.HEALTHY && end(node));
            case 3 -> settle(node);
            case 4 -> close(node);
            default -> addChild(nodes, node, random.nextInt(4) == 0, step);
        }
    }

    private static void lose(Node node, Cause cause) {
        boolean isFirst = node.state == HealthState.HEALTHY;
        assertThat(node.health.lose(cause)).isEqualTo(isFirst);
        node.lose(cause);
    }

    private static void consider(Node node, Cause cause) {
        boolean isRoot = node.health.consider(cause);
        node.lose(cause);
        assertThat(isRoot).isEqualTo(node.state == HealthState.LOST && node.health.rootCause() == cause);
    }

    private static boolean end(Node node) {
        node.end();
        return true;
    }

    private static void close(Node node) {
        node.health.close();
        node.end();
    }

    private static void settle(Node node) {
        node.health.settle();
        boolean isOwn = node.parent == null || node.parent.first != node.first && !node.isEscalating;
        if (node.state == HealthState.LOST && isOwn) {
            node.settledRoot = node.settledRoot == null ? node.health.rootCause() : node.settledRoot;
        }
    }

    private static void addChild(List<Node> nodes, Node parent, boolean isEscalating, int step) {
        int depth = 0;
        for (Node at = parent; at != null; at = at.parent) {
            depth++;
        }
        if (parent.state == HealthState.ENDED || depth == Health.MAX_DEPTH) {
            return;
        }
        Escalation escalation = isEscalating ? Escalation.TO_PARENT : Escalation.CONTAINED;
        Node child = new Node(parent.health.child("s" + step, escalation), parent, isEscalating);
        child.state = parent.state;
        child.first = parent.first;
        parent.children.add(child);
        nodes.add(child);
    }

    private static void check(Node node) {
        assertThat(node.health.state()).isEqualTo(node.state);
        assertThat(node.health.firstCause()).isSameAs(node.first);
        assertThat(node.wakeCount).isEqualTo(node.state == HealthState.LOST ? 1 : 0);
        if (node.state != HealthState.HEALTHY) {
            assertThat(node.children).noneMatch(child -> child.health.state() == HealthState.HEALTHY);
        }
        if (node.state == HealthState.LOST) {
            checkRoot(node);
        }
    }

    private static void checkRoot(Node node) {
        Cause root = node.health.rootCause();
        assertThat(node.first.precedes(root)).isFalse();
        assertThat(node.health.secondaryCauses()).noneMatch(root::sameEvent);
        if (node.settledRoot != null) {
            assertThat(root).isSameAs(node.settledRoot);
        }
        if (node.parent != null && node.parent.first == node.first) {
            assertThat(root).isSameAs(node.parent.health.rootCause());
        }
    }

    private static void checkNothingRecovered(Map<Node, HealthState> before) {
        before.forEach((node, state) -> {
            if (state != HealthState.HEALTHY) {
                assertThat(node.state).isEqualTo(state);
            }
        });
    }

    private static Map<Node, HealthState> states(List<Node> nodes) {
        Map<Node, HealthState> states = new HashMap<>();
        nodes.forEach(node -> states.put(node, node.state));
        return states;
    }
}
