/**
 * The command line: one class for each command, among them the demonstration that ranks the classes of the running JDK.
 *
 * <p>May depend on {@link io.hawser.allocator} and what lies below it, and on picocli. Nothing depends on this package.
 *
 * <p><em>Threading:</em> commands run on the main thread; the workers of a demonstration are the allocator's.
 */
package io.hawser.tools;
