/**
 * What makes {@link io.hawser.transport} work and is no API: the session state machine, the agents behind the threads,
 * socket handling. Nothing outside the transport module, tests apart, refers to this package.
 *
 * <p>May depend on what {@link io.hawser.transport} may, and on that package.
 *
 * <p><em>Threading:</em> the session is pure and owned by its caller; an agent is owned by the thread that runs it.
 */
package io.hawser.transport.internal;
