package io.hawser.transport;

import io.hawser.framing.CancelAnswer;
import io.hawser.framing.CancelOrigin;
import io.hawser.framing.FateFlyweight;
import io.hawser.framing.FateWord;
import io.hawser.framing.FrameEncoder;
import io.hawser.framing.FrameHeaderFlyweight;
import io.hawser.framing.GoFlyweight;
import io.hawser.framing.RejectPolicy;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * What is to be said to one peer about scopes: words, cancels and answers, and about work that is offered. They wait for no data, but a word that all is done for the data before it. Part of {@link Session}.
 *
 * <p><em>Threading:</em> said by any thread, {@link Scopes} bounds how much; encoded by the send thread.
 */
final class ScopeFrames {

    /** The longest frame. */
    static final int FRAME_LENGTH_MAX =
            FrameHeaderFlyweight.alignedLength(FrameHeaderFlyweight.HEADER_LENGTH + FateFlyweight.MAX_LENGTH);

    private static final BooleanSupplier NOTHING = () -> true;

    private interface Frame {
        /** Writes it, not sealed; the header's scope is left to the caller. */
        void encode(FrameEncoder encoder, MutableDirectBuffer buffer, int offset);

        /** Whether what has to go before it has gone; for the holder of the sending half. */
        default boolean isDue() {
            return true;
        }

        long scopeId();

        /** How long it may be as a frame, padded; only for those that may be longer than {@link #FRAME_LENGTH_MAX}. */
        default int largeLength() {
            return 0;
        }

        /** Whether nothing of the scope may follow it. */
        default boolean isStop() {
            return false;
        }
    }

    private record Word(long scopeId, ScopeWord word, ScopeMembers members, boolean isOwn, BooleanSupplier before)
            implements Frame {
        @Override
        public void encode(final FrameEncoder encoder, final MutableDirectBuffer buffer, final int offset) {
            final FateFlyweight fate = encoder.fate(buffer, offset).word(word.process(), word.kind(), members.longs());
            if (word.kind() == FateWord.CANCELLED) {
                fate.cancelled(
                        word.cancel().byProcess(),
                        word.cancel().byWorker(),
                        word.cancel().reason());
            } else if (word.kind() == FateWord.FAILED) {
                CauseCodec.put(fate.cause(), word.cause());
            }
        }

        @Override
        public boolean isDue() {
            return before.getAsBoolean();
        }

        @Override
        public boolean isStop() {
            return isOwn && word.isStop();
        }
    }

    private record Ask(long scopeId, int worker, String reason) implements Frame {
        @Override
        public void encode(final FrameEncoder encoder, final MutableDirectBuffer buffer, final int offset) {
            encoder.cancel(buffer, offset)
                    .attemptId(0)
                    .origin(CancelOrigin.USER)
                    .text(reason);
            encoder.header().sourceWorker(worker);
        }
    }

    private record Answer(long scopeId, CancelAnswer answer) implements Frame {
        @Override
        public void encode(final FrameEncoder encoder, final MutableDirectBuffer buffer, final int offset) {
            encoder.cancelled(buffer, offset).attemptId(0).answer(answer);
        }
    }

    private record Start(long scopeId, long attemptId, int worker, int weight, int priority, byte[] payload)
            implements Frame {
        @Override
        public void encode(final FrameEncoder encoder, final MutableDirectBuffer buffer, final int offset) {
            encoder.start(buffer, offset)
                    .attemptId(attemptId)
                    .weight(weight)
                    .priority(priority)
                    .opaque(new UnsafeBuffer(payload), 0, payload.length);
            encoder.header().targets(worker, 1);
        }
    }

    private record Accept(long scopeId, long attemptId, long holdNs) implements Frame {
        @Override
        public void encode(final FrameEncoder encoder, final MutableDirectBuffer buffer, final int offset) {
            encoder.accept(buffer, offset).attemptId(attemptId).holdNs(holdNs);
        }
    }

    private record Reject(long scopeId, long attemptId, RejectPolicy policy, int retryAfterMs, String reason)
            implements Frame {
        @Override
        public void encode(final FrameEncoder encoder, final MutableDirectBuffer buffer, final int offset) {
            encoder.reject(buffer, offset)
                    .attemptId(attemptId)
                    .policy(policy)
                    .retryAfterMs(retryAfterMs)
                    .text(reason);
        }
    }

    private record Go(long scopeId, long attemptId, byte[] plan) implements Frame {
        @Override
        public void encode(final FrameEncoder encoder, final MutableDirectBuffer buffer, final int offset) {
            encoder.go(buffer, offset).attemptId(attemptId).opaque(new UnsafeBuffer(plan), 0, plan.length);
        }

        @Override
        public int largeLength() {
            final int length = FrameHeaderFlyweight.alignedLength(
                    FrameHeaderFlyweight.HEADER_LENGTH + GoFlyweight.FIXED_LENGTH + plan.length);
            return length <= FRAME_LENGTH_MAX ? 0 : length;
        }
    }

    private record Release(long scopeId, long attemptId) implements Frame {
        @Override
        public void encode(final FrameEncoder encoder, final MutableDirectBuffer buffer, final int offset) {
            encoder.cancel(buffer, offset)
                    .attemptId(attemptId)
                    .origin(CancelOrigin.RELEASE)
                    .text("");
        }
    }

    private record Released(long scopeId, long attemptId, CancelAnswer answer) implements Frame {
        @Override
        public void encode(final FrameEncoder encoder, final MutableDirectBuffer buffer, final int offset) {
            encoder.cancelled(buffer, offset).attemptId(attemptId).answer(answer);
        }
    }

    private record Gone(long scopeId, int channelId, int receiver, int producer) implements Frame {
        @Override
        public void encode(final FrameEncoder encoder, final MutableDirectBuffer buffer, final int offset) {
            encoder.cancel(buffer, offset)
                    .attemptId(0)
                    .origin(CancelOrigin.RECEIVER_GONE)
                    .text("");
            encoder.header().channelId(channelId).sourceWorker(receiver).targets(producer, 1);
        }
    }

    /** The next frame, if it is too long for the buffer of control frames; the send thread's. */
    private Frame large;

    private volatile boolean isLargeDue;

    private final Queue<Frame> queue = new ConcurrentLinkedQueue<>();

    /** Words that wait for data; the send thread's, which does not sleep while there is data. */
    private final Deque<Frame> held = new ArrayDeque<>();

    private volatile boolean isHolding;

    /** Answers that have not been sent: who asks without reading them is stopped. */
    private final AtomicInteger answersWaiting = new AtomicInteger();

    /**
     * A word of this process about a scope.
     *
     * @param before asked by the send thread: whether all data that the word is about has been sent; null if it is about none
     */
    void say(final long scopeId, final ScopeWord word, final ScopeMembers members, final BooleanSupplier before) {
        queue.add(new Word(scopeId, word, members, true, before == null ? NOTHING : before));
    }

    /** A word of another process, told because the cluster is lost. */
    void relay(final long scopeId, final ScopeWord word, final ScopeMembers members) {
        queue.add(new Word(scopeId, word, members, false, NOTHING));
    }

    void ask(final long scopeId, final int worker, final String reason) {
        queue.add(new Ask(scopeId, worker, reason));
    }

    void answer(final long scopeId, final CancelAnswer answer) {
        answersWaiting.incrementAndGet();
        queue.add(new Answer(scopeId, answer));
    }

    void gone(final long scopeId, final int channelId, final int receiver, final int producer) {
        queue.add(new Gone(scopeId, channelId, receiver, producer));
    }

    void start(
            final long scopeId,
            final long attemptId,
            final int worker,
            final int weight,
            final int priority,
            final byte[] payload) {
        queue.add(new Start(scopeId, attemptId, worker, weight, priority, payload));
    }

    void accept(final long scopeId, final long attemptId, final long holdNs) {
        queue.add(new Accept(scopeId, attemptId, holdNs));
    }

    void reject(
            final long scopeId,
            final long attemptId,
            final RejectPolicy policy,
            final int retryAfterMs,
            final String reason) {
        queue.add(new Reject(scopeId, attemptId, policy, retryAfterMs, reason));
    }

    void go(final long scopeId, final long attemptId, final byte[] plan) {
        queue.add(new Go(scopeId, attemptId, plan));
    }

    void release(final long scopeId, final long attemptId) {
        queue.add(new Release(scopeId, attemptId));
    }

    void released(final long scopeId, final long attemptId, final CancelAnswer answer) {
        queue.add(new Released(scopeId, attemptId, answer));
    }

    int answersWaiting() {
        return answersWaiting.get();
    }

    /** Whether anything is left to be said, now or later. */
    boolean hasAny() {
        return isHolding || isLargeDue || !queue.isEmpty();
    }

    /**
     * Writes the next one, not sealed.
     *
     * @param lanes    told of a stop that has been written
     * @param isForced whether words go out before the data that they are about, which will not be sent any more
     * @return the bytes that it occupies, 0 if there is none that is due
     */
    int encodeNext(
            final FrameEncoder encoder,
            final MutableDirectBuffer buffer,
            final int offset,
            final SendLanes lanes,
            final boolean isForced) {
        if (isForced) {
            dropLarge(); // nothing begins any more
        }
        Frame frame = large == null ? next(isForced) : null;
        while (isForced && frame != null && frame.largeLength() > 0) {
            frame = next(true);
        }
        if (frame == null) {
            return 0;
        }
        if (frame.largeLength() > 0) {
            large = frame;
            isLargeDue = true;
            return 0;
        }
        return encode(frame, encoder, buffer, offset, lanes);
    }

    private void dropLarge() {
        large = null;
        isLargeDue = false;
    }

    /** How long the next frame is, padded, if it is to be written by {@link #encodeLarge}; else 0. */
    int largeLength() {
        return large == null ? 0 : large.largeLength();
    }

    /** Writes that one, not sealed; returns the bytes that it occupies. */
    int encodeLarge(final FrameEncoder encoder, final MutableDirectBuffer buffer, final SendLanes lanes) {
        final Frame frame = large;
        dropLarge();
        return encode(frame, encoder, buffer, 0, lanes);
    }

    private int encode(
            final Frame frame,
            final FrameEncoder encoder,
            final MutableDirectBuffer buffer,
            final int offset,
            final SendLanes lanes) {
        frame.encode(encoder, buffer, offset);
        if (frame instanceof Answer) {
            answersWaiting.decrementAndGet();
        }
        encoder.header().scopeId(frame.scopeId());
        if (frame.isStop()) {
            lanes.onStopTold(frame.scopeId());
        }
        return encoder.end();
    }

    private Frame next(final boolean isForced) {
        for (int i = held.size(); i > 0; i--) {
            final Frame frame = held.poll();
            if (isForced || frame.isDue()) {
                isHolding = !held.isEmpty();
                return frame;
            }
            held.add(frame);
        }
        Frame frame = queue.poll();
        while (frame != null && !isForced && !frame.isDue()) {
            isHolding = true;
            held.add(frame);
            frame = queue.poll();
        }
        return frame;
    }
}
