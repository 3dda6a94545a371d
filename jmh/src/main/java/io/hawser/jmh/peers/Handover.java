package io.hawser.jmh.peers;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * Hands one thing from one thread to others.
 *
 * <p><em>Threading:</em> safe.
 *
 * @param <T> its type
 */
final class Handover<T> {
    private final CompletableFuture<T> future = new CompletableFuture<>();

    T put(final T value) {
        future.complete(value);
        return value;
    }

    /** Waits without limit: the process itself has a deadline. */
    T get() throws InterruptedException {
        try {
            return future.get();
        } catch (final ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }
}
