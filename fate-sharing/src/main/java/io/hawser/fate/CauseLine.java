package io.hawser.fate;

import java.time.Instant;

/** Writes a cause as one line: who, what, seen by whom and when, what it led to, what to do. */
final class CauseLine {
    private CauseLine() {}

    static String of(Cause cause, String ledTo) {
        StringBuilder line = new StringBuilder(256);
        subject(line, cause);
        event(line, cause);
        observation(line, cause);
        return line.append("; ")
                .append(ledTo)
                .append("; ")
                .append(cause.kind().advice())
                .toString();
    }

    private static void subject(StringBuilder line, Cause cause) {
        if (cause.subjectWorker() >= 0) {
            line.append("worker ").append(cause.subjectWorker()).append(" of ");
        }
        int nameLength = nameLength(cause);
        if (nameLength > 0) {
            line.append(cause.subjectAddress(), 0, nameLength);
        } else {
            line.append("process ").append(cause.subjectProcess());
        }
        String where = where(cause);
        if (!where.isEmpty()) {
            line.append(" (").append(where).append(')');
        }
    }

    /** At an end of a link of its own the address begins with a name, and an index tells nothing. */
    private static int nameLength(Cause cause) {
        return cause.subjectAddress().lastIndexOf('@');
    }

    private static String where(Cause cause) {
        StringBuilder where = new StringBuilder();
        if (!cause.subjectAddress().isEmpty()) {
            where.append("at ")
                    .append(
                            cause.subjectAddress(),
                            nameLength(cause) + 1,
                            cause.subjectAddress().length());
        }
        if (cause.subjectPid() != 0) {
            separate(where).append("pid ").append(cause.subjectPid());
            where.append(cause.subjectHost().isEmpty() ? "" : "@").append(cause.subjectHost());
        } else if (!cause.subjectHost().isEmpty()) {
            separate(where).append("on ").append(cause.subjectHost());
        }
        return where.toString();
    }

    private static StringBuilder separate(StringBuilder where) {
        return where.length() == 0 ? where : where.append(", ");
    }

    private static void event(StringBuilder line, Cause cause) {
        line.append(' ').append(cause.kind().phrase());
        if (cause.elapsedNs() > 0) {
            line.append(" for ").append(Elapsed.text(cause.elapsedNs()));
        }
        if (!cause.seen().isEmpty()) {
            line.append(": ").append(cause.seen());
        }
        if (cause.throwable() != null) {
            String thrown = OneLineText.of(cause.throwable(), Cause.MAX_SEEN_BYTES);
            line.append(cause.seen().contains(thrown) ? "" : " (" + thrown + ")");
        }
    }

    private static void observation(StringBuilder line, Cause cause) {
        boolean isOfLink = nameLength(cause) > 0;
        line.append("; seen by ");
        if (cause.observerProcess() == cause.subjectProcess()) {
            line.append("itself");
        } else if (isOfLink) {
            line.append("the other end of the link");
        } else {
            line.append("process ").append(cause.observerProcess());
        }
        line.append(" at ").append(Instant.ofEpochMilli(cause.observedAtEpochMs()));
        if (isOfLink) {
            return; // it has had one generation, and who reports is one of two
        }
        line.append(" in generation ").append(cause.generation());
        if (cause.reporterProcess() >= 0) {
            line.append(", reported by process ").append(cause.reporterProcess());
        }
    }
}
