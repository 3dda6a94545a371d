/**
 * Shared fate. Holds the health flag with its first cause, the tree of scopes through which a failure spreads downwards,
 * the typed causes, the outcome that each worker ends with, and the detectors of silence, pauses and standstill.
 *
 * <p>May depend on {@code java.base} and the SLF4J API. Knows no socket and no wire format; time comes in from outside.
 *
 * <p><em>Threading:</em> health is read and lost by any thread without a lock; each type states its own rule.
 */
package io.hawser.fate;
