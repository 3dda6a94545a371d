package io.hawser.jmh.peers;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;

/**
 * What a process and the harness that has started it tell each other, a line at a time: {@code READY}, {@code RESULT}, {@code ERROR}; {@code GO},
 * {@code EXIT}. When the harness is gone, standard input ends, and so does the process.
 *
 * <p><em>Threading:</em> safe.
 */
final class Stage {
    private static final int FAILED = 1;

    private final PrintStream out;
    private final CountDownLatch go = new CountDownLatch(1);
    private final CountDownLatch exit = new CountDownLatch(1);

    Stage(final InputStream orders, final PrintStream out) {
        this.out = out;
        final Thread reader = new Thread(() -> read(orders), "orders");
        reader.setDaemon(true);
        reader.start();
    }

    /** This process can be connected to. */
    void ready() {
        print("READY");
    }

    /** Waits until all are ready. */
    void awaitGo() throws InterruptedException {
        go.await();
    }

    void result(final ResultLine line) {
        print(line.toString());
    }

    /** Waits until nobody needs this process any more. */
    void awaitExit() throws InterruptedException {
        exit.await();
    }

    /** Ends this process at once. */
    void fail(final Throwable failure) {
        failure.printStackTrace();
        fail(failure.toString());
    }

    void fail(final String message) {
        print("ERROR " + message.replace('\n', ' '));
        Runtime.getRuntime().halt(FAILED);
    }

    private synchronized void print(final String line) {
        out.println(line);
        out.flush();
    }

    private void read(final InputStream orders) {
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(orders, StandardCharsets.UTF_8))) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                if (line.equals("GO")) {
                    go.countDown();
                } else if (line.equals("EXIT")) {
                    exit.countDown();
                }
            }
        } catch (final IOException e) {
            // whoever held the other end is gone
        }
        Runtime.getRuntime().halt(exit.getCount() == 0 ? 0 : FAILED);
    }
}
