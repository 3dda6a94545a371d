/**
 * {@code ./hawser flink-demo}: Flink on its own transport and on Hawser, side by side, while a TaskManager is frozen; and the job that does the counting, which tests use, too.
 */
package io.hawser.flink.demo;
