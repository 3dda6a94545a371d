/**
 * Apache Flink 2.3 runs its shuffle over Hawser's transport: {@link io.hawser.flink.HawserShuffleServiceFactory} is what Flink's configuration names, {@link io.hawser.flink.HawserShuffleOptions} what else it
 * may say.
 *
 * <p>May depend on Flink, on {@code io.hawser.transport} and what that uses. Threads: Flink's enqueue, a {@link io.hawser.flink.ShuffleAgent} does the work of sending, the links' receive threads that of receiving;
 * see docs/FLINK.md.
 */
package io.hawser.flink;
