package io.hawser.jmh.peers;

import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * One process of a run: plays a part and tells what it has measured. It is told the part by {@code --name value}, or by variables of the environment named
 * {@code BENCH_NAME}; so the process fits into any harness that speaks the lines of {@link Stage}.
 *
 * <p><em>Threading:</em> the main thread.
 */
public final class EntrantProcess {
    /** How much longer than its windows a part may take; then it hangs. */
    private static final long SPARE_MS = 20_000;

    private EntrantProcess() {}

    /**
     * Plays a part, and ends this JVM.
     *
     * @param arguments names and values
     */
    public static void main(final String[] arguments) {
        final Stage stage = new Stage(System.in, System.out);
        Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> stage.fail(failure));
        Threads.runGuarded(() -> {
            final Part part = PartParser.parse(List.of(arguments), System.getenv());
            endInTime(part, stage);
            stage.result(
                    Entrants.make(part.entrant()).play(part, stage).with(ResultLine.PEAK_MIB, PeakMemory.mebibytes()));
            stage.awaitExit();
            Runtime.getRuntime().halt(0);
        });
    }

    private static void endInTime(final Part part, final Stage stage) {
        Threads.start("deadline", () -> {
            final long limitMs = part.warmUpMs() + part.measureMs() + SPARE_MS;
            TimeUnit.MILLISECONDS.sleep(limitMs);
            stage.fail("it hangs: part=" + part + " limitMs=" + limitMs);
        });
    }
}
