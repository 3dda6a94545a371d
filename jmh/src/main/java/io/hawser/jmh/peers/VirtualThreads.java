package io.hawser.jmh.peers;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.ThreadFactory;

/**
 * Virtual threads, which JDK 17 does not have.
 *
 * <p><em>Threading:</em> static, stateless.
 */
final class VirtualThreads {
    private VirtualThreads() {}

    /**
     * Threads that share those of the JVM's scheduler.
     *
     * @return the factory
     * @throws UnsupportedOperationException on a JDK before 21
     */
    static ThreadFactory factory() {
        try {
            final Class<?> builder = Class.forName("java.lang.Thread$Builder");
            final Class<?> ofVirtual = Class.forName("java.lang.Thread$Builder$OfVirtual");
            final Object virtual = MethodHandles.publicLookup()
                    .findStatic(Thread.class, "ofVirtual", MethodType.methodType(ofVirtual))
                    .invoke();
            return (ThreadFactory) MethodHandles.publicLookup()
                    .findVirtual(builder, "factory", MethodType.methodType(ThreadFactory.class))
                    .invoke(virtual);
        } catch (final ClassNotFoundException tooOld) {
            throw new UnsupportedOperationException(
                    "virtual threads need JDK 21 or newer: java.version=" + System.getProperty("java.version"), tooOld);
        } catch (final Throwable unexpected) {
            throw new IllegalStateException("no virtual threads", unexpected);
        }
    }
}
