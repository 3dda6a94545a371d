package io.hawser.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.transport.ClusterConfig;
import java.time.Duration;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.NettyShuffleEnvironmentOptions;
import org.apache.flink.configuration.SecurityOptions;
import org.apache.flink.runtime.clusterframework.types.ResourceID;
import org.apache.flink.runtime.execution.CancelTaskException;
import org.apache.flink.runtime.io.network.partition.PartitionNotFoundException;
import org.apache.flink.runtime.io.network.partition.ResultPartitionID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsTest {
    private static ShuffleSettings settings(final Configuration config, final int segmentLength) {
        return new ShuffleSettings(config, new ResourceID("tm-1"), "127.0.0.1", segmentLength, 4, true);
    }

    @ParameterizedTest
    @ValueSource(ints = {4 * 1024, 32 * 1024, 1024 * 1024, 8 * 1024 * 1024})
    void shouldMakeAFrameHoldASegment(final int segmentLength) {
        final ClusterConfig links =
                settings(new Configuration(), segmentLength).links(0).settings();
        assertThat(links.frameLimit()).isGreaterThan(segmentLength + 512);
        assertThat(links.sendRingLength()).isGreaterThanOrEqualTo(2 * links.frameLimit());
    }

    @Test
    void shouldRefuseSegmentsThatNoFrameHolds() {
        assertThatThrownBy(() -> settings(new Configuration(), 16 * 1024 * 1024))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageEndingWith("taskmanager.memory.segment-size=16777216");
    }

    @Test
    void shouldRefuseTls() {
        final Configuration config = new Configuration();
        config.set(SecurityOptions.SSL_INTERNAL_ENABLED, true);
        assertThatThrownBy(() -> settings(config, 32 * 1024)).hasMessageContaining("no TLS yet");
        config.set(NettyShuffleEnvironmentOptions.DATA_SSL_ENABLED, false);
        assertThatCode(() -> settings(config, 32 * 1024)).doesNotThrowAnyException();
    }

    @Test
    void shouldTakeWhatTheConfigurationSays() {
        final Configuration config = new Configuration();
        config.set(HawserShuffleOptions.SILENCE_TIMEOUT, Duration.ofSeconds(2));
        config.set(HawserShuffleOptions.CLUSTER_ID, "blue");
        config.set(NettyShuffleEnvironmentOptions.DATA_BIND_PORT, "50100-50101");
        final ShuffleSettings settings = settings(config, 32 * 1024);
        assertThat(settings.links(50100).settings().silenceTimeoutNs()).isEqualTo(2_000_000_000L);
        assertThat(settings.links(50100).settings().clusterId()).isEqualTo("blue");
        assertThat(settings.links(50100).isAnyPort()).isFalse();
        assertThat(settings.ports()).toIterable().containsExactly(50100, 50101);
        assertThat(settings(new Configuration(), 4096).links(0).isAnyPort()).isTrue();
    }

    @Test
    void shouldCutNamesThatAreTooLongForALink() {
        final String name = ShuffleSettings.linkName(new ResourceID("é".repeat(100) + "1"));
        assertThat(name.getBytes(java.nio.charset.StandardCharsets.UTF_8)).hasSizeLessThanOrEqualTo(128);
        assertThat(name).isNotEqualTo(ShuffleSettings.linkName(new ResourceID("é".repeat(100) + "2")));
        assertThat(ShuffleSettings.linkName(new ResourceID("tm-1"))).isEqualTo("tm-1");
    }

    @Test
    void shouldRefuseAnotherFlinkUnlessToldOtherwise() {
        assertThatCode(() -> FlinkVersion.check("2.3.1", false)).doesNotThrowAnyException();
        assertThatCode(() -> FlinkVersion.check("2.4.0", true)).doesNotThrowAnyException();
        assertThatThrownBy(() -> FlinkVersion.check("2.4.0", false))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("hawser.shuffle.allow-other-flink-version")
                .hasMessageEndingWith("flinkVersion=2.4.0");
    }

    @Test
    void shouldTellFailuresApart() {
        assertThat(OutboundEnd.of(new PartitionNotFoundException(new ResultPartitionID()))
                        .isNotFound())
                .isTrue();
        final OutboundEnd producer = OutboundEnd.of(new CancelTaskException("gone"));
        assertThat(producer.kind()).isEqualTo(DataRecord.FAILED);
        assertThat(producer.flags()).isEqualTo(DataRecord.PRODUCER_FAILED);
        final OutboundEnd reading =
                OutboundEnd.of(new IllegalStateException("x".repeat(10_000), new RuntimeException("y")));
        assertThat(reading.flags()).isZero();
        assertThat(reading.text()).hasSizeLessThanOrEqualTo(4_000);
    }
}
