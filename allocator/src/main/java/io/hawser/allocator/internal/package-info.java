/**
 * What makes {@link io.hawser.allocator} work and is no API: the queues between workers, the routing of frames to
 * channels, parking and waking. Nothing outside the allocator module, tests apart, refers to this package.
 *
 * <p>May depend on what {@link io.hawser.allocator} may, and on that package.
 *
 * <p><em>Threading:</em> hand-over between threads happens in queues that name their cardinality.
 */
package io.hawser.allocator.internal;
