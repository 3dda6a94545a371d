package io.hawser.framing;

/** CRC32C bit by bit from its definition, so that the checks in PROTOCOL.md are not tested against what wrote them. */
final class SlowCrc32c {

    private static final int REFLECTED_POLYNOMIAL = 0x82F6_3B78;

    private SlowCrc32c() {}

    static int of(final byte[] bytes, final int offset, final int length) {
        int crc = -1;
        for (int i = offset; i < offset + length; i++) {
            crc ^= bytes[i] & 0xFF;
            for (int bit = 0; bit < Byte.SIZE; bit++) {
                crc = crc >>> 1 ^ ((crc & 1) == 0 ? 0 : REFLECTED_POLYNOMIAL);
            }
        }
        return ~crc;
    }
}
