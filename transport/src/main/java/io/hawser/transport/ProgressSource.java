package io.hawser.transport;

/**
 * How far the workers of this process have got, for HEARTBEAT.
 *
 * <p><em>Threading:</em> any thread.
 */
interface ProgressSource {
    /** No worker reports. */
    ProgressSource NONE = new ProgressSource() {
        @Override
        public int workerCount() {
            return 0;
        }

        @Override
        public long progress(final int localIndex) {
            return 0;
        }
    };

    /** How many workers report. */
    int workerCount();

    /** A number that grows with each step of a worker. */
    long progress(int localIndex);
}
