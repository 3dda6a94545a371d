package io.hawser.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConstantPoolTest {
    @Test
    void shouldListClassesOfARealClassFile() throws IOException {
        assertThat(classesOf(read(Integer.class)))
                .contains(
                        "java/lang/Integer",
                        "java/lang/Number",
                        "java/lang/Comparable",
                        "java/lang/NumberFormatException",
                        "java/lang/Integer$IntegerCache")
                .doesNotContain("java/lang/Thread");
    }

    @Test
    void shouldKnowEveryKindOfConstant() throws IOException {
        final byte[] classFile = classFile(22, out -> {
            utf8(out, "java/lang/Object"); // 1
            index(out, 7, 1); // 2: class
            out.writeByte(3);
            out.writeInt(7); // 3
            out.writeByte(4);
            out.writeFloat(7); // 4
            out.writeByte(5);
            out.writeLong(7); // 5 and 6
            out.writeByte(6);
            out.writeDouble(7); // 7 and 8
            index(out, 8, 1); // 9: string
            for (final int tag : new int[] {9, 10, 11, 12, 17, 18}) { // 10 to 15
                out.writeByte(tag);
                out.writeInt(0x0001_0001);
            }
            out.writeByte(15);
            out.writeByte(1);
            out.writeShort(10); // 16: method handle
            index(out, 16, 1); // 17: method type
            index(out, 19, 1); // 18: module
            index(out, 20, 1); // 19: package
            utf8(out, "p/Last"); // 20
            index(out, 7, 20); // 21: class
        });
        assertThat(classesOf(classFile)).containsExactly("java/lang/Object", "p/Last");
    }

    @Test
    void shouldStripArraysAndIgnoreThoseOfPrimitives() throws IOException {
        assertThat(classesOf(withClasses("[Ljava/lang/String;", "[[I", "[[[Lp/A$B;", "p/C", "[J")))
                .containsExactly("java/lang/String", "p/A$B", "p/C");
    }

    @Test
    void shouldDecodeModifiedUtf8() throws IOException {
        assertThat(classesOf(withClasses("p/\u00c4\u00df\u20ac\ud83d\ude00")))
                .containsExactly("p/\u00c4\u00df\u20ac\ud83d\ude00");
    }

    @Test
    void shouldRefuseWhatIsNotAClassFile() {
        assertThatThrownBy(() -> new ConstantPool(new byte[100]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("offset=0");
        assertThatThrownBy(() -> new ConstantPool(new byte[3])).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldRefuseAnUnknownConstant() {
        assertThatThrownBy(() -> new ConstantPool(classFile(2, out -> out.writeByte(2))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageEndingWith("tag=2");
    }

    @Test
    void shouldRefuseEveryCut() throws IOException {
        final byte[] whole = withClasses("java/lang/Object", "[Lp/B;");
        for (int length = 0; length < whole.length; length++) {
            final byte[] cut = Arrays.copyOf(whole, length);
            assertThatThrownBy(() -> new ConstantPool(cut))
                    .as("length=%d", length)
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void shouldRefuseAClassWithoutAName() throws IOException {
        final ConstantPool pool = new ConstantPool(classFile(2, out -> index(out, 7, 9)));
        assertThatThrownBy(() -> pool.forEachClass(name -> {}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("index=9");
    }

    private static List<String> classesOf(final byte[] classFile) {
        final List<String> names = new ArrayList<>();
        new ConstantPool(classFile).forEachClass(names::add);
        return names;
    }

    private static byte[] read(final Class<?> type) throws IOException {
        try (InputStream in = type.getResourceAsStream("/" + type.getName().replace('.', '/') + ".class")) {
            return in.readAllBytes();
        }
    }

    private static byte[] withClasses(final String... names) throws IOException {
        return classFile(2 * names.length + 1, out -> {
            for (int i = 0; i < names.length; i++) {
                utf8(out, names[i]);
                index(out, 7, 2 * i + 1);
            }
        });
    }

    private static byte[] classFile(final int count, final Constants constants) throws IOException {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        final DataOutputStream out = new DataOutputStream(bytes);
        out.writeInt(0xCAFEBABE);
        out.writeInt(61);
        out.writeShort(count);
        constants.write(out);
        return bytes.toByteArray();
    }

    private static void utf8(final DataOutputStream out, final String text) throws IOException {
        out.writeByte(1);
        out.writeUTF(text);
    }

    private static void index(final DataOutputStream out, final int tag, final int index) throws IOException {
        out.writeByte(tag);
        out.writeShort(index);
    }

    @FunctionalInterface
    private interface Constants {
        void write(DataOutputStream out) throws IOException;
    }
}
