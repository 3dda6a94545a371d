package io.hawser.jmh.peers;

import io.grpc.Drainable;
import io.grpc.KnownLength;
import io.grpc.MethodDescriptor.Marshaller;
import io.grpc.Status;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * Messages of gRPC that are bytes and nothing else.
 *
 * <p><em>Threading:</em> safe; no state.
 */
final class GrpcBytes implements Marshaller<byte[]> {
    @Override
    public InputStream stream(final byte[] message) {
        return new Bytes(message);
    }

    @Override
    public byte[] parse(final InputStream stream) {
        try {
            return stream.readAllBytes();
        } catch (final IOException e) {
            throw Status.INTERNAL.withCause(e).asRuntimeException();
        }
    }

    /** Tells its length, and writes itself at once. */
    private static final class Bytes extends ByteArrayInputStream implements KnownLength, Drainable {
        Bytes(final byte[] message) {
            super(message);
        }

        @Override
        public int drainTo(final OutputStream target) throws IOException {
            final int length = count - pos;
            target.write(buf, pos, length);
            pos = count;
            return length;
        }
    }
}
