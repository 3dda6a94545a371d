package io.hawser.fate;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Where a thread stands, as text that is fit for a log and for the wire: one line for each call, the innermost first. Of a stack that is too long the calls in the middle are counted only: the innermost tell what
 * the thread does, the outermost on whose behalf.
 *
 * <p><em>Threading:</em> none of its own; any thread.
 */
public final class StackText {
    /** What a whole text has at most, in UTF-8 bytes. */
    public static final int MAX_BYTES = 1_024;

    /** The first so many calls are always told, and the first that is not of the JDK: where a thread sleeps is seldom of interest, but who sent it to bed. */
    private static final int INNERMOST = 4;

    /** Each call is cut to what leaves room for those that are always told. */
    private static final int MAX_CALL_BYTES = 180;

    /** For the lines that count what is left out. */
    private static final int GAP_BYTES = 2 * 24;

    private StackText() {}

    /**
     * Writes a stack down.
     *
     * @param calls the innermost first.
     * @return lines separated by LF, at most {@link #MAX_BYTES} bytes; empty if there are no calls.
     */
    public static String of(StackTraceElement[] calls) {
        String[] told = new String[calls.length];
        int left = MAX_BYTES - GAP_BYTES;
        int firstOfOthers = firstOfOthers(calls);
        for (int i = 0; i < calls.length; i++) {
            if (i < INNERMOST || i == firstOfOthers) {
                told[i] = line(calls[i]);
                left -= bytesOf(told[i]);
            }
        }
        for (int i = calls.length - 1; i >= 0 && left > 0; i--) {
            if (told[i] == null) {
                String line = line(calls[i]);
                left -= bytesOf(line);
                told[i] = left >= 0 ? line : null;
            }
        }
        return join(told);
    }

    private static int firstOfOthers(StackTraceElement[] calls) {
        int first = 0;
        while (first < calls.length && isOfJdk(calls[first].getClassName())) {
            first++;
        }
        return first;
    }

    private static boolean isOfJdk(String className) {
        return className.startsWith("java.") || className.startsWith("jdk.") || className.startsWith("sun.");
    }

    private static String join(String[] told) {
        List<String> lines = new ArrayList<>();
        int gap = 0;
        for (String line : told) {
            if (line == null) {
                gap++;
            } else {
                if (gap > 0) {
                    lines.add("... " + gap + " more");
                    gap = 0;
                }
                lines.add(line);
            }
        }
        if (gap > 0) {
            lines.add("... " + gap + " more");
        }
        return String.join("\n", lines);
    }

    private static int bytesOf(String line) {
        return line.getBytes(StandardCharsets.UTF_8).length + 1;
    }

    /** Without class loader and module, which say nothing here. */
    private static String line(StackTraceElement call) {
        String place = call.isNativeMethod()
                ? "native"
                : call.getFileName() == null ? "unknown" : call.getFileName() + ":" + call.getLineNumber();
        return OneLineText.of(call.getClassName() + "." + call.getMethodName() + "(" + place + ")", MAX_CALL_BYTES);
    }

    /**
     * The lines of a text that somebody else has written.
     *
     * @param text     of any content.
     * @param maxBytes of which no more is taken, in UTF-8.
     * @return each without control characters; none is empty.
     */
    public static List<String> lines(String text, int maxBytes) {
        List<String> lines = new ArrayList<>();
        int left = maxBytes;
        for (String raw : text.split("\n")) {
            String line = OneLineText.of(raw, Math.max(0, left));
            left -= bytesOf(line);
            if (!line.isEmpty()) {
                lines.add(line);
            }
        }
        return List.copyOf(lines);
    }
}
