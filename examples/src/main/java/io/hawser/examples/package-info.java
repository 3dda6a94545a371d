/**
 * The command {@code hawser example}: programs of about a page that show how Hawser is used when there is more to send than somebody can take, and when work is asked for that may be refused or lost. Each is one class, an
 * {@link io.hawser.examples.Example}, and starts the processes that it needs; those about queries share what is called so, {@link io.hawser.examples.QueryPlan} first; all else here serves to run them and to say how they went.
 *
 * <p>May depend on {@link io.hawser.allocator} and what lies below it, on the public parts of {@link io.hawser.tools}, on picocli and HdrHistogram. Nothing
 * depends on this package.
 *
 * <p><em>Threading:</em> the main thread; workers are the allocator's.
 */
package io.hawser.examples;
