/**
 * The command {@code hawser bench}: starts the processes of each run of {@link io.hawser.jmh.peers}, round by round, and compares what they have measured, in
 * a table, as JSON and as a chart.
 *
 * <p>May depend on {@link io.hawser.jmh.peers}, on the public parts of {@link io.hawser.tools}, and on picocli.
 *
 * <p><em>Threading:</em> the main thread; one thread more for each output of a process, and a shutdown hook.
 */
package io.hawser.jmh.bench;
