package io.hawser.transport;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ProcessIdentityTest {
    /** The greet thread of links asks for each of them. */
    @Test
    void shouldAskForTheHostsNameOnce() {
        ProcessIdentity identity = ProcessIdentity.current();
        assertThat(identity.pid()).isEqualTo(ProcessHandle.current().pid());
        assertThat(ProcessIdentity.current()).isSameAs(identity);
    }
}
