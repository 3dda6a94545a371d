package io.hawser.tests.harness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Several hosts on one switch, within this machine: network namespaces of Linux, for which one has to be root. What is done to the switch the hosts do not see, as with a real one.
 *
 * <p><em>Threading:</em> one thread.
 */
public final class Hosts implements AutoCloseable {
    private static final long COMMAND_S = 20;
    private static final int SMALL_SEGMENT = 1_400;

    private final String name;
    private final int count;

    private Hosts(final String name, final int count) {
        this.name = name;
        this.count = count;
    }

    /** Whether this machine lets us have any. */
    public static boolean areAvailable() {
        try (Hosts one = create(1)) {
            one.parameter("net.ipv4.tcp_retries2", 15);
            return true;
        } catch (final AssertionError refused) {
            return false;
        }
    }

    /** So many hosts that reach each other. */
    public static Hosts create(final int count) {
        final Hosts hosts = new Hosts("hw" + ProcessHandle.current().pid() + "x", count);
        hosts.close(); // what a killed run may have left
        try {
            run("ip", "netns", "add", hosts.space("sw"));
            hosts.atSwitch("link", "add", "br0", "type", "bridge");
            hosts.atSwitch("link", "set", "br0", "up");
            for (int host = 0; host < count; host++) {
                run("ip", "netns", "add", hosts.space(host));
                run(
                        "ip",
                        "link",
                        "add",
                        "eth0",
                        "netns",
                        hosts.space(host),
                        "type",
                        "veth",
                        "peer",
                        "name",
                        port(host),
                        "netns",
                        hosts.space("sw"));
                hosts.atSwitch("link", "set", port(host), "master", "br0", "up");
                hosts.at(host, "addr", "add", address(host) + "/24", "dev", "eth0");
                hosts.at(host, "link", "set", "eth0", "up");
                hosts.at(host, "link", "set", "lo", "up");
            }
        } catch (final AssertionError refused) {
            hosts.close();
            throw refused;
        }
        return hosts;
    }

    /** The command that runs another one on a host. */
    public List<String> launcher(final int host) {
        return List.of("ip", "netns", "exec", space(host));
    }

    /** The address of a host. */
    public static String address(final int host) {
        return "10.77.0." + (host + 1);
    }

    /** Nothing gets to a host or from it any more; nobody is told. */
    public void cut(final int host) {
        atSwitch("link", "set", port(host), "down");
    }

    /** The host is there again. */
    public void heal(final int host) {
        atSwitch("link", "set", port(host), "up");
    }

    /** Longer packets never reach a host; nobody is told. */
    public void limitPackets(final int host, final int length) {
        for (int other = 0; other < count; other++) {
            at(other, "link", "set", "eth0", "gso_max_size", String.valueOf(SMALL_SEGMENT));
        }
        atSwitch("link", "set", port(host), "mtu", String.valueOf(length));
    }

    /** Sets a parameter of the kernel for all hosts. */
    public void parameter(final String key, final int value) {
        for (int host = 0; host < count; host++) {
            final List<String> command = new ArrayList<>(launcher(host));
            command.addAll(List.of("sh", "-c", "echo " + value + " > /proc/sys/" + key.replace('.', '/')));
            run(command.toArray(String[]::new));
        }
    }

    @Override
    public void close() {
        status("ip", "netns", "del", space("sw"));
        for (int host = 0; host < count; host++) {
            status("ip", "netns", "del", space(host));
        }
    }

    private String space(final Object part) {
        return name + part;
    }

    private static String port(final int host) {
        return "p" + host;
    }

    private void atSwitch(final String... command) {
        in(space("sw"), command);
    }

    private void at(final int host, final String... command) {
        in(space(host), command);
    }

    private static void in(final String space, final String... command) {
        final List<String> whole = new ArrayList<>(List.of("ip", "-n", space));
        whole.addAll(List.of(command));
        run(whole.toArray(String[]::new));
    }

    private static void run(final String... command) {
        final int status = status(command);
        if (status != 0) {
            throw new AssertionError("status " + status + " of " + String.join(" ", command));
        }
    }

    /** −1 if there is no such command. */
    private static int status(final String... command) {
        try {
            final Process process = new ProcessBuilder(command)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (!process.waitFor(COMMAND_S, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError("does not end: " + String.join(" ", command));
            }
            return process.exitValue();
        } catch (final IOException noSuchCommand) {
            return -1;
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UncheckedIOException(new IOException(e));
        }
    }
}
