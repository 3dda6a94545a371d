package io.hawser.fate;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** Laws L7 and L11: where a worker stands is bounded text, whatever its code is called, and whoever has sent it. */
class StackTextTest {
    private static StackTraceElement call(String name) {
        return new StackTraceElement("app", null, "1", "org.example." + name, "run", name + ".java", 12);
    }

    private static StackTraceElement[] calls(int count, String suffix) {
        StackTraceElement[] calls = new StackTraceElement[count];
        Arrays.setAll(calls, i -> call("C" + i + suffix));
        return calls;
    }

    @Example
    void shouldTellAShortStackWhole() {
        assertThat(StackText.of(calls(2, "")))
                .isEqualTo("org.example.C0.run(C0.java:12)\norg.example.C1.run(C1.java:12)");
        assertThat(StackText.of(new StackTraceElement[0])).isEmpty();
        assertThat(StackText.of(new StackTraceElement[] {
                    new StackTraceElement("java.lang.Thread", "sleep", "Thread.java", -2),
                    new StackTraceElement("Hidden", "run", null, -1)
                }))
                .isEqualTo("java.lang.Thread.sleep(native)\nHidden.run(unknown)");
    }

    /** The innermost say what it does, the outermost for whom. */
    @Example
    void shouldCountTheMiddleOfALongStack() {
        List<String> lines = StackText.of(calls(500, "")).lines().toList();
        assertThat(lines.subList(0, 4)).allMatch(line -> line.matches("org.example.C[0-3].run.*"));
        assertThat(lines.get(4)).matches("\\.\\.\\. \\d+ more");
        assertThat(lines.get(lines.size() - 1)).startsWith("org.example.C499.");
        int left = Integer.parseInt(lines.get(4).replaceAll("\\D", ""));
        assertThat(lines).hasSize(1 + 500 - left);
    }

    /** A lock, a queue, a socket: the JDK's calls alone would not say whose. */
    @Example
    void shouldTellTheFirstCallThatIsNotOfTheJdk() {
        StackTraceElement[] calls = calls(500, "");
        for (int i = 0; i < 12; i++) {
            calls[i] = new StackTraceElement("java.util.concurrent.locks.Lock" + i, "lock", "Lock.java", 3);
        }
        List<String> lines = StackText.of(calls).lines().toList();
        assertThat(lines.subList(4, 6)).containsExactly("... 8 more", "org.example.C12.run(C12.java:12)");
        assertThat(lines.get(6)).matches("\\.\\.\\. \\d+ more");
    }

    @Property(tries = 200)
    void shouldNeverBeLongerThanItsLimit(@ForAll @IntRange(max = 60) int count, @ForAll String suffix) {
        String text = StackText.of(calls(count, suffix.repeat(40)));
        assertThat(text.getBytes(StandardCharsets.UTF_8).length).isLessThanOrEqualTo(StackText.MAX_BYTES);
        assertThat(text.chars().filter(c -> c < ' ').allMatch(c -> c == '\n')).isTrue();
    }

    @Property
    void shouldTakeNothingOnTrustThatAPeerHasWritten(@ForAll String text) {
        List<String> lines = StackText.lines(text, 100);
        assertThat(lines).noneMatch(String::isEmpty);
        assertThat(String.join("\n", lines).getBytes(StandardCharsets.UTF_8).length)
                .isLessThanOrEqualTo(100);
        assertThat(String.join("", lines).chars()).noneMatch(Character::isISOControl);
    }

    @Example
    void shouldCleanLinesThatForgeOthers() {
        assertThat(StackText.lines("a.b(C)\r\n\u001b[2Jx\n\n", 2_048)).containsExactly("a.b(C)", "?[2Jx");
        assertThat(StackText.lines("", 2_048)).isEmpty();
    }
}
