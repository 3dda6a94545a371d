package io.hawser.examples;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a number of bytes, such as {@code 64m} or {@code 4g}. */
final class ByteCount implements ITypeConverter<Long> {
    private static final Pattern SYNTAX = Pattern.compile("(\\d{1,12})([kmgKMG]?)");
    private static final long MAX = 1L << 40;
    private static final int BITS_PER_UNIT = 10;

    @Override
    public Long convert(final String text) {
        final Matcher matcher = SYNTAX.matcher(text);
        if (matcher.matches()) {
            final int unit = " kmg".indexOf(matcher.group(2).toLowerCase(Locale.ROOT)); // 0 if there is none
            final int shift = BITS_PER_UNIT * unit;
            final long amount = Long.parseLong(matcher.group(1));
            if (amount > 0 && amount <= MAX >> shift) {
                return amount << shift;
            }
        }
        throw new TypeConversionException(
                "must be a size, such as 64k, 64m or 4g, at most 1024g, but is '" + text + "'");
    }
}
