package io.hawser.transport;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A directory in a text file that is read again at each question: one line {@code host:port} for each process, in the order of their indexes, as {@link Endpoint#parse} reads it; empty lines and lines that begin with {@code #} do
 * not count. Write the new file beside it and move it into place, so that nobody reads half of it; a file that cannot be read, is empty or has a line that is no endpoint is an {@link IOException} that
 * names the line.
 *
 * <p><em>Threading:</em> any.
 */
public final class FileDirectory implements Directory {
    private static final long LENGTH_MAX = 16L << 20;

    private final Path file;

    /**
     * Names the file; it need not be there yet.
     *
     * @param file which one
     */
    public FileDirectory(final Path file) {
        this.file = Objects.requireNonNull(file, "file");
    }

    @Override
    public List<Endpoint> list() throws IOException {
        if (Files.size(file) > LENGTH_MAX) {
            throw new IOException("not a list of processes: file=" + file + " length=" + Files.size(file));
        }
        final List<Endpoint> endpoints = new ArrayList<>();
        int number = 0;
        for (final String line : Files.readAllLines(file)) {
            number++;
            final String text = line.strip();
            if (!text.isEmpty() && text.charAt(0) != '#') {
                endpoints.add(parse(text, number));
            }
        }
        if (endpoints.isEmpty()) {
            throw new IOException("no process is listed: file=" + file);
        }
        return List.copyOf(endpoints);
    }

    private Endpoint parse(final String text, final int number) throws IOException {
        try {
            return Endpoint.parse(text);
        } catch (final IllegalArgumentException refused) {
            throw new IOException("line " + number + " of " + file + ": " + refused.getMessage(), refused);
        }
    }

    /**
     * The file.
     *
     * @return its path
     */
    @Override
    public String toString() {
        return file.toString();
    }
}
