package io.hawser.examples;

import io.hawser.allocator.OnFull;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads what a channel is to do when it is full. */
final class Policy implements ITypeConverter<OnFull> {
    @Override
    public OnFull convert(final String text) {
        for (final OnFull onFull : OnFull.values()) {
            if (name(onFull).equals(text)) {
                return onFull;
            }
        }
        throw new TypeConversionException("must be refuse, wait or spill, but is '" + text + "'");
    }

    static String name(final OnFull onFull) {
        return onFull.name().toLowerCase(Locale.ROOT);
    }
}
