/**
 * Hawser and other transports at the same work, each run in real processes: the entrants, what the work is, and the process that plays one
 * part of a run. Who starts the processes and compares them is {@link io.hawser.jmh.bench}, or a harness of somebody else's.
 *
 * <p>May depend on {@link io.hawser.allocator} and what lies below it, and on the transports that are measured.
 *
 * <p><em>Threading:</em> a load ({@link io.hawser.jmh.peers.Flood} and its like) is driven by one thread and delivered to by one thread, which
 * may be the same.
 */
package io.hawser.jmh.peers;
