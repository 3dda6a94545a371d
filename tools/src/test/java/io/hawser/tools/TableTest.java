package io.hawser.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TableTest {
    @Test
    void shouldAlignNumbersRightAndTextLeft() {
        assertThat(new Table("no", "<name", "count")
                        .row("1", "a", "1,000")
                        .row("10", "bcdef", "7")
                        .lines())
                .containsExactly(
                        "no  name   count", //
                        " 1  a      1,000",
                        "10  bcdef      7");
    }

    @Test
    void shouldLeaveNoSpacesAtTheEnd() {
        assertThat(new Table("a", "<b").row("1", "").lines()).containsExactly("a  b", "1");
    }

    @Test
    void shouldRefuseRaggedRows() {
        final Table table = new Table("a", "b");
        assertThatThrownBy(() -> table.row("1")).hasMessage("cells=1 columns=2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"en-US", "de-DE", "ar-EG-u-nu-arab", "hi-IN-u-nu-deva", "tr-TR"})
    void shouldWriteNumbersAlikeUnderEveryLocale(final String locale) {
        final Locale before = Locale.getDefault();
        Locale.setDefault(Locale.forLanguageTag(locale));
        try {
            assertThat(Numbers.grouped(0)).isEqualTo("0");
            assertThat(Numbers.grouped(999)).isEqualTo("999");
            assertThat(Numbers.grouped(26_518)).isEqualTo("26,518");
            assertThat(Numbers.grouped(-1_234_567)).isEqualTo("-1,234,567");
            assertThat(Numbers.grouped(-123)).isEqualTo("-123");
            assertThat(Numbers.fixed(4.25, 1)).isEqualTo("4.3");
            assertThat(Numbers.fixed(1e-7, 3)).isEqualTo("0.000");
            assertThat(Numbers.fixed(12_345.6, 2)).isEqualTo("12345.60");
            assertThat(Numbers.scientific(2.663e-14)).isEqualTo("2.7e-14");
            assertThat(Numbers.scientific(0)).isEqualTo("0.0e+00");
            assertThat(Numbers.count(1, "process", "processes")).isEqualTo("1 process");
            assertThat(Numbers.count(4_000, "process", "processes")).isEqualTo("4,000 processes");
            assertThat(new Fault(Fault.Kind.KILL, 12, 345)).hasToString("12@345");
            assertThat(Fault.Kind.KILL.option()).isEqualTo("--kill");
        } finally {
            Locale.setDefault(before);
        }
    }
}
