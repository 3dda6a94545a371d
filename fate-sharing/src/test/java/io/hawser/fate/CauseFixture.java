package io.hawser.fate;

/** Causes for tests. */
final class CauseFixture {
    static final long AT_EPOCH_MS = 1_764_445_380_123L;

    private CauseFixture() {}

    /** Process 2 was lost, seen by process 0. */
    static CauseBuilder lost() {
        return Cause.builder(CauseKind.PEER_LOST)
                .subjectProcess(2)
                .observerProcess(0)
                .generation(3)
                .observedAtEpochMs(AT_EPOCH_MS);
    }

    /** An event of its own for each number; a smaller number was seen earlier. */
    static Cause number(long number) {
        return lost().observedAtEpochMs(AT_EPOCH_MS + number).build();
    }
}
