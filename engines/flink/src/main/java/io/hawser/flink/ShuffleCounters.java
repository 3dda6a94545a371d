package io.hawser.flink;

import java.util.concurrent.atomic.LongAdder;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MetricGroup;

/**
 * What the shuffle of one TaskManager counts, registered with Flink as {@code Shuffle.Hawser.…}.
 *
 * <p><em>Threading:</em> any thread.
 */
final class ShuffleCounters {
    // as a producer
    private final LongAdder opened = new LongAdder();
    private final LongAdder finished = new LongAdder();
    private final LongAdder consumersCancelled = new LongAdder();
    private final LongAdder consumersFailed = new LongAdder();
    private final LongAdder consumersLost = new LongAdder();
    private final LongAdder notFound = new LongAdder();
    private final LongAdder failedHere = new LongAdder();
    private final LongAdder cancelledHere = new LongAdder();
    private final LongAdder buffersOut = new LongAdder();
    private final LongAdder eventsOut = new LongAdder();
    private final LongAdder bytesOut = new LongAdder();

    // as a consumer
    private final LongAdder producersFailed = new LongAdder();
    private final LongAdder producersCancelled = new LongAdder();
    private final LongAdder producersLost = new LongAdder();
    private final LongAdder lateRecords = new LongAdder();
    private final LongAdder buffersIn = new LongAdder();
    private final LongAdder eventsIn = new LongAdder();
    private final LongAdder bytesIn = new LongAdder();

    private final MetricGroup group;

    private ShuffleCounters(final MetricGroup group) {
        this.group = group;
    }

    /** {@return counters that are all at 0, registered below a group of Flink's} */
    static ShuffleCounters in(final MetricGroup parent) {
        final ShuffleCounters metrics =
                new ShuffleCounters(parent.addGroup("Shuffle").addGroup("Hawser"));
        metrics.register("channelsServed", metrics.opened);
        metrics.register("consumersFinished", metrics.finished);
        metrics.register("consumersCancelled", metrics.consumersCancelled);
        metrics.register("consumersFailed", metrics.consumersFailed);
        metrics.register("consumersLost", metrics.consumersLost);
        metrics.register("partitionsNotFound", metrics.notFound);
        metrics.register("partitionsFailed", metrics.failedHere);
        metrics.register("partitionsCancelled", metrics.cancelledHere);
        metrics.register("buffersSent", metrics.buffersOut);
        metrics.register("eventsSent", metrics.eventsOut);
        metrics.register("bytesSent", metrics.bytesOut);
        metrics.register("producersFailed", metrics.producersFailed);
        metrics.register("producersCancelled", metrics.producersCancelled);
        metrics.register("producersLost", metrics.producersLost);
        metrics.register("lateRecords", metrics.lateRecords);
        metrics.register("buffersReceived", metrics.buffersIn);
        metrics.register("eventsReceived", metrics.eventsIn);
        metrics.register("bytesReceived", metrics.bytesIn);
        return metrics;
    }

    private void register(final String name, final LongAdder counter) {
        gauge(name, counter::sum);
    }

    /** Registers something that is asked when a reporter wants to know. */
    void gauge(final String name, final Gauge<Long> gauge) {
        group.gauge(name, gauge);
    }

    void opened() {
        opened.increment();
    }

    void endedByConsumer(final ConsumerEnd end) {
        switch (end) {
            case FINISHED:
                finished.increment();
                break;
            case CANCELLED:
                consumersCancelled.increment();
                break;
            default:
                consumersFailed.increment();
                break;
        }
    }

    void consumersLost(final int count) {
        consumersLost.add(count);
    }

    void notFound() {
        notFound.increment();
    }

    void producerFailed() {
        failedHere.increment();
    }

    void producerCancelled() {
        cancelledHere.increment();
    }

    void sent(final boolean isBuffer, final int bytes) {
        (isBuffer ? buffersOut : eventsOut).increment();
        bytesOut.add(bytes);
    }

    void received(final boolean isBuffer, final int bytes) {
        (isBuffer ? buffersIn : eventsIn).increment();
        bytesIn.add(bytes);
    }

    void producerFailedSeen() {
        producersFailed.increment();
    }

    void producerCancelledSeen() {
        producersCancelled.increment();
    }

    void producersLost(final int count) {
        producersLost.add(count);
    }

    void late() {
        lateRecords.increment();
    }
}
