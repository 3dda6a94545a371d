package io.hawser.transport;

import io.hawser.fate.Cause;
import io.hawser.fate.CauseKind;
import io.hawser.framing.AbortFlyweight;
import io.hawser.framing.AbortKind;
import io.hawser.framing.FrameEncoder;
import org.agrona.MutableDirectBuffer;

/** Causes as ABORT frames and back. Encoding allocates nothing, so that a cause leaves a process whose heap is full. */
final class CauseCodec {
    private CauseCodec() {}

    /** Writes an unsealed ABORT frame; returns the bytes that it occupies. */
    static int encode(FrameEncoder encoder, MutableDirectBuffer buffer, int offset, Cause cause) {
        put(encoder.abort(buffer, offset), cause);
        return encoder.end();
    }

    /** Writes a cause into the payload of an ABORT, or into a place that is laid out like one. */
    static void put(AbortFlyweight abort, Cause cause) {
        abort.kind(AbortKind.of(cause.kind().code()))
                .failedProcess(cause.subjectProcess())
                .failedWorker(cause.subjectWorker())
                .seenByProcess(cause.observerProcess())
                .generation(cause.generation())
                .pid(cause.subjectPid())
                .instanceNonce(cause.subjectNonce())
                .seenAtEpochMs(cause.observedAtEpochMs())
                .measuredNs(cause.elapsedNs())
                .texts(cause.subjectHost(), cause.subjectAddress(), cause.seen());
    }

    static Cause decode(AbortFlyweight abort, int reporter) {
        return Cause.builder(CauseKind.fromCode(abort.kind().number()))
                .subjectProcess(abort.failedProcess())
                .subjectWorker(abort.failedWorker())
                .observerProcess(abort.seenByProcess())
                .generation(Math.max(1, abort.generation())) // 0 is legal on the wire, a cause has a generation
                .subjectPid(abort.pid())
                .subjectNonce(abort.instanceNonce())
                .observedAtEpochMs(abort.seenAtEpochMs())
                .elapsedNs(abort.measuredNs())
                .subjectHost(abort.hostName())
                .subjectAddress(abort.address())
                .seen(abort.seen())
                .reporterProcess(reporter)
                .build();
    }
}
