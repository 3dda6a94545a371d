package io.hawser.transport;

import java.net.InetAddress;
import java.net.UnknownHostException;

/**
 * Where a process listens: a host and a port, as text, not resolved. A name may mean another machine at each dial, so that
 * resolving is left to whoever connects.
 *
 * <p><em>Threading:</em> immutable.
 *
 * @param host a host name, an IPv4 address, or an IPv6 address without its brackets, scope id included ({@code fe80::1%eth0})
 * @param port the TCP port, 1…65,535
 */
public record Endpoint(String host, int port) {
    /** Longest text in bytes: what the HELLO frame has room for. */
    private static final int TEXT_LIMIT = 255;

    private static final int PORT_LIMIT = 65_535;
    private static final int PORT_DIGITS = 5;

    /**
     * Checks host and port; nothing is resolved.
     *
     * @param host a host name or an address
     * @param port the TCP port
     * @throws IllegalArgumentException if the host is no name and no address, or the port is out of range
     */
    public Endpoint {
        final String fault = hostFault(host);
        if (fault != null) {
            throw new IllegalArgumentException(fault + ": host=" + host);
        }
        if (port < 1 || port > PORT_LIMIT) {
            throw new IllegalArgumentException("port must be 1…65535: port=" + port + " host=" + host);
        }
        if (text(host, port).length() > TEXT_LIMIT) {
            throw new IllegalArgumentException(
                    "host and port must fit " + TEXT_LIMIT + " bytes: length=" + host.length() + " host=" + host);
        }
    }

    /**
     * Reads {@code host:port}, {@code 10.0.0.1:port}, {@code [::1]:port} or {@code [fe80::1%eth0]:port}.
     *
     * @param text what to read; no white space, no scheme
     * @return the endpoint
     * @throws IllegalArgumentException if the text is anything else; the message says what is wrong and quotes the text
     */
    public static Endpoint parse(final String text) {
        if (text == null || text.isEmpty()) {
            throw refused("no text", text);
        }
        final int colon = text.lastIndexOf(':');
        final boolean isBracketed = text.charAt(0) == '[';
        if (isBracketed && !(colon > 0 && text.charAt(colon - 1) == ']')) {
            throw refused("expected [address]:port", text);
        }
        if (colon < 0) {
            throw refused("no port, expected host:port", text);
        }
        if (!isBracketed && text.indexOf(':') != colon) {
            throw refused("more than one ':'; an IPv6 address needs brackets, as in [::1]:7000", text);
        }
        final String host = isBracketed ? text.substring(1, colon - 1) : text.substring(0, colon);
        if (isBracketed && host.indexOf(':') < 0) {
            throw refused("only an IPv6 address may stand in brackets", text);
        }
        final String fault = hostFault(host);
        if (fault != null) {
            throw refused(fault, text);
        }
        final int port = port(text, text.substring(colon + 1));
        if (text(host, port).length() > TEXT_LIMIT) {
            throw refused("longer than " + TEXT_LIMIT + " bytes", text);
        }
        return new Endpoint(host, port);
    }

    /**
     * The text that {@link #parse} reads, an IPv6 address in brackets.
     *
     * @return {@code host:port} or {@code [address]:port}
     */
    @Override
    public String toString() {
        return text(host, port);
    }

    /** Whether this stands for all addresses of a machine: good to bind to, useless to dial. */
    boolean isWildcard() {
        if (host.equals("0.0.0.0")) {
            return true;
        }
        return host.indexOf(':') >= 0 && host.matches("[0:]+(%.*)?");
    }

    private static String text(final String host, final int port) {
        return host.indexOf(':') >= 0 ? "[" + host + "]:" + port : host + ":" + port;
    }

    private static int port(final String text, final String digits) {
        if (digits.isEmpty() || digits.length() > PORT_DIGITS || !digits.chars().allMatch(Endpoint::isDigit)) {
            throw refused("the port must be a number 1…65535", text);
        }
        final int port = Integer.parseInt(digits);
        if (port < 1 || port > PORT_LIMIT) {
            throw refused("the port must be a number 1…65535", text);
        }
        return port;
    }

    /** What is wrong with a host, or null. */
    private static String hostFault(final String host) {
        if (host == null || host.isEmpty()) {
            return "no host";
        }
        if (host.indexOf(':') < 0) {
            return host.chars().allMatch(Endpoint::isNameCharacter)
                    ? null
                    : "a host has only ASCII letters, digits, '.', '-' and '_'";
        }
        final int percent = host.indexOf('%');
        if (percent >= 0) {
            final String scope = host.substring(percent + 1);
            if (scope.isEmpty() || !scope.chars().allMatch(Endpoint::isNameCharacter)) {
                return "a scope id has only ASCII letters, digits, '.', '-' and '_', and at least one";
            }
        }
        return isIpv6(percent < 0 ? host : host.substring(0, percent)) ? null : "no IPv6 address";
    }

    /** In brackets the JDK takes text for a literal and never asks a name service. */
    private static boolean isIpv6(final String literal) {
        if (!literal.chars().allMatch(c -> c == ':' || c == '.' || Character.digit(c, 16) >= 0 && c < 128)) {
            return false;
        }
        try {
            return InetAddress.getByName("[" + literal + "]") != null;
        } catch (final UnknownHostException notAnAddress) {
            return false;
        }
    }

    private static boolean isDigit(final int c) {
        return c >= '0' && c <= '9';
    }

    private static boolean isNameCharacter(final int c) {
        return isDigit(c) || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '.' || c == '-' || c == '_';
    }

    private static IllegalArgumentException refused(final String fault, final String text) {
        return new IllegalArgumentException("endpoint refused, " + fault + ": text=" + text);
    }
}
