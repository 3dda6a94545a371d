package io.hawser.tools;

import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The classes of the running JDK and which of them refers to which. A class's id is its place in the order of all names,
 * so that every process that runs the same JDK numbers them alike. The names are listed at once, the references loaded one
 * {@link Portion} at a time.
 *
 * <p><em>Threading:</em> safe; immutable once made.
 */
public final class ClassGraph {
    private static final String SUFFIX = ".class";
    private static final int MODULE_DEPTH = 2;

    private final List<Path> files;
    private final String[] names;
    private final Map<String, Integer> ids;

    private ClassGraph(final List<Path> sortedFiles) {
        files = sortedFiles;
        names = new String[files.size()];
        ids = new HashMap<>(files.size() * 2);
        for (int id = 0; id < names.length; id++) {
            names[id] = internalName(files.get(id));
            ids.put(names[id], id);
        }
    }

    /**
     * Lists the classes of the running JDK.
     *
     * @return the graph, of which nothing but the names is loaded.
     * @throws IOException if the JDK's image cannot be read.
     */
    public static ClassGraph ofRunningJdk() throws IOException {
        final FileSystem image = FileSystems.getFileSystem(URI.create("jrt:/"));
        final Map<String, Path> byName = new HashMap<>();
        Files.walkFileTree(image.getPath("/modules"), new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(final Path file, final BasicFileAttributes attributes) {
                if (isClass(file.getFileName().toString())) {
                    byName.put(internalName(file), file);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        final List<String> sorted = new ArrayList<>(byName.keySet());
        Collections.sort(sorted);
        return new ClassGraph(sorted.stream().map(byName::get).toList());
    }

    /**
     * How many classes the JDK has.
     *
     * @return the count.
     */
    public int classCount() {
        return names.length;
    }

    /**
     * The name of a class.
     *
     * @param id 0 to {@link #classCount()} - 1.
     * @return such as {@code java.lang.Object}.
     */
    public String name(final int id) {
        return names[id].replace('/', '.');
    }

    /**
     * The place of a class in the order of names.
     *
     * @param name such as {@code java.lang.Object}.
     * @return its id, or -1 if the JDK has no such class.
     */
    int id(final String name) {
        return ids.getOrDefault(name.replace('.', '/'), -1);
    }

    /**
     * Reads the class files of one worker.
     *
     * @param worker owner of the classes whose id modulo {@code peers} is its index.
     * @param peers  how many workers share the graph.
     * @return what those classes refer to.
     * @throws IOException if the JDK's image cannot be read.
     */
    Portion load(final int worker, final int peers) throws IOException {
        final Portion.Builder portion = new Portion.Builder(worker, peers, classCount());
        for (int id = worker; id < names.length; id += peers) {
            portion.add(references(id));
        }
        return portion.build();
    }

    /**
     * Reads one class file.
     *
     * @param from 0 to {@link #classCount()} - 1.
     * @return the ids of the other known classes that it refers to, each once, in ascending order.
     * @throws IOException if the JDK's image cannot be read.
     */
    public int[] references(final int from) throws IOException {
        final ReferenceSet references = new ReferenceSet();
        new ConstantPool(Files.readAllBytes(files.get(from))).forEachClass(name -> {
            final int to = ids.getOrDefault(name, -1);
            if (to >= 0 && to != from) {
                references.add(to);
            }
        });
        return references.sortedDistinct();
    }

    private static boolean isClass(final String fileName) {
        return fileName.endsWith(SUFFIX)
                && !fileName.equals("module-info.class")
                && !fileName.equals("package-info.class");
    }

    /** From {@code /modules/java.base/java/lang/Object.class} to {@code java/lang/Object}. */
    private static String internalName(final Path file) {
        final String path = file.subpath(MODULE_DEPTH, file.getNameCount()).toString();
        return path.substring(0, path.length() - SUFFIX.length());
    }

    private static final class ReferenceSet {
        private int[] ids = new int[64];
        private int count;

        void add(final int id) {
            if (count == ids.length) {
                ids = Arrays.copyOf(ids, count * 2);
            }
            ids[count++] = id;
        }

        int[] sortedDistinct() {
            return Arrays.stream(ids, 0, count).sorted().distinct().toArray();
        }
    }
}
