package io.hawser.testkit;

import java.io.IOException;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicInteger;

/** One connection through a {@link FaultProxy}: two sockets, and a pipe for each lane between them. */
final class ProxyConnection {
    private final String name;
    private final Socket dialler;
    private final Socket target;
    private final AtomicInteger openPipes = new AtomicInteger(2);
    private volatile boolean isCut;

    ProxyConnection(final String name, final Socket dialler, final Socket target) throws IOException {
        this.name = name;
        this.dialler = dialler;
        this.target = target;
        dialler.setTcpNoDelay(true);
        target.setTcpNoDelay(true);
    }

    void start(final ProxyLane toTarget, final ProxyLane toDialler) {
        new ProxyPipe(this, toTarget, dialler, target).start(name);
        new ProxyPipe(this, toDialler, target, dialler).start(name);
    }

    boolean isOpen() {
        return !dialler.isClosed() || !target.isClosed();
    }

    /** An end of stream has been passed on; after the second one nothing is left to do. */
    void endPipe() {
        if (openPipes.decrementAndGet() == 0) {
            Cut.close(dialler);
            Cut.close(target);
        }
    }

    /** Whether it has been ended by order; then nothing passes any more. */
    boolean isCut() {
        return isCut;
    }

    void cut(final Cut how) {
        isCut = true;
        how.end(dialler);
        how.end(target);
    }
}
