package io.hawser.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Where child JVMs are born, and the extension that ends them all, frozen ones too. As a {@code @RegisterExtension} field of a test it ends them after
 * each test; as a static field, after all tests of the class or the first that failed. When a test fails, the threads of its
 * children are dumped into their logs first, and the logs are kept, below {@code target/children} ({@code build/children} where there is a {@code build}). Without JUnit, {@link #close()} ends
 * them. If this JVM is killed, so are they: see {@link Reaper}.
 *
 * <p>Children run with the class path of this JVM, the {@code --add-exports} and the like that it was given and that Hawser needs, and flags that make them small and
 * quick to start and to be noticed when killed; what a test adds comes later and wins.
 *
 * <p><em>Threading:</em> any thread.
 */
public final class Nursery implements BeforeEachCallback, AfterEachCallback, AfterAllCallback, AutoCloseable {
    private static final List<String> FLAGS = List.of(
            "-Xmx256m",
            "-XX:MaxDirectMemorySize=512m",
            "-Xss512k",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-XX:-UsePerfData",
            // few and large pages to take back: the kernel closes the sockets of a killed process only after its memory
            "-XX:+UnlockDiagnosticVMOptions",
            "-XX:ArchiveRelocationMode=0",
            "-XX:+UseTransparentHugePages",
            "-Djdk.image.map.all=false",
            "-ea",
            // Agrona
            "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED");

    /** The same for native memory: glibc would spread it over one arena for each thread, all in small pages. */
    private static final Map<String, String> ENVIRONMENT =
            Map.of("MALLOC_ARENA_MAX", "1", "GLIBC_TUNABLES", "glibc.malloc.hugetlb=1");

    private static final List<String> INHERITED =
            List.of("--add-exports", "--add-opens", "--enable-native-access", "--sun-misc-unsafe-memory-access");

    /** Over all nurseries, so that no log overwrites one that was kept. */
    private static final AtomicInteger BIRTHS = new AtomicInteger();

    private final boolean isForWholeClass;
    private final List<ChildProcess> children = new ArrayList<>();
    private Path directory = logRoot().resolve("unnamed");

    private Nursery(final boolean isForWholeClass) {
        this.isForWholeClass = isForWholeClass;
    }

    /**
     * For a field of a test: children end with their test.
     *
     * @return an empty nursery
     */
    public static Nursery forEachTest() {
        return new Nursery(false);
    }

    /**
     * For a static field: children go on from test to test.
     *
     * @return an empty nursery
     */
    public static Nursery forWholeClass() {
        return new Nursery(true);
    }

    /**
     * Forks a JVM.
     *
     * @param name      for messages, and for its files
     * @param flags     of the JVM, besides the usual ones
     * @param mainClass binary name of the class whose {@code main} it runs
     * @param arguments of {@code main}
     * @return the child, which lives until it ends or is ended here
     * @throws UncheckedIOException if it cannot be forked
     */
    public ChildProcess launch(
            final String name, final List<String> flags, final String mainClass, final String... arguments) {
        return launchThrough(List.of(), name, flags, mainClass, arguments);
    }

    /**
     * Forks a JVM through another command, which has to become the JVM: {@code taskset -c 0}, for example, or {@code ip netns exec host}.
     *
     * @param launcher  the command with its arguments
     * @param name      for messages, and for its files
     * @param flags     of the JVM, besides the usual ones
     * @param mainClass binary name of the class whose {@code main} it runs
     * @param arguments of {@code main}
     * @return the child, which lives until it ends or is ended here
     * @throws UncheckedIOException if it cannot be forked
     */
    public synchronized ChildProcess launchThrough(
            final List<String> launcher,
            final String name,
            final List<String> flags,
            final String mainClass,
            final String... arguments) {
        final List<String> command = new ArrayList<>(launcher);
        command.addAll(commandLine(flags, mainClass, List.of(arguments)));
        final ChildProcess child =
                new ChildProcess(BIRTHS.incrementAndGet() + "-" + name, directory, command, ENVIRONMENT);
        children.add(child);
        return child;
    }

    /**
     * Ends one child before the rest, frozen or not, and waits until it is gone. Its logs go with it, unless they were kept for a failed test.
     *
     * @param child that was launched here
     */
    public void destroy(final ChildProcess child) {
        child.destroy();
        final boolean isOurs;
        synchronized (this) {
            isOurs = children.remove(child);
        }
        if (isOurs) {
            child.deleteLogs();
        }
    }

    /** Ends all children, and deletes their logs. More can be launched later. */
    @Override
    public void close() {
        destroyAll(false);
    }

    /**
     * Called by JUnit: the logs of a test go to a directory of its own.
     *
     * @param context of the test
     */
    @Override
    public synchronized void beforeEach(final ExtensionContext context) {
        if (children.isEmpty()) {
            final String method = context.getRequiredTestMethod().getName();
            directory = logRoot()
                    .resolve(context.getRequiredTestClass().getSimpleName())
                    .resolve(isForWholeClass ? "all" : method);
        }
    }

    /**
     * Called by JUnit: ends the children, if they are the test's own or it has failed.
     *
     * @param context of the test
     */
    @Override
    public void afterEach(final ExtensionContext context) {
        final boolean hasFailed = context.getExecutionException().isPresent();
        if (hasFailed) {
            keepEvidence(context);
        }
        if (hasFailed || !isForWholeClass) {
            destroyAll(hasFailed);
        }
    }

    /**
     * Called by JUnit: ends the children.
     *
     * @param context of the class
     */
    @Override
    public void afterAll(final ExtensionContext context) {
        destroyAll(false);
    }

    private void keepEvidence(final ExtensionContext context) {
        final List<ChildProcess> all = snapshot();
        all.forEach(ChildProcess::dumpThreads);
        System.out.printf(
                Locale.ROOT,
                "%s failed; logs and thread dumps of %s are in %s%n",
                context.getDisplayName(),
                all,
                directory);
    }

    private void destroyAll(final boolean areLogsKept) {
        for (final ChildProcess child : snapshot()) {
            child.destroy();
            if (!areLogsKept) {
                child.deleteLogs();
            }
        }
        synchronized (this) {
            children.clear();
        }
        deleteIfEmpty(directory);
        deleteIfEmpty(directory.getParent());
    }

    private static void deleteIfEmpty(final Path folder) {
        try (Stream<Path> entries = Files.list(folder)) {
            if (entries.findAny().isEmpty()) {
                Files.delete(folder);
            }
        } catch (final NoSuchFileException neverNeeded) {
            assert neverNeeded != null;
        } catch (final IOException failed) {
            throw new UncheckedIOException("cannot tidy up: folder=" + folder, failed);
        }
    }

    private synchronized List<ChildProcess> snapshot() {
        return List.copyOf(children);
    }

    private static List<String> commandLine(
            final List<String> flags, final String mainClass, final List<String> arguments) {
        final List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(FLAGS);
        inheritedFlags().forEach(command::add);
        command.addAll(flags);
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add(mainClass);
        command.addAll(arguments);
        return command;
    }

    private static Stream<String> inheritedFlags() {
        return ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(flag -> INHERITED.stream().anyMatch(flag::startsWith));
    }

    private static Path logRoot() {
        final Path base = Path.of(System.getProperty("basedir", "")).toAbsolutePath();
        final boolean isGradle = Files.isDirectory(base.resolve("build"));
        return base.resolve(isGradle ? "build" : "target").resolve("children");
    }
}
