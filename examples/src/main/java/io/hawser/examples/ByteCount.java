package io.hawser.examples;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a number of bytes, such as {@code 64m} or {@code 4g}. */
final class ByteCount implements ITypeConverter<Long> {
    private static final Pattern SYNTAX = Pattern.compile("(\\d{1,6})([kmgKMG]?)");
    private static final int BITS_PER_UNIT = 10;

    @Override
    public Long convert(final String text) {
        final Matcher matcher = SYNTAX.matcher(text);
        if (matcher.matches()) {
            final int unit = " kmg".indexOf(matcher.group(2).toLowerCase(Locale.ROOT));
            final long bytes = Long.parseLong(matcher.group(1)) << BITS_PER_UNIT * Math.max(0, unit);
            if (bytes > 0) {
                return bytes;
            }
        }
        throw new TypeConversionException("must be a size, such as 64k, 64m or 4g, but is '" + text + "'");
    }
}
