package io.hawser.tests.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Collectors;

/**
 * How a cluster ended for several of its processes, and what has to be true of that.
 *
 * <p><em>Threading:</em> immutable.
 *
 * @param events one {@code joined} event for each process
 */
public record Joined(List<Event> events) {
    /** What threads of the JDK and the test may hold for reading files; a single ring or slab is much larger. */
    private static final long DIRECT_OF_JDK = 256 * 1024;

    private static final List<String> IDENTITY =
            List.of("kind", "subject", "subjectWorker", "observer", "seenAtMs", "causeGeneration");

    /** L2: all tell of one event, of this kind, of this process. */
    public Joined assertCause(final String kind, final int subject) {
        for (final Event event : events) {
            assertThat(event.isTrue("clean")).as("clean, in %s", this).isFalse();
            assertThat(event.text("kind")).as("kind, in %s", this).isEqualTo(kind);
            assertThat(event.number("subject")).as("subject, in %s", this).isEqualTo(subject);
            assertThat(event.text("describe"))
                    .startsWith(
                            event.number("subjectWorker") < 0
                                    ? "process " + subject
                                    : "worker " + event.number("subjectWorker") + " of process " + subject);
        }
        return assertSameCause();
    }

    /** L2: all tell of one event, whatever it is. */
    public Joined assertSameCause() {
        for (final String field : IDENTITY) {
            assertThat(events.stream().map(event -> event.text(field)).distinct())
                    .as("%s on all processes, in %s", field, this)
                    .hasSize(1);
        }
        return this;
    }

    /** L1: a clean end on all. */
    public Joined assertClean() {
        for (final Event event : events) {
            assertThat(event.isTrue("clean")).as("clean, in %s", this).isTrue();
        }
        return this;
    }

    /** L4: when join has returned, no thread, socket, descriptor or direct memory of the cluster is left. */
    public Joined assertNothingLeft() {
        for (final Event event : events) {
            assertThat(event.text("threads")).as("threads left, in %s", this).isEmpty();
            assertThat(event.number("sockets")).as("sockets left, in %s", this).isZero();
            assertThat(event.number("descriptors"))
                    .as("descriptors left, in %s", this)
                    .isLessThanOrEqualTo(0);
            assertThat(event.number("direct"))
                    .as("direct memory left, in %s", this)
                    .isLessThan(DIRECT_OF_JDK);
        }
        return this;
    }

    /** What tells the ends apart, one line for each process. */
    @Override
    public String toString() {
        return events.stream().map(Joined::digest).collect(Collectors.joining("\n  ", "\n  ", "\n"));
    }

    private static String digest(final Event event) {
        return event.text("describe", "clean") + " [seenAtMs=" + event.text("seenAtMs", "none") + " threads="
                + event.text("threads") + " sockets=" + event.text("sockets") + " descriptors="
                + event.text("descriptors") + " direct=" + event.text("direct") + "]";
    }

    /** When the last worker of all these processes was back in the user's code. */
    public long lastReturnMicros() {
        return max("returnedMicros");
    }

    /** When the last of these processes came out of join. */
    public long lastJoinMicros() {
        return max("joinedMicros");
    }

    private long max(final String field) {
        return events.stream().mapToLong(event -> event.number(field)).max().orElseThrow();
    }
}
