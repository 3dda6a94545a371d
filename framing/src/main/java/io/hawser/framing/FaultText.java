package io.hawser.framing;

import static io.hawser.framing.FrameHeaderFlyweight.HEADER_LENGTH;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

import org.agrona.DirectBuffer;

/**
 * Says in one line what is wrong with a frame. Off the hot path: a stream has one fault at most.
 *
 * <p><em>Threading:</em> not thread-safe; belongs to one decoder, for one call.
 */
final class FaultText {

    private final FrameHeaderFlyweight header;
    private final HeaderRules headerRules;
    private final PayloadRules payloadRules;
    private final Crc32cCheck check;

    FaultText(
            final FrameHeaderFlyweight header,
            final HeaderRules headerRules,
            final PayloadRules payloadRules,
            final Crc32cCheck check) {
        this.header = header;
        this.headerRules = headerRules;
        this.payloadRules = payloadRules;
        this.check = check;
    }

    String describe(final FrameFault fault, final DirectBuffer buffer, final int offset, final int limit) {
        if (fault == FrameFault.NOT_GREETING) {
            return notGreeting(buffer, offset, limit);
        }
        if (fault == FrameFault.NONE || limit - offset < HEADER_LENGTH) {
            return fault.text();
        }
        header.wrap(buffer, offset);
        return switch (fault) {
            case BAD_HEADER_CHECK -> fault.text() + ", first bytes " + Excerpt.of(buffer, offset, limit - offset);
            case BAD_VERSION ->
                fault.text() + " " + header.version() + ", spoken here is " + FrameHeaderFlyweight.VERSION;
            case UNKNOWN_TYPE -> fault.text() + " " + header.typeNumber();
            case BAD_LENGTH -> length(header.type(), header.flags(), header.frameLength()) + " of " + header.type();
            case RESERVED_BITS, BAD_CHECKED_FLAG -> fault.text() + " in " + values(buffer, offset, limit);
            case BAD_ADDRESS -> fault.text() + " in " + header;
            case BAD_PAYLOAD_CHECK -> payloadCheck(fault, buffer, offset);
            default -> fault.text() + " in " + values(buffer, offset, limit);
        };
    }

    /** A foreign stream shows its first bytes; one of ours gone wrong shows the number that is. */
    private String notGreeting(final DirectBuffer buffer, final int offset, final int limit) {
        final FrameType type = FrameType.of(buffer.getByte(offset + FrameHeaderFlyweight.TYPE_OFFSET));
        final boolean isVersion =
                buffer.getByte(offset + FrameHeaderFlyweight.VERSION_OFFSET) == FrameHeaderFlyweight.VERSION;
        if (!isVersion || type == null) {
            return FrameFault.NOT_GREETING.text() + ", first bytes " + Excerpt.of(buffer, offset, limit - offset);
        }
        if (!type.isGreeting()) {
            return type + " before the greeting";
        }
        final int length = buffer.getInt(offset, LITTLE_ENDIAN);
        final int flags = buffer.getShort(offset + FrameHeaderFlyweight.FLAGS_OFFSET, LITTLE_ENDIAN) & 0xFFFF;
        if (length < type.minLength(flags) || length > type.maxLength(headerRules.frameLimit())) {
            return length(type, flags, length);
        }
        return "reserved bits set in " + type + " flags=0x" + Integer.toHexString(flags);
    }

    private String length(final FrameType type, final int flags, final int length) {
        return length < type.minLength(flags)
                ? "frame length " + length + " is below the least " + type.minLength(flags)
                : "frame length " + length + " exceeds limit " + type.maxLength(headerRules.frameLimit());
    }

    private String payloadCheck(final FrameFault fault, final DirectBuffer buffer, final int offset) {
        final int length = header.alignedLength() - HEADER_LENGTH;
        final int computed =
                header.hasFlags(FrameFlags.CHECKED) ? check.compute(buffer, offset + HEADER_LENGTH, length) : 0;
        return fault.text() + " in " + header + " payloadCheck=" + hex(header.payloadCheck()) + " computed="
                + hex(computed);
    }

    private String values(final DirectBuffer buffer, final int offset, final int limit) {
        // flags are judged before the length, so the length may be anything here
        final int payloadLength = header.payloadLength();
        final boolean isWhole = payloadLength >= 0 && payloadLength <= limit - offset - HEADER_LENGTH;
        if (header.type() == FrameType.DATA || !isWhole) {
            return header.toString();
        }
        return header + ", payload "
                + payloadRules.wrap(header.type(), buffer, offset + HEADER_LENGTH, header.payloadLength());
    }

    private static String hex(final int check) {
        return "0x" + Integer.toHexString(check);
    }
}
