package io.hawser.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.fate.StallDetector;
import org.junit.jupiter.api.Test;

/** What the watch sees of a worker (law L3). */
class WhereaboutsTest {
    private final Whereabouts whereabouts = new Whereabouts();

    private boolean isInUserCode() {
        return StallDetector.isInUserCode(whereabouts.phase());
    }

    @Test
    void shouldBeInUserCodeFromBeginningToEndButForWaits() {
        assertThat(isInUserCode()).as("not begun").isFalse();
        assertThat(whereabouts.stack()).isEmpty();
        whereabouts.begin();
        assertThat(isInUserCode()).isTrue();
        assertThat(whereabouts.stack()).isNotEmpty();
        final long before = whereabouts.phase();
        whereabouts.beginWait();
        assertThat(isInUserCode()).isFalse();
        whereabouts.goOn();
        assertThat(isInUserCode()).isTrue();
        assertThat(whereabouts.phase()).as("it has waited in between").isGreaterThan(before);
        whereabouts.end();
        whereabouts.beginWait();
        whereabouts.goOn();
        assertThat(isInUserCode()).as("what it waits for now is the library's").isFalse();
        assertThat(whereabouts.stack()).isEmpty();
    }

    /** A stack that overflows may skip either half. */
    @Test
    void shouldNotBeTheWrongWayRoundAfterHalfAWait() {
        whereabouts.begin();
        whereabouts.beginWait();
        whereabouts.beginWait();
        assertThat(isInUserCode()).isFalse();
        whereabouts.goOn();
        assertThat(isInUserCode()).isTrue();
        whereabouts.goOn();
        assertThat(isInUserCode()).isTrue();
    }

    @Test
    void shouldNameTheInnermostDataflow() {
        assertThat(whereabouts.scopeId()).isZero();
        final long none = whereabouts.enterScope(7);
        final long outer = whereabouts.enterScope(9);
        assertThat(whereabouts.scopeId()).isEqualTo(9);
        whereabouts.enterScope(outer);
        assertThat(whereabouts.scopeId()).isEqualTo(7);
        whereabouts.enterScope(none);
        assertThat(whereabouts.scopeId()).isZero();
    }
}
