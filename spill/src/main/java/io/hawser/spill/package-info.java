/**
 * Where the messages of spilling channels wait: {@link io.hawser.allocator.SpillStore} over memory-mapped files. The only package that knows
 * Chronicle, so that an engine whose channels do not spill links neither. It is found through {@link java.util.ServiceLoader}.
 *
 * <p>A store owns a number of files in a directory that it may share with other processes. A queue is a chain of them, small ones first; pieces are
 * appended to the last and taken from the first, which is deleted once nothing of it is left:
 *
 * <pre>
 *            head                                             tail
 *    +------------------+   +----------------------+   +----------------------------------+
 *    | taken | p4 | p5  |--&gt;| p6 |       p7        |--&gt;| p8 | p9 |         room           |
 *    +------------------+   +----------------------+   +----------------------------------+
 *          256 KiB                  512 KiB                          1 MiB … 64 MiB
 * </pre>
 *
 * <p>May depend on {@link io.hawser.allocator}, {@link io.hawser.transport}, Agrona and Chronicle Bytes.
 *
 * <p><em>Threading:</em> a queue is for one thread at a time; all that queues share is the count of bytes in use.
 */
package io.hawser.spill;
