/**
 * The wire format. Holds the header layout that all frames share, one flyweight for each kind of frame, the encoder that
 * lays frames into a buffer and the incremental decoder that finds them again in whatever pieces the bytes arrive.
 *
 * <p>May depend on {@code java.base} and Agrona. Knows no socket, no thread and no clock.
 *
 * <p><em>Threading:</em> nothing here is shared; each object belongs to the thread that uses it.
 */
package io.hawser.framing;
