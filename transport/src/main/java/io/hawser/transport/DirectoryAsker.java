package io.hawser.transport;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Asks a user's directory, for one configuration and all that are derived from it, so for all generations of a process: in a thread of its own, one question at a time, and waits for the answer no longer than a few seconds. So a directory that hangs
 * costs one thread, and nobody hangs with it (L3, L4).
 *
 * <p><em>Threading:</em> any thread.
 */
final class DirectoryAsker implements Directory {
    private static final long PATIENCE_MS = 3_000;

    private final Directory directory;
    private final ThreadFactory threads;
    private final String threadName;

    /** The question that was asked last; done once it is answered. Under the monitor. */
    private CompletableFuture<List<Endpoint>> question = CompletableFuture.completedFuture(List.of());

    DirectoryAsker(final Directory directory, final ThreadFactory threads, final String threadName) {
        this.directory = directory;
        this.threads = threads;
        this.threadName = threadName;
    }

    @Override
    public List<Endpoint> list() throws IOException {
        try {
            return ask().get(PATIENCE_MS, TimeUnit.MILLISECONDS);
        } catch (final TimeoutException e) {
            throw new IOException("no answer within " + PATIENCE_MS + " ms", e);
        } catch (final ExecutionException e) {
            final Throwable thrown = e.getCause();
            // such as NoSuchFileException, whose message is but the name
            throw new IOException(
                    thrown.getClass() == IOException.class ? thrown.getMessage() : thrown.toString(), thrown);
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while asking", e);
        }
    }

    /** Whoever comes while a question is open waits for its answer. */
    private synchronized CompletableFuture<List<Endpoint>> ask() {
        if (question.isDone()) {
            final CompletableFuture<List<Endpoint>> fresh = new CompletableFuture<>();
            question = fresh;
            try {
                final Thread thread = threads.newThread(() -> answer(fresh));
                thread.setName(threadName);
                thread.setDaemon(true);
                thread.start();
            } catch (final Throwable noThread) {
                fresh.completeExceptionally(noThread);
            }
        }
        return question;
    }

    private void answer(final CompletableFuture<List<Endpoint>> to) {
        try {
            to.complete(List.copyOf(directory.list()));
        } catch (final Throwable thrown) { // a user's code
            to.completeExceptionally(thrown);
        }
    }

    @Override
    public String toString() {
        return directory.toString();
    }
}
