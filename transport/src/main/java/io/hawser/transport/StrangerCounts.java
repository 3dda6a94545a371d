package io.hawser.transport;

/**
 * Connections to the port that did not become links, since this process began to listen for its generation.
 *
 * <p><em>Threading:</em> immutable.
 *
 * @param closedBeforeHello came and went without a byte: probes of load balancers and port scanners
 * @param strange           sent something that is no HELLO: HTTP, TLS, garbage, half a HELLO
 * @param timedOut          did not complete a HELLO within the hello time-out
 * @param evicted           made room for newer ones when too many were unidentified
 * @param refused           sent a HELLO and were refused
 */
public record StrangerCounts(long closedBeforeHello, long strange, long timedOut, long evicted, long refused) {}
