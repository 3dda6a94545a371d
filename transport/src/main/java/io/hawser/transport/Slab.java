package io.hawser.transport;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A piece of direct memory, shared by counting references. {@link SlabPool#acquire()} gives it out with one reference; whoever hands it on
 * calls {@link #retain()} for the receiver, and each holder calls {@link #release()} once. With the last reference the memory returns to its pool.
 *
 * <p><em>Ownership:</em> the bytes may be touched between {@code acquire} or {@code retain} and the matching {@code release}, and not
 * a moment longer. They are written before they are shared, and only read afterwards.
 *
 * <p><em>Threading:</em> any holder in any thread may retain and release. All that a holder did before its release is visible to
 * whoever acquires the slab next. Handing a slab to another thread is publishing like that of any object.
 */
public final class Slab {
    private static final AtomicIntegerFieldUpdater<Slab> REFERENCES =
            AtomicIntegerFieldUpdater.newUpdater(Slab.class, "references");
    private static final byte[] NOTHING = new byte[0];

    private final SlabPool pool;
    private final ByteBuffer byteBuffer;
    private final UnsafeBuffer buffer;

    /** Compared-and-set by any holder; 0 while in the pool. */
    private volatile int references;

    /** The filler's. */
    private Object attachment;

    /** What lies below in the pool; written by the releasing thread before it publishes the slab there. */
    Slab next;

    /** A slab without references, for the pool. */
    Slab(final SlabPool pool, final ByteBuffer byteBuffer) {
        this.pool = pool;
        this.byteBuffer = byteBuffer;
        this.buffer = new UnsafeBuffer(byteBuffer);
    }

    /**
     * The memory.
     *
     * @return a view of all of it, valid until the caller's release
     * @throws IllegalStateException if nobody holds the slab
     */
    public UnsafeBuffer buffer() {
        if (references <= 0) {
            throw misuse("used");
        }
        return buffer;
    }

    /**
     * The memory as the JDK's channels take it. Position and limit belong to the thread that acquired the slab; all others use {@link #buffer()}.
     */
    ByteBuffer byteBuffer() {
        return byteBuffer;
    }

    /**
     * How long the slab is.
     *
     * @return bytes
     */
    public int length() {
        return byteBuffer.capacity();
    }

    /**
     * What was attached to this slab, which goes into the pool and comes out with it.
     *
     * @return the object, null if nothing was attached; for the thread that fills the slab
     */
    public Object attachment() {
        return attachment;
    }

    /**
     * Keeps an object with this slab.
     *
     * @param object what the thread that fills the slab wants to find again; null for nothing
     */
    public void attach(final Object object) {
        attachment = object;
    }

    /**
     * How many references there are.
     *
     * @return the count, 0 after the last release
     */
    public int references() {
        return references;
    }

    /**
     * Adds a reference, to be given up by one {@link #release()}. The caller has to hold one itself.
     *
     * @throws IllegalStateException if nobody holds the slab: a reference cannot be won back
     */
    public void retain() {
        int count;
        do {
            count = references;
            if (count <= 0 || count == Integer.MAX_VALUE) {
                throw misuse("retained");
            }
        } while (!REFERENCES.compareAndSet(this, count, count + 1));
    }

    /**
     * Gives up one reference. The last one returns the memory to the pool, or frees it if the pool is closed or full.
     *
     * @throws IllegalStateException if there is none left to give up
     */
    public void release() {
        int count;
        do {
            count = references;
            if (count <= 0) {
                throw misuse("released");
            }
        } while (!REFERENCES.compareAndSet(this, count, count - 1));
        if (count == 1) {
            pool.recycle(this);
        }
    }

    /** Gives the first reference; by the pool's acquiring thread, to which alone the slab belongs now. */
    void open() {
        byteBuffer.clear();
        references = 1;
    }

    /** Frees the memory. A late reader finds an empty buffer, and with bounds checks on an exception instead of a crash. */
    void free(final MemoryAccount account) {
        buffer.wrap(NOTHING);
        account.free(byteBuffer);
    }

    private IllegalStateException misuse(final String what) {
        return new IllegalStateException("slab " + what + " that nobody holds: references=" + references);
    }
}
