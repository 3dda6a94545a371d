package io.hawser.examples;

import java.time.Duration;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads how long an example is to run. */
final class Seconds implements ITypeConverter<Duration> {
    private static final int MIN = 2;
    private static final int MAX = 86_400;

    @Override
    public Duration convert(final String text) {
        if (text.matches("\\d{1,5}")) {
            final int seconds = Integer.parseInt(text);
            if (seconds >= MIN && seconds <= MAX) {
                return Duration.ofSeconds(seconds);
            }
        }
        throw new TypeConversionException("must be whole seconds, " + MIN + " to " + MAX + ", but is '" + text + "'");
    }
}
