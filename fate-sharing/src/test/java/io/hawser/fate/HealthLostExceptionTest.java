package io.hawser.fate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import org.junit.jupiter.api.Test;

class HealthLostExceptionTest {
    private final Health health = Health.root("cluster");

    /** Case 68: the first cause is kept, later ones are suppressed onto it. */
    @Test
    void shouldCarryWhatWasThrownAndWhatFollowedWhenItHappenedHere() {
        Throwable panic = new IllegalStateException("first");
        Throwable close = new IllegalStateException("in close");
        health.lose(CauseFixture.lost().throwable(panic).build());
        health.lose(CauseFixture.lost().subjectWorker(1).throwable(close).build());
        health.lose(CauseFixture.lost().subjectWorker(2).throwable(panic).build());
        health.lose(CauseFixture.number(9));

        HealthLostException thrown = catchThrowableOfType(HealthLostException.class, health::check);

        assertThat(thrown).hasCause(panic).hasMessageContaining("first");
        assertThat(thrown.getSuppressed()).containsExactly(close);
    }

    /** Law L2: an exception that was thrown outside keeps saying what was known then. */
    @Test
    void shouldKeepItsCauseWhenAnEarlierOneIsConsideredLater() {
        health.lose(CauseFixture.number(5));
        HealthLostException before = catchThrowableOfType(HealthLostException.class, health::check);
        health.consider(CauseFixture.number(1));
        HealthLostException after = catchThrowableOfType(HealthLostException.class, health::check);

        assertThat(before.rootCause()).isSameAs(health.firstCause());
        assertThat(after.rootCause()).isSameAs(health.rootCause());
    }

    @Test
    void shouldKeepItsMessageWhenSerialised() throws IOException, ClassNotFoundException {
        HealthLostException thrown = new HealthLostException(CauseFixture.number(0));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(thrown);
        }

        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            HealthLostException copy = (HealthLostException) in.readObject();
            assertThat(copy).hasMessage(thrown.getMessage());
            assertThat(copy.rootCause()).isNull();
        }
    }
}
