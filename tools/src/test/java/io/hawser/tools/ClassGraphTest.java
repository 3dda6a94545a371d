package io.hawser.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class ClassGraphTest {
    private static final int PEERS = 400;

    private static ClassGraph graph;

    @BeforeAll
    static void list() throws IOException {
        graph = ClassGraph.ofRunningJdk();
    }

    @Test
    void shouldNumberClassesInTheOrderOfTheirNames() {
        assertThat(graph.classCount()).isGreaterThan(5_000);
        for (int id = 0; id < graph.classCount(); id++) {
            assertThat(graph.id(graph.name(id))).isEqualTo(id);
            if (id > 0) {
                assertThat(graph.name(id)).isGreaterThan(graph.name(id - 1));
            }
        }
    }

    @Test
    void shouldKnowClassesOnly() {
        assertThat(graph.id("java.lang.Object")).isNotNegative();
        assertThat(graph.id("java.util.Map$Entry")).isNotNegative();
        assertThat(graph.id("module-info")).isNegative();
        assertThat(graph.id("java.lang.package-info")).isNegative();
        assertThat(graph.id("io.hawser.tools.ClassGraph")).isNegative();
    }

    @Test
    void shouldLoadWhatAClassRefersTo() throws IOException {
        assertThat(referencesOf("java.lang.Integer"))
                .contains("java.lang.Number", "java.lang.Comparable", "java.lang.Integer$IntegerCache")
                .doesNotContain("java.lang.Integer", "java.lang.Thread")
                .doesNotHaveDuplicates();
    }

    @Test
    void shouldLoadOwnPortionOnly() throws IOException {
        final Portion portion = graph.load(7, PEERS);
        assertThat(portion.slotCount()).isEqualTo((graph.classCount() - 7 + PEERS - 1) / PEERS);
        assertThat(portion.nodeCount()).isEqualTo(graph.classCount());
        assertThat(portion.referenceCount()).isGreaterThan(portion.slotCount());
    }

    private List<String> referencesOf(final String name) throws IOException {
        final int id = graph.id(name);
        final Portion portion = graph.load(id % PEERS, PEERS);
        final int start = portion.start(id / PEERS);
        final List<String> names = new ArrayList<>();
        for (int reference = start; reference < start + portion.degree(id / PEERS); reference++) {
            names.add(graph.name(portion.target(reference)));
        }
        return names;
    }
}
