package io.hawser.tools;

import io.hawser.framing.FrameHeaderFlyweight;
import java.util.Objects;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * Tells which versions are at work.
 *
 * <p><em>Threading:</em> the main thread.
 */
@Command(name = "version", description = "Show the versions of Hawser, of its protocol, and of the JDK.")
final class VersionCommand implements Callable<Integer> {
    /** Of a build that has not been packaged. */
    private static final String UNPACKAGED = "unpackaged";

    @Spec
    private CommandSpec spec;

    @Mixin
    @SuppressWarnings("unused") // by name; the parser asks for it
    private HelpOption helpOption;

    @Override
    public Integer call() {
        final String version = VersionCommand.class.getPackage().getImplementationVersion();
        spec.commandLine()
                .getOut()
                .println("hawser " + Objects.requireNonNullElse(version, UNPACKAGED) + ", protocol version "
                        + FrameHeaderFlyweight.VERSION + ", JDK " + Runtime.version() + " ("
                        + System.getProperty("java.vendor") + ")");
        return ExitStatus.RIGHT;
    }
}
