package io.hawser.transport;

import java.util.concurrent.ThreadFactory;

/**
 * How threads are called, so that a thread dump explains itself.
 *
 * @param prefix "hawser-" cluster "-p" process "-g" generation "-"
 */
record Names(String prefix) {
    static Names of(ClusterConfig config, long generation) {
        return of(config.clusterId(), config.processIndex(), generation);
    }

    static Names of(String clusterId, int process, long generation) {
        return new Names("hawser-" + clusterId + "-p" + process + "-g" + generation + "-");
    }

    /** {@return how the thread of a worker is called by whoever starts it} */
    String worker(int worker) {
        return prefix + "worker-" + worker;
    }

    Thread thread(ThreadFactory factory, Runnable body, String role) {
        Thread thread = factory.newThread(body);
        thread.setName(prefix + role);
        thread.setDaemon(true);
        return thread;
    }
}
