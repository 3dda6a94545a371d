package io.hawser.allocator;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Keeps on the heap what is spilled, unless it is told to fail. */
public final class FaultyStore implements SpillStore {
    final List<Integer> lengths = Collections.synchronizedList(new ArrayList<>());
    boolean isFull;
    boolean isStuck;

    /** The spill stores of clusters in these tests. */
    public static final class Provider implements SpillStore.Provider {
        @Override
        public SpillStore open(final Path directory, final String name, final long limit) {
            return new FaultyStore();
        }
    }

    private record Piece(long tag, byte[] bytes) {}

    @Override
    public Queue openQueue(final String name) {
        return new HeapQueue();
    }

    @Override
    public long usedBytes() {
        return 0;
    }

    @Override
    public long limit() {
        return Long.MAX_VALUE;
    }

    @Override
    public void close() {
        // the collector does it
    }

    private final class HeapQueue implements Queue {
        private final Deque<Piece> pieces = new ArrayDeque<>();

        @Override
        public void append(final long tag, final DirectBuffer source, final int offset, final int length) {
            if (isFull) {
                throw new FaultyCodec.Fault();
            }
            final byte[] bytes = new byte[length];
            source.getBytes(offset, bytes);
            pieces.add(new Piece(tag, bytes));
            lengths.add(length);
        }

        @Override
        public boolean isEmpty() {
            return pieces.isEmpty();
        }

        @Override
        public long pendingBytes() {
            return pieces.stream().mapToLong(piece -> piece.bytes().length).sum();
        }

        @Override
        public DirectBuffer headBuffer() {
            return new UnsafeBuffer(pieces.element().bytes());
        }

        @Override
        public int headOffset() {
            return 0;
        }

        @Override
        public int headLength() {
            return pieces.element().bytes().length;
        }

        @Override
        public long headTag() {
            return pieces.element().tag();
        }

        @Override
        public void removeHead() {
            pieces.remove();
        }

        @Override
        public void close() {
            if (isStuck) {
                throw new FaultyCodec.Fault();
            }
            pieces.clear();
        }
    }
}
