package io.hawser.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.fate.CauseKind;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Nothing is left of a mesh that was given up while it formed (L4). */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
class WatchEndTest {
    /** The greet thread may be just making one, which nobody would ever end. */
    @Test
    void shouldNotEndBeforeTheLastLinkHasBeenMade() throws Exception {
        ClusterConfig config = ClusterConfig.builder()
                .addresses(List.of(new Endpoint("127.0.0.1", 7_000), new Endpoint("127.0.0.1", 7_001)))
                .build();
        MeshCore mesh = new MeshCore(config, new CollectingReceiver());
        Watch watch = new Watch(mesh, config);
        mesh.health()
                .lose(mesh.causeHere(CauseKind.FORMATION_ABANDONED)
                        .seen("interrupted")
                        .build());
        Thread thread = new Thread(watch, "test-watch");
        watch.start(thread);
        thread.join(200);
        assertThat(thread.isAlive()).as("while the greet thread lives").isTrue();
        mesh.onGreeterEnded();
        thread.join(20_000);
        assertThat(thread.isAlive()).isFalse();
    }
}
