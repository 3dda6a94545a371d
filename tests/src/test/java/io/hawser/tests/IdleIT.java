package io.hawser.tests;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.OperatingSystemMXBean;
import io.hawser.allocator.Cluster;
import io.hawser.tests.harness.FreePorts;
import io.hawser.tests.harness.Pause;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Case 110: who does nothing costs nothing. */
@Timeout(120)
class IdleIT {
    private static final int PROCESSES = 8;
    private static final Duration SETTLING = Duration.ofSeconds(4);
    private static final Duration MEASURED = Duration.ofSeconds(6);

    @Test
    void shouldTakeLessThanAHundredthOfACoreWhenAllWorkersAreParkedCase110() throws Exception {
        final List<Integer> ports = FreePorts.take(PROCESSES);
        final List<Member> members = new ArrayList<>();
        try {
            for (int process = 0; process < PROCESSES; process++) {
                members.add(Member.start(Member.config(process, ports).heartbeatInterval(Duration.ofMillis(500))));
            }
            final List<Cluster<Long>> clusters = new ArrayList<>();
            for (final Member member : members) {
                clusters.add(member.formed());
            }
            Pause.of(SETTLING); // what was loaded for the start is compiled
            final OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
            final long cpuNs = system.getProcessCpuTime();
            Pause.of(MEASURED);
            final double share = (double) (system.getProcessCpuTime() - cpuNs) / MEASURED.toNanos();
            System.out.println("idle cluster of " + PROCESSES + " processes takes of one core: " + 100 * share + " %");
            assertThat(clusters).noneMatch(cluster -> cluster.health().isLost());
            assertThat(share).isLessThan(0.01);
            members.get(0).formed().abort("measured");
        } finally {
            for (final Member member : members) {
                member.close();
            }
        }
    }
}
