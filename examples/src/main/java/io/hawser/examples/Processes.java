package io.hawser.examples;

import io.hawser.tools.ChildProcess;
import io.hawser.tools.ChildProcesses;
import io.hawser.tools.Event;
import io.hawser.tools.ExitStatus;
import io.hawser.tools.Transcript;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * The processes of an example, seen from the one that started them: it shows what they say, and gathers what they found. None outlives it.
 *
 * <p><em>Threading:</em> the main thread. Threads that read from the processes put events into a queue.
 */
final class Processes implements AutoCloseable {
    /** Nothing that they do in silence takes so long. */
    private static final long STALL_TIMEOUT_S = 90;

    /** Ctrl-C ends all processes at once; within this time the end of this one has begun too, or it was not Ctrl-C. */
    private static final long INTERRUPT_GRACE_MS = 500;

    private final Transcript out;
    private final boolean isVerbose;
    private final BlockingQueue<Notice> notices = new LinkedBlockingQueue<>();
    private final List<ChildProcess> living = new ArrayList<>();

    /** Which processes are to be started anew when they have ended, and for which generation. */
    private final Map<Integer, Long> returning = new HashMap<>();

    private final Starter starter;
    private final ChildProcesses children;

    private record Notice(ChildProcess child, Event event) {}

    /** How a process is started. */
    @FunctionalInterface
    interface Starter {
        /**
         * Starts a process.
         *
         * @param children   to start it with
         * @param index      of the process
         * @param generation the first that it takes part in
         * @return the process, running
         * @throws IOException if it cannot be started
         */
        ChildProcess start(ChildProcesses children, int index, long generation) throws IOException;
    }

    Processes(final Transcript out, final boolean isVerbose, final Starter starter) {
        this.out = out;
        this.starter = starter;
        this.isVerbose = isVerbose;
        children = new ChildProcesses(
                (child, event) -> notices.add(new Notice(child, event)),
                this::onOutput,
                () -> out.plain("interrupted; all processes have ended"));
    }

    private ChildProcess start(final int index, final long generation) throws IOException {
        final ChildProcess child = starter.start(children, index, generation);
        living.add(child);
        return child;
    }

    /**
     * Starts processes, and waits until all have ended, well.
     *
     * @param count of the processes
     * @return what they found, by index
     * @throws IOException            if one cannot be started
     * @throws ProcessFailedException if one has failed
     */
    List<Event> run(final int count) throws IOException, InterruptedException {
        for (int index = 0; index < count; index++) {
            start(index, 1);
        }
        final Event[] results = new Event[count];
        while (!living.isEmpty()) {
            final Notice notice = notices.poll(STALL_TIMEOUT_S, TimeUnit.SECONDS);
            if (notice == null) {
                throw failed("nothing happened for " + STALL_TIMEOUT_S + " s", living);
            }
            final ChildProcess child = notice.child();
            final Event event = notice.event();
            switch (event.type()) {
                case Told.LINE -> out.event("process " + child.index() + ": " + event.text("text"));
                case Told.KILL -> kill((int) event.number("process"), event.number("generation"));
                case Told.LEAVE -> returning.put(child.index(), event.number("generation"));
                case Told.RESULT -> results[child.index()] = event;
                case Told.FAILED ->
                    throw failed("process " + child.index() + ": " + event.text("what"), List.of(child));
                case ChildProcess.EXITED -> onExited(child, event, results[child.index()] != null);
                default -> throw new IllegalStateException("unknown event: type=" + event.type());
            }
        }
        return Arrays.asList(results);
    }

    /** Ends all that have not ended. */
    @Override
    public void close() {
        children.close();
    }

    private void kill(final int index, final long generation) {
        returning.put(index, generation);
        living.stream().filter(child -> child.index() == index).forEach(child -> {
            child.kill();
            out.event("killed process " + index + " (pid " + child.pid() + ")");
        });
    }

    private void onExited(final ChildProcess child, final Event event, final boolean hasResult)
            throws IOException, InterruptedException {
        living.remove(child);
        final Long generation = returning.remove(child.index());
        if (generation != null) {
            final ChildProcess successor = start(child.index(), generation);
            out.event("process " + child.index() + " (pid " + child.pid() + ") is gone; it is started anew with pid "
                    + successor.pid());
            return;
        }
        if (!hasResult || event.number("status") != ExitStatus.RIGHT) {
            throw failed(
                    "process " + child.index() + " ended with exit status " + event.number("status"), List.of(child));
        }
    }

    private void onOutput(final int index, final String line) {
        if (isVerbose) {
            out.plain("p" + index + "| " + line);
        }
    }

    /** With the last output of some processes. If all are being ended anyway, this waits for that end. */
    private ProcessFailedException failed(final String what, final List<ChildProcess> suspects)
            throws InterruptedException {
        if (children.awaitEnding(INTERRUPT_GRACE_MS)) {
            Thread.currentThread().join(); // the shutdown hook ends this JVM, and has the last word
        }
        final StringBuilder message = new StringBuilder(what);
        for (final ChildProcess suspect : suspects) {
            suspect.tail().forEach(line -> message.append("\n  p" + suspect.index() + "| " + line));
        }
        return new ProcessFailedException(message.toString());
    }
}
