package io.hawser.jmh.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;

class BarChartTest {
    @Test
    void shouldDrawABarForEachRow() throws Exception {
        final String svg = BarChart.of(Samples.rows(), Samples.SURROUNDINGS);

        final Document document = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
        assertThat(document.getDocumentElement().getTagName()).isEqualTo("svg");
        assertThat(document.getElementsByTagName("rect").getLength()).isEqualTo(1 + 5); // the first is the ground
        assertThat(svg).contains("congestion control &lt;none&gt;", ">25.00 M/s  ×1.25<", ">12.0 µs  ×1.20<");
    }
}
