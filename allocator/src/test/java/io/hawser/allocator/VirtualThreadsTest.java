package io.hawser.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.reflect.Method;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** All threads of a cluster may be virtual ones, where the JDK has them. */
class VirtualThreadsTest {
    private static final int FIRST_JDK = 21;

    @Test
    @Timeout(value = 60, unit = TimeUnit.SECONDS)
    void shouldDeliverAllAndEndCleanlyOnVirtualThreads() throws Exception {
        assumeTrue(Runtime.version().feature() >= FIRST_JDK, "no virtual threads in this JDK");
        final ThreadFactory virtual = virtualThreads();
        final int perPair = 5_000;
        try (Loopback<Long> cluster =
                Loopback.start(2, 2, builder -> builder.threadFactory(virtual), new Exchange(perPair))) {
            assertThat(cluster.values()).hasSize(4).allMatch(count -> count == 4L * perPair);
        }
    }

    /** By reflection: this is compiled for a JDK that has none. */
    private static ThreadFactory virtualThreads() throws ReflectiveOperationException {
        final Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
        final Method factory = Class.forName("java.lang.Thread$Builder").getMethod("factory");
        return (ThreadFactory) factory.invoke(builder);
    }
}
