package io.hawser.flink.demo;

import io.hawser.tools.ClassGraph;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * The reference graph of the running JDK's classes, read once for each process; the same in every process of one JDK.
 *
 * <p><em>Threading:</em> immutable.
 */
public final class ClassEdges {
    private static ClassEdges ofThisProcess;

    private final String[] names;
    private final int[][] references;
    private final long edgeCount;

    private ClassEdges(final ClassGraph graph) throws IOException {
        names = new String[graph.classCount()];
        references = new int[graph.classCount()][];
        long count = 0;
        for (int id = 0; id < names.length; id++) {
            names[id] = graph.name(id);
            references[id] = graph.references(id);
            count += references[id].length;
        }
        edgeCount = count;
    }

    /** {@return the graph; read when it is asked for first} */
    public static synchronized ClassEdges get() {
        if (ofThisProcess == null) {
            try {
                ofThisProcess = new ClassEdges(ClassGraph.ofRunningJdk());
            } catch (final IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return ofThisProcess;
    }

    int classCount() {
        return names.length;
    }

    long edgeCount() {
        return edgeCount;
    }

    String name(final int id) {
        return names[id];
    }

    int[] references(final int from) {
        return references[from];
    }

    /** How many references there are to each class. */
    int[] degrees() {
        final int[] degrees = new int[names.length];
        for (final int[] targets : references) {
            for (final int to : targets) {
                degrees[to]++;
            }
        }
        return degrees;
    }
}
