/**
 * What an engine tests itself with, against the faults that Hawser is tested with. No root rights are needed, and no network but the loopback interface.
 *
 * <pre>
 *   LoopbackCluster   the processes of a cluster within this JVM, over real TCP; {@literal @}HawserCluster hands one to a test
 *   ProcessCluster    the processes of a cluster as real JVMs, to be killed, frozen and replaced; their parent is a Nursery
 *   FaultProxy        between two processes of either: loses, delays, spoils and cuts what passes
 * </pre>
 *
 * <p>May depend on {@link io.hawser.allocator} and all that it stands on, and on the JUnit Jupiter API. Nothing that is shipped may depend on it.
 *
 * <p><em>Threading:</em> each type states its own rule. All threads of this package are daemons.
 */
package io.hawser.testkit;
