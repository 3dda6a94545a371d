package io.hawser.testkit;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.platform.launcher.EngineFilter;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/**
 * How the tests of a class ended that a launcher of its own has run: for those that an extension has to fail.
 *
 * @param succeeded how many did
 * @param failures  of the others
 * @param printed   to the standard output meanwhile
 */
record TestRun(long succeeded, List<Throwable> failures, String printed) {
    static TestRun of(final Class<?> testClass) {
        final LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(selectClass(testClass))
                .filters(EngineFilter.includeEngines("junit-jupiter"))
                .build();
        final SummaryGeneratingListener listener = new SummaryGeneratingListener();
        final PrintStream before = System.out;
        final ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            LauncherFactory.create().execute(request, listener);
        } finally {
            System.setOut(before);
        }
        final TestExecutionSummary summary = listener.getSummary();
        return new TestRun(
                summary.getTestsSucceededCount(),
                summary.getFailures().stream()
                        .map(TestExecutionSummary.Failure::getException)
                        .toList(),
                printed.toString(StandardCharsets.UTF_8));
    }
}
