package io.hawser.examples;

import io.hawser.tools.ClassGraph;
import java.io.IOException;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * The classes of the running JDK, their references, and their packages: the two tables that queries are about. A package's id is its place in the order of names, the same in every process.
 *
 * <p><em>Threading:</em> safe; immutable.
 */
final class PackageGraph {
    private final ClassGraph classes;
    private final String[] packages;
    private final int[] packageOf;

    private PackageGraph(final ClassGraph classes) {
        this.classes = classes;
        final String[] names = IntStream.range(0, classes.classCount())
                .mapToObj(id -> packageName(classes.name(id)))
                .toArray(String[]::new);
        packages = Arrays.stream(names).sorted().distinct().toArray(String[]::new);
        packageOf = Arrays.stream(names)
                .mapToInt(name -> Arrays.binarySearch(packages, name))
                .toArray();
    }

    static PackageGraph ofRunningJdk() throws IOException {
        return new PackageGraph(ClassGraph.ofRunningJdk());
    }

    int classCount() {
        return packageOf.length;
    }

    int packageCount() {
        return packages.length;
    }

    String packageName(final int id) {
        return packages[id];
    }

    /**
     * Reads what a class refers to, joins that with the table of packages, and adds 1 to the count of the package of each class in another package.
     *
     * @param from   the class that refers
     * @param counts by package
     * @throws IOException if the JDK's image cannot be read
     */
    void countReferences(final int from, final int[] counts) throws IOException {
        for (final int to : classes.references(from)) {
            if (packageOf[to] != packageOf[from]) {
                counts[packageOf[to]]++;
            }
        }
    }

    private static String packageName(final String className) {
        return className.substring(0, Math.max(0, className.lastIndexOf('.')));
    }
}
