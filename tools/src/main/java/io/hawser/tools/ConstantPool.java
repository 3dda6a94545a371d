package io.hawser.tools;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/**
 * The constant pool of one class file, as far as needed to tell which classes it refers to.
 *
 * <pre>
 *   class file:  u4 magic | u2 minor | u2 major | u2 constant_pool_count | entries 1 … count - 1 | …
 *   entry:       u1 tag | what the tag says; a long or a double takes two indexes
 * </pre>
 *
 * <p>The layout is that of the Java Virtual Machine Specification, section 4.4. All numbers are big-endian.
 *
 * <p><em>Threading:</em> one thread.
 */
final class ConstantPool {
    private static final int MAGIC = 0xCAFEBABE;
    private static final int COUNT_OFFSET = 8;
    private static final int ENTRIES_OFFSET = COUNT_OFFSET + Short.BYTES;

    private static final int UTF8 = 1;
    private static final int INTEGER = 3;
    private static final int FLOAT = 4;
    private static final int LONG = 5;
    private static final int DOUBLE = 6;
    private static final int CLASS = 7;
    private static final int STRING = 8;
    private static final int FIELD_REF = 9;
    private static final int METHOD_REF = 10;
    private static final int INTERFACE_METHOD_REF = 11;
    private static final int NAME_AND_TYPE = 12;
    private static final int METHOD_HANDLE = 15;
    private static final int METHOD_TYPE = 16;
    private static final int DYNAMIC = 17;
    private static final int INVOKE_DYNAMIC = 18;
    private static final int MODULE = 19;
    private static final int PACKAGE = 20;

    private final byte[] classFile;
    private final int[] offsets;

    /**
     * Finds where each entry lies.
     *
     * @param classFile the bytes of a class file, or at least up to the end of its constant pool.
     * @throws IllegalArgumentException if these bytes are not a class file.
     */
    ConstantPool(final byte[] classFile) {
        this.classFile = classFile;
        require(classFile.length >= ENTRIES_OFFSET && intAt(0) == MAGIC, "not a class file", 0);
        offsets = new int[unsignedShortAt(COUNT_OFFSET)];
        int offset = ENTRIES_OFFSET;
        for (int index = 1; index < offsets.length; index += slots(offsets[index])) {
            offsets[index] = offset;
            offset = next(offset);
        }
    }

    /**
     * Hands out the name of each class that the pool has an entry for: the element's class for an array, nothing for an
     * array of primitives.
     *
     * @param names receives internal names such as {@code java/lang/Object}, some of them perhaps more than once.
     */
    void forEachClass(final Consumer<String> names) {
        for (final int offset : offsets) {
            if (offset > 0 && tagAt(offset) == CLASS) {
                final String name = elementClass(utf8(unsignedShortAt(offset + 1)));
                if (!name.isEmpty()) {
                    names.accept(name);
                }
            }
        }
    }

    private static String elementClass(final String name) {
        final int dimensions = name.lastIndexOf('[') + 1;
        if (dimensions == 0) {
            return name;
        }
        final boolean isOfObjects = name.charAt(dimensions) == 'L';
        return isOfObjects ? name.substring(dimensions + 1, name.length() - 1) : "";
    }

    private int slots(final int offset) {
        final int tag = tagAt(offset);
        return tag == LONG || tag == DOUBLE ? 2 : 1;
    }

    private int next(final int offset) {
        require(offset < classFile.length, "cut short", offset);
        final int end = offset + 1 + contentLength(offset);
        require(end <= classFile.length, "cut short", offset);
        return end;
    }

    private int contentLength(final int offset) {
        switch (tagAt(offset)) {
            case UTF8:
                require(offset + 1 + Short.BYTES <= classFile.length, "cut short", offset);
                return Short.BYTES + unsignedShortAt(offset + 1);
            case LONG:
            case DOUBLE:
                return 8;
            case INTEGER:
            case FLOAT:
            case FIELD_REF:
            case METHOD_REF:
            case INTERFACE_METHOD_REF:
            case NAME_AND_TYPE:
            case DYNAMIC:
            case INVOKE_DYNAMIC:
                return 4;
            case METHOD_HANDLE:
                return 3;
            case CLASS:
            case STRING:
            case METHOD_TYPE:
            case MODULE:
            case PACKAGE:
                return 2;
            default:
                throw new IllegalArgumentException("unknown constant: offset=" + offset + " tag=" + tagAt(offset));
        }
    }

    private String utf8(final int index) {
        final int offset = index < offsets.length ? offsets[index] : 0;
        require(offset > 0 && tagAt(offset) == UTF8, "not a name: index=" + index, offset);
        final int length = unsignedShortAt(offset + 1);
        final int start = offset + 1 + Short.BYTES;
        for (int i = start; i < start + length; i++) {
            if (classFile[i] < 0) {
                return modifiedUtf8(offset + 1, Short.BYTES + length);
            }
        }
        return new String(classFile, start, length, StandardCharsets.ISO_8859_1);
    }

    private String modifiedUtf8(final int offset, final int length) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(classFile, offset, length))) {
            return in.readUTF();
        } catch (final IOException e) {
            throw new UncheckedIOException("bad name: offset=" + offset, e);
        }
    }

    private int tagAt(final int offset) {
        return classFile[offset];
    }

    private int unsignedShortAt(final int offset) {
        return (classFile[offset] & 0xFF) << 8 | classFile[offset + 1] & 0xFF;
    }

    private int intAt(final int offset) {
        return unsignedShortAt(offset) << 16 | unsignedShortAt(offset + 2);
    }

    private static void require(final boolean holds, final String what, final int offset) {
        if (!holds) {
            throw new IllegalArgumentException(what + ": offset=" + offset);
        }
    }
}
