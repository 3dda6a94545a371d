package io.hawser.tools;

import picocli.CommandLine.Option;

/**
 * Lets a command show its usage.
 *
 * <p><em>Threading:</em> safe once parsed.
 */
public final class HelpOption {
    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "show this help")
    @SuppressWarnings("unused") // by name; the parser asks for it
    private boolean isHelpWanted;
}
