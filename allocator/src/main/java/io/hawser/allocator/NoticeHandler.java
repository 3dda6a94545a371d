package io.hawser.allocator;

import io.hawser.transport.Notice;

/**
 * Is shown the notices for a worker, see {@link Worker#onNotice}.
 *
 * <p><em>Threading:</em> called by the worker's thread.
 */
@FunctionalInterface
public interface NoticeHandler {
    /**
     * A notice has come. What this throws comes out of the call of the library that it was called from.
     *
     * @param notice what has come; may be kept
     */
    void onNotice(Notice notice);
}
