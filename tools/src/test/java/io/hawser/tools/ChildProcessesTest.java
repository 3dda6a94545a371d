package io.hawser.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ServerSocket;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ChildProcessesTest {
    @Test
    void shouldPassFlagsOnButNoDebugger() {
        final List<String> flags = ChildProcesses.jvmFlags(List.of(
                "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED",
                "-agentlib:jdwp=transport=dt_socket,server=y",
                "-Dx=y"));
        assertThat(flags)
                .contains("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
                .endsWith("--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED", "-Dx=y")
                .noneMatch(flag -> flag.contains("jdwp"));
    }

    @Test
    void shouldLeaveTheChoiceOfACollector() {
        assertThat(ChildProcesses.jvmFlags(List.of("-XX:+UseG1GC"))).doesNotContain("-XX:+UseSerialGC", "-Xmn8m");
    }

    @Test
    void shouldFindDifferentFreePorts() throws IOException {
        final long seed = System.nanoTime();
        final List<Integer> ports = Ports.free(8, new Random(seed));
        assertThat(ports).as("seed=%d", seed).hasSize(8).doesNotHaveDuplicates();
        for (final int port : ports) {
            new ServerSocket(port).close();
        }
    }
}
