package io.hawser.transport;

import java.util.concurrent.ThreadFactory;

/**
 * How threads are called, so that a thread dump explains itself.
 *
 * @param prefix "hawser-" cluster "-p" process "-g" generation "-"
 */
record Names(String prefix) {
    static Names of(ClusterConfig config, long generation) {
        return new Names("hawser-" + config.clusterId() + "-p" + config.processIndex() + "-g" + generation + "-");
    }

    Thread thread(ThreadFactory factory, Runnable body, String role) {
        Thread thread = factory.newThread(body);
        thread.setName(prefix + role);
        thread.setDaemon(true);
        return thread;
    }
}
