package io.hawser.framing;

import static java.nio.ByteOrder.BIG_ENDIAN;
import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static java.nio.charset.StandardCharsets.ISO_8859_1;

import org.agrona.DirectBuffer;

/**
 * Guesses from the first bytes of a connection who it is that is not one of us, for log lines.
 *
 * <p>A guess: nothing is decided by it. Ask after {@link FrameDecoder} has found a fault, or a connection has ended or
 * run out of time before its HELLO was whole.
 *
 * <p><em>Threading:</em> immutable.
 */
public enum Stranger {
    /** No byte came: a port probe, a load balancer's health check. */
    SILENT("nothing sent"),
    /** The start of a HELLO or REFUSE that is not whole. */
    HALF_HELLO("half a hello"),
    /** As many bytes as its header claims, in the shape of a HELLO or REFUSE, and yet not a valid one. */
    DAMAGED_HELLO("a damaged hello"),
    /** HTTP/1 or HTTP/2, of either side. */
    HTTP(
            "HTTP",
            "GET ",
            "POST ",
            "HEAD ",
            "PUT ",
            "OPTIONS ",
            "DELETE ",
            "PATCH ",
            "CONNECT ",
            "TRACE ",
            "HTTP/",
            "PRI * "),
    /** The start of a TLS handshake. */
    TLS("TLS", "\u0016\u0003"),
    /** Secure Shell. */
    SSH("SSH", "SSH-"),
    /** The remote framebuffer protocol of VNC. */
    RFB("VNC (RFB)", "RFB "),
    /** Redis, of either side. */
    REDIS("Redis", "PING\r\n", "INFO\r\n", "+PONG", "-ERR ", "-NOAUTH", "-DENIED"),
    /** Windows file sharing. */
    SMB("SMB"),
    /** AMQP. */
    AMQP("AMQP", "AMQP"),
    /** The start-up message of a PostgreSQL client. */
    POSTGRESQL("PostgreSQL"),
    /** The line by which a proxy announces its client. */
    PROXY_PROTOCOL("PROXY protocol", "PROXY ", "\r\n\r\n\u0000\r\nQUIT\n"),
    /** Java's remote method invocation. */
    JAVA_RMI("Java RMI", "JRMI"),
    /** Remote desktop. */
    RDP("remote desktop (TPKT)", "\u0003\u0000\u0000"),
    /** None of these. */
    UNKNOWN("unknown protocol");

    private static final Stranger[] STRANGERS = values();
    private static final int SMB_MARK_OFFSET = 4;

    private final String displayText;
    private final byte[][] prefixes;

    Stranger(final String displayText, final String... prefixes) {
        this.displayText = displayText;
        this.prefixes = new byte[prefixes.length][];
        for (int i = 0; i < prefixes.length; i++) {
            this.prefixes[i] = prefixes[i].getBytes(ISO_8859_1);
        }
    }

    /**
     * Guesses whose first bytes these are.
     *
     * @param buffer that holds the bytes.
     * @param offset of the first byte of the connection.
     * @param length of the bytes that came, 0 or more.
     * @return the guess.
     */
    public static Stranger of(final DirectBuffer buffer, final int offset, final int length) {
        if (length == 0) {
            return SILENT;
        }
        for (final Stranger stranger : STRANGERS) {
            if (stranger.isPrefixed(buffer, offset, length)) {
                return stranger;
            }
        }
        return byFields(buffer, offset, length);
    }

    /**
     * A few words for log lines.
     *
     * @return such as "HTTP" or "half a hello".
     */
    public String displayText() {
        return displayText;
    }

    private static Stranger byFields(final DirectBuffer buffer, final int offset, final int length) {
        if (isRedisArray(buffer, offset, length)) {
            return REDIS;
        }
        if (isSmb(buffer, offset, length)) {
            return SMB;
        }
        if (isPostgres(buffer, offset, length)) {
            return POSTGRESQL;
        }
        return hello(buffer, offset, length);
    }

    private static boolean isRedisArray(final DirectBuffer buffer, final int offset, final int length) {
        return length >= 4
                && buffer.getByte(offset) == '*'
                && Character.isDigit(buffer.getByte(offset + 1))
                && buffer.getByte(offset + 2) == '\r';
    }

    private static boolean isSmb(final DirectBuffer buffer, final int offset, final int length) {
        final int mark = offset + SMB_MARK_OFFSET;
        return length >= SMB_MARK_OFFSET + 4
                && (buffer.getByte(mark) & 0xFE) == 0xFE
                && buffer.getByte(mark + 1) == 'S'
                && buffer.getByte(mark + 2) == 'M'
                && buffer.getByte(mark + 3) == 'B';
    }

    private static boolean isPostgres(final DirectBuffer buffer, final int offset, final int length) {
        if (length < 8) {
            return false;
        }
        final int code = buffer.getInt(offset + 4, BIG_ENDIAN);
        final boolean isRequest = code >= 80877102 && code <= 80877104;
        return code == 3 << 16 || isRequest;
    }

    private static Stranger hello(final DirectBuffer buffer, final int offset, final int length) {
        if (length < FrameHeaderFlyweight.FLAGS_OFFSET) {
            return UNKNOWN;
        }
        final FrameType type = FrameType.of(buffer.getByte(offset + FrameHeaderFlyweight.TYPE_OFFSET));
        final int frameLength = buffer.getInt(offset, LITTLE_ENDIAN);
        final boolean isHello = type != null
                && type.isGreeting()
                && buffer.getByte(offset + FrameHeaderFlyweight.VERSION_OFFSET) == FrameHeaderFlyweight.VERSION
                && frameLength >= type.minLength()
                && frameLength <= type.maxLength(FrameType.FRAME_LIMIT_MIN);
        if (!isHello) {
            return UNKNOWN;
        }
        return length < FrameHeaderFlyweight.alignedLength(frameLength) ? HALF_HELLO : DAMAGED_HELLO;
    }

    private boolean isPrefixed(final DirectBuffer buffer, final int offset, final int length) {
        for (final byte[] prefix : prefixes) {
            if (length >= prefix.length && startsWith(buffer, offset, prefix)) {
                return true;
            }
        }
        return false;
    }

    private static boolean startsWith(final DirectBuffer buffer, final int offset, final byte[] prefix) {
        for (int i = 0; i < prefix.length; i++) {
            if (buffer.getByte(offset + i) != prefix[i]) {
                return false;
            }
        }
        return true;
    }
}
