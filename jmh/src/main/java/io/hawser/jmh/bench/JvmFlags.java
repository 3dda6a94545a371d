package io.hawser.jmh.bench;

import io.hawser.jmh.peers.Workload;
import java.util.ArrayList;
import java.util.List;

/**
 * What all measured JVMs are started with, the same for every entrant: one collector, one heap, what the libraries reach into, and none of the checks that
 * they have for finding bugs.
 *
 * <p><em>Threading:</em> safe; no state.
 */
final class JvmFlags {
    private static final int NATIVE_ACCESS_WARNS = 24;

    private static final List<String> COMMON = List.of(
            "-XX:+UseParallelGC",
            "-XX:MaxDirectMemorySize=1g",
            "-XX:-UsePerfData",
            "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED",
            "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED",
            "--add-opens=java.base/java.nio=ALL-UNNAMED",
            "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
            "-Dagrona.disable.bounds.checks=true",
            "-Dio.netty.tryReflectionSetAccessible=true",
            "-Dio.netty.leakDetection.level=disabled",
            "-Dio.netty.buffer.checkBounds=false",
            "-Dio.netty.buffer.checkAccessible=false",
            "-Dio.grpc.netty.shaded.io.netty.tryReflectionSetAccessible=true",
            "-Dio.grpc.netty.shaded.io.netty.leakDetection.level=disabled",
            "-Dio.grpc.netty.shaded.io.netty.buffer.checkBounds=false",
            "-Dio.grpc.netty.shaded.io.netty.buffer.checkAccessible=false",
            "-Dorg.slf4j.simpleLogger.defaultLogLevel=error");

    private static final List<String> NEWER =
            List.of("--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow");

    private JvmFlags() {}

    static List<String> of(final Workload workload) {
        final List<String> flags = new ArrayList<>();
        final String heap = workload.processCount() > 2 ? "256m" : "512m";
        flags.add("-Xms" + heap);
        flags.add("-Xmx" + heap);
        flags.addAll(COMMON);
        if (Runtime.version().feature() >= NATIVE_ACCESS_WARNS) {
            flags.addAll(NEWER);
        }
        return flags;
    }
}
