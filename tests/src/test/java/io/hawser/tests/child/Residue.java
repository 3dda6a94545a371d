package io.hawser.tests.child;

import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;

/**
 * What a cluster holds, or has left over, in this process.
 *
 * <p><em>Threading:</em> immutable.
 *
 * @param threads     names of the live threads that belong to Hawser
 * @param sockets     open sockets; -1 where the system does not tell
 * @param descriptors open descriptors of all kinds but files, which class loading opens; -1 where the system does not tell
 * @param directBytes direct memory in use
 */
record Residue(List<String> threads, int sockets, int descriptors, long directBytes) {
    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
    private static final int UNKNOWN = -1;

    /** Has the JDK open what it keeps for ever once it has had a socket, so that it is not taken for a leak later. */
    static void prime() throws IOException {
        try (ServerSocketChannel listener = ServerSocketChannel.open();
                SocketChannel channel = SocketChannel.open();
                Selector selector = Selector.open()) {
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            channel.connect(listener.getLocalAddress());
            selector.selectNow();
        }
    }

    static Residue now() {
        return new Residue(
                threadNames(),
                descriptorCount(target -> target.startsWith("socket:")),
                descriptorCount(target -> !target.startsWith("/")),
                direct());
    }

    /** Heap in use after garbage was collected, in bytes. */
    static long heapAfterCollection() {
        System.gc();
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    private static List<String> threadNames() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("hawser-"))
                .sorted()
                .toList();
    }

    private static int descriptorCount(final Predicate<String> isCounted) {
        if (!Files.isDirectory(DESCRIPTORS)) {
            return UNKNOWN;
        }
        int count = 0;
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(DESCRIPTORS)) {
            for (final Path entry : entries) {
                count += isCounted.test(target(entry)) ? 1 : 0;
            }
        } catch (final IOException unreadable) {
            return UNKNOWN;
        }
        return count;
    }

    private static String target(final Path entry) {
        try {
            return Files.readSymbolicLink(entry).toString();
        } catch (final IOException closedMeanwhile) {
            return "/closed";
        }
    }

    private static long direct() {
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(pool -> pool.getName().equals("direct"))
                .mapToLong(BufferPoolMXBean::getMemoryUsed)
                .sum();
    }
}
