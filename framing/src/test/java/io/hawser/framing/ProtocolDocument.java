package io.hawser.framing;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** PROTOCOL.md, found upwards from the working directory, and the hex blocks in it. */
final class ProtocolDocument {

    private static final Pattern BLOCK = Pattern.compile("^```hex (.+)\\n((?:.*\\n)*?)```\\n", Pattern.MULTILINE);

    private ProtocolDocument() {}

    static String read() {
        try {
            return Files.readString(path());
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Every block as it stands, by name. */
    static Map<String, String> blocks() {
        final Map<String, String> blocks = new LinkedHashMap<>();
        final Matcher matcher = BLOCK.matcher(read());
        while (matcher.find()) {
            if (blocks.put(matcher.group(1), matcher.group()) != null) {
                throw new IllegalStateException("two blocks of one name: name=" + matcher.group(1));
            }
        }
        return blocks;
    }

    /** The bytes of a block, whose offsets have to count them. */
    static byte[] bytes(final String block) {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        block.lines().filter(line -> !line.startsWith("```")).forEach(line -> {
            final String[] columns = line.split("\\|", 3);
            if (Integer.parseInt(columns[0].strip()) != bytes.size()) {
                throw new IllegalStateException("offset does not count the bytes before it: line=" + line);
            }
            for (final String pair : columns[1].strip().split(" ")) {
                bytes.write(Integer.parseInt(pair, 16));
            }
        });
        return bytes.toByteArray();
    }

    static Path path() {
        Path folder = Path.of("").toAbsolutePath();
        while (folder != null && !Files.exists(folder.resolve("PROTOCOL.md"))) {
            folder = folder.getParent();
        }
        if (folder == null) {
            throw new IllegalStateException(
                    "no PROTOCOL.md at or above " + Path.of("").toAbsolutePath());
        }
        return folder.resolve("PROTOCOL.md");
    }
}
