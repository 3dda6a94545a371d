package io.hawser.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import org.junit.jupiter.api.Test;

class RuntimeFlagsTest {
    @Test
    void shouldPassWhenThePackageIsExported() {
        assertThatCode(RuntimeFlags::check).doesNotThrowAnyException();
    }

    @Test
    void shouldNameTheFlagInOneLineWhenAPackageIsNotExported() {
        assertThat(RuntimeFlags.fault("jdk.internal.vm", RuntimeFlagsTest.class.getModule()))
                .endsWith("add --add-exports java.base/jdk.internal.vm=ALL-UNNAMED to the java command line")
                .doesNotContain("\n");
    }

    @Test
    void shouldNameTheModuleWhenAgronaIsOne() {
        assertThat(RuntimeFlags.fault("jdk.internal.vm", java.util.logging.Logger.class.getModule()))
                .contains("jdk.internal.vm=java.logging");
    }
}
