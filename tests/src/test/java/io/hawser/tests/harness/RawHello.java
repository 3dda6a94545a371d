package io.hawser.tests.harness;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The payload of HELLO with every field in the open.
 *
 * <p><em>Threading:</em> not thread-safe.
 */
public final class RawHello {
    private static final byte[] MAGIC = {'H', 'A', 'W', 'S', 'E', 'R', '\r', '\n'};
    private static final int FIXED_LENGTH = 140;

    // as PROTOCOL.md names them; a test may set each to anything
    public byte[] magic = MAGIC.clone();

    public int lowestVersion = 1;
    public int highestVersion = 1;
    public int mode;
    public long generation = 1;
    public long nonce = ThreadLocalRandom.current().nextLong();
    public int processIndex = 1;
    public int processCount = 2;
    public int workersPerProcess = 1;
    public int targetProcess;
    public long pid = ProcessHandle.current().pid();
    public Duration heartbeatInterval = Duration.ofMillis(500);
    public Duration silenceTimeout = Duration.ofSeconds(10);
    public long channelWindow = 1L << 28;
    public long linkWindow = 1L << 50;
    public long messageLimit = 1 << 16;
    public int frameLimit = 1 << 18;
    public int settings = 1;
    public long formerGeneration;
    public long formerIncarnation;
    public int formerProcessIndex;
    public int formerProcessCount;
    public int formerWorkersPerProcess;
    public String clusterId = "hawser";
    public String hostName = "raw";
    public String address = "127.0.0.1:1";
    public byte[] extension = {};
    public byte[] unannounced = {};

    /** The frame: a dialler's HELLO. */
    public RawFrame frame() {
        return RawFrame.of(RawFrame.HELLO).payload(payload());
    }

    /** The frame: an acceptor's HELLO. */
    public RawFrame reply() {
        return frame().flags(RawFrame.CHECKED | RawFrame.REPLY);
    }

    /** Reads the payload of a HELLO as far as a test needs it. */
    static RawHello parse(final ByteBuffer payload) {
        final RawHello hello = new RawHello();
        hello.generation = payload.getLong(16);
        hello.nonce = payload.getLong(24);
        hello.processIndex = payload.getInt(32);
        hello.processCount = payload.getInt(36);
        hello.workersPerProcess = payload.getInt(40);
        hello.targetProcess = payload.getInt(44);
        hello.heartbeatInterval = Duration.ofNanos(payload.getLong(56));
        hello.silenceTimeout = Duration.ofNanos(payload.getLong(64));
        return hello;
    }

    private byte[] payload() {
        final byte[] id = clusterId.getBytes(UTF_8);
        final byte[] host = hostName.getBytes(UTF_8);
        final byte[] where = address.getBytes(UTF_8);
        final ByteBuffer bytes = RawFrame.little(
                FIXED_LENGTH + id.length + host.length + where.length + extension.length + unannounced.length);
        bytes.put(magic)
                .putShort((short) lowestVersion)
                .putShort((short) highestVersion)
                .putInt(mode);
        bytes.putLong(generation).putLong(nonce);
        bytes.putInt(processIndex)
                .putInt(processCount)
                .putInt(workersPerProcess)
                .putInt(targetProcess);
        bytes.putLong(pid).putLong(heartbeatInterval.toNanos()).putLong(silenceTimeout.toNanos());
        bytes.putLong(channelWindow).putLong(linkWindow).putLong(messageLimit);
        bytes.putInt(frameLimit).putInt(settings);
        bytes.putLong(formerGeneration).putLong(formerIncarnation).putInt(formerProcessIndex);
        bytes.putInt(formerProcessCount).putInt(formerWorkersPerProcess);
        bytes.putShort((short) id.length).putShort((short) host.length).putShort((short) where.length);
        bytes.putShort((short) extension.length);
        return bytes.put(id)
                .put(host)
                .put(where)
                .put(extension)
                .put(unannounced)
                .array();
    }
}
