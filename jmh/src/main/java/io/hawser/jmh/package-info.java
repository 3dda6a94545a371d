/**
 * Benchmarks, one class for each question asked.
 *
 * <p>May depend on {@link io.hawser.allocator} and what lies below it, and on JMH. Nothing depends on this package.
 *
 * <p><em>Threading:</em> as JMH runs them; a benchmark that starts threads of its own says so.
 */
package io.hawser.jmh;
