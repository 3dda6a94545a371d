/**
 * Moving bytes between the processes of one cluster over TCP. Holds the configuration, the forming of the mesh with its
 * report, and the links to peers, each with the state of its session and its counters.
 *
 * <p>May depend on {@link io.hawser.framing}, {@link io.hawser.fate}, Agrona and the SLF4J API.
 *
 * <p><em>Threading:</em> each peer has one send thread and one receive thread, independent of each other; a
 * worker that flushes may write to the socket in place of a send thread that sleeps; health joins them to the workers. Each type states which thread may call it.
 */
package io.hawser.transport;
