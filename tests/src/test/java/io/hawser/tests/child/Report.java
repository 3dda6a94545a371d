package io.hawser.tests.child;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.hawser.tests.harness.Event;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * Sends events to the test, each as one line by one write, so that no log line gets in between.
 *
 * <p><em>Threading:</em> any thread.
 */
final class Report {
    private static final FileOutputStream OUT = new FileOutputStream(FileDescriptor.out);

    private Report() {}

    static void send(final Event event) {
        final byte[] line = (event.toLine() + "\n").getBytes(UTF_8);
        synchronized (OUT) {
            try {
                OUT.write(line);
            } catch (final IOException parentIsGone) {
                throw new UncheckedIOException("cannot report: event=" + event, parentIsGone);
            }
        }
    }

    static void send(final String name, final Object... keysAndValues) {
        send(Event.of(name, keysAndValues));
    }

    /** Microseconds since 1970 by the wall clock, which all processes of a test share. */
    static long nowMicros() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    }
}
