package io.hawser.flink;

import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.runtime.util.EnvironmentInformation;

/**
 * Which Flink this module has been written and tested for: what it uses of Flink is public, but carries no promise to stay.
 *
 * <p><em>Threading:</em> stateless.
 */
final class FlinkVersion {
    /** Versions that start so will do. */
    static final String SUPPORTED = "2.3.";

    private FlinkVersion() {}

    /** Refuses to start under another Flink, unless the configuration insists. */
    static void check(final ReadableConfig config) {
        check(EnvironmentInformation.getVersion(), config.get(HawserShuffleOptions.ALLOW_OTHER_FLINK));
    }

    static void check(final String version, final boolean isAnyAllowed) {
        if (!version.startsWith(SUPPORTED) && !isAnyAllowed) {
            throw new IllegalStateException("this hawser-flink was made for Flink " + SUPPORTED
                    + "x and has not been tested with another one; take the hawser-flink of your Flink's version, or set "
                    + HawserShuffleOptions.ALLOW_OTHER_FLINK.key() + ": true at your own risk: flinkVersion="
                    + version);
        }
    }
}
