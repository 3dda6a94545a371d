package io.hawser.flink;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** What is logged meanwhile, by SLF4J's simple logger, which writes to System.err as it is at the time. */
final class LogCapture implements AutoCloseable {
    private final PrintStream before = System.err;
    private final ByteArrayOutputStream captured = new ByteArrayOutputStream();

    private LogCapture() {}

    static LogCapture start() {
        final LogCapture capture = new LogCapture();
        System.setErr(new PrintStream(capture.new Tee(), true, StandardCharsets.UTF_8));
        return capture;
    }

    String text() {
        synchronized (captured) {
            return captured.toString(StandardCharsets.UTF_8);
        }
    }

    /** {@return lines of those levels whose logger's name, as it is shown, is one of this project's classes} */
    List<String> linesOf(final String... levels) {
        return Arrays.stream(text().split("\n"))
                .filter(line -> Arrays.stream(levels).anyMatch(level -> line.contains("[" + level + "] ")))
                .filter(line -> line.contains(" io.hawser.") || line.contains("hawser"))
                .toList();
    }

    @Override
    public void close() {
        System.setErr(before);
    }

    private final class Tee extends OutputStream {
        @Override
        public void write(final int b) {
            before.write(b);
            synchronized (captured) {
                captured.write(b);
            }
        }

        @Override
        public void write(final byte[] bytes, final int offset, final int length) {
            before.write(bytes, offset, length);
            synchronized (captured) {
                captured.write(bytes, offset, length);
            }
        }
    }
}
