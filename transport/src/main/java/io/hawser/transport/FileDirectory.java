package io.hawser.transport;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A directory in a text file that is read again at each question: one line {@code host:port} for each process, in the order of their indexes, as {@link Endpoint#parse} reads it; empty lines and lines that begin with {@code #} do
 * not count, and the last line has to have an end like all others. Write the new file beside it and move it into place, so that nobody reads half of it; a file that cannot be read, is empty or has a line that is no endpoint is an {@link IOException} that
 * names the file and the line.
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
        final String text = read();
        if (!text.endsWith("\n")) {
            throw new IOException("the last line of " + file + " has no end: it is just being written, or cut off");
        }
        final List<Endpoint> endpoints = new ArrayList<>();
        int number = 0;
        for (final String line : text.split("\n")) {
            number++;
            final String endpoint = line.strip();
            if (!endpoint.isEmpty() && endpoint.charAt(0) != '#') {
                endpoints.add(parse(endpoint, number));
            }
        }
        if (endpoints.isEmpty()) {
            throw new IOException("no process is listed: file=" + file);
        }
        return List.copyOf(endpoints);
    }

    private String read() throws IOException {
        try {
            if (Files.size(file) > LENGTH_MAX) {
                throw new IOException("longer than " + LENGTH_MAX + " bytes");
            }
            return Files.readString(file);
        } catch (final IOException e) {
            throw new IOException("cannot read the list of processes from " + file + ": " + e, e);
        }
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
