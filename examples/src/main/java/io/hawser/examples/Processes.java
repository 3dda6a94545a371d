package io.hawser.examples;

import io.hawser.tools.ChildProcess;
import io.hawser.tools.ChildProcesses;
import io.hawser.tools.Event;
import io.hawser.tools.ExitStatus;
import io.hawser.tools.Transcript;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
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
    private final ChildProcesses children;

    private record Notice(ChildProcess child, Event event) {}

    Processes(final Transcript out, final boolean isVerbose) {
        this.out = out;
        this.isVerbose = isVerbose;
        children = new ChildProcesses(
                (child, event) -> notices.add(new Notice(child, event)),
                this::onOutput,
                () -> out.plain("interrupted; all processes have ended"));
    }

    void start(final int index, final List<String> flags, final List<String> arguments) throws IOException {
        living.add(children.start(index, ExamplesMain.class, flags, arguments));
    }

    /**
     * Waits until all have ended, well.
     *
     * @return what they found, by index
     * @throws ProcessFailedException if one has failed
     */
    List<Event> awaitResults() throws InterruptedException {
        final Event[] results = new Event[living.size()];
        while (!living.isEmpty()) {
            final Notice notice = notices.poll(STALL_TIMEOUT_S, TimeUnit.SECONDS);
            if (notice == null) {
                throw failed("nothing happened for " + STALL_TIMEOUT_S + " s", living);
            }
            final ChildProcess child = notice.child();
            final Event event = notice.event();
            switch (event.type()) {
                case Told.LINE -> out.event("process " + child.index() + ": " + event.text("text"));
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

    private void onExited(final ChildProcess child, final Event event, final boolean hasResult)
            throws InterruptedException {
        living.remove(child);
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
