package io.hawser.spill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.util.List;
import org.junit.jupiter.api.Test;

class ChronicleFlagsTest {
    private static final Module OWN = ChronicleFlagsTest.class.getModule();

    @Test
    void shouldPassWhenThePackagesAreAllowed() {
        assertThatCode(ChronicleFlags::check).doesNotThrowAnyException();
    }

    @Test
    void shouldNameWhatIsMissingOnlyAndInOneLine() {
        assertThat(ChronicleFlags.fault(
                        List.of("sun.nio.ch", "jdk.internal.vm"), List.of("java.lang.reflect", "java.lang"), OWN))
                .endsWith(": add --add-exports java.base/jdk.internal.vm=ALL-UNNAMED"
                        + " --add-opens java.base/java.lang=ALL-UNNAMED to the java command line")
                .doesNotContain("\n");
    }

    @Test
    void shouldNameTheModuleWhenChronicleIsOne() {
        assertThat(ChronicleFlags.fault(
                        List.of("jdk.internal.vm"), List.of(), java.util.logging.Logger.class.getModule()))
                .contains("jdk.internal.vm=java.logging");
    }
}
