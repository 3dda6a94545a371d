/**
 * What an engine links. Holds the start of a cluster and the wait for its end, the workers, and the channels allocated to
 * them, the same on one thread, on the threads of one process and across processes; and the admission of work: a placement
 * asks workers that may refuse before anything has happened. The module allocates <em>channels</em> to
 * workers and the memory that their messages live in.
 *
 * <p>May depend on {@link io.hawser.transport}, {@link io.hawser.fate}, {@link io.hawser.framing}, Agrona and the SLF4J
 * API.
 *
 * <p><em>Threading:</em> a worker and all that it allocated belong to the worker's thread.
 */
package io.hawser.allocator;
