package io.hawser.flink;

import io.hawser.fate.Cause;
import java.net.SocketAddress;
import org.apache.flink.runtime.io.network.ConnectionID;
import org.apache.flink.runtime.io.network.netty.exception.LocalTransportException;
import org.apache.flink.runtime.io.network.netty.exception.RemoteTransportException;
import org.apache.flink.runtime.io.network.netty.exception.TransportException;
import org.apache.flink.runtime.io.network.partition.ProducerFailedException;

/**
 * Hawser's causes as Flink's exceptions.
 *
 * <p><em>Threading:</em> static, stateless.
 */
final class LinkFaults {
    /** The side that has dialled, in the causes of a link. */
    private static final int DIALLER = 1;

    private LinkFaults() {}

    /** {@return the line that says who failed first, what was seen, by whom and when} */
    static String text(final Cause cause, final String ledTo) {
        return cause.describe(ledTo);
    }

    /** {@return what the consumer's channels are told when their link is lost} */
    static TransportException lost(final ConnectionID id, final Cause cause) {
        final String text = "Lost the link to the TaskManager '" + who(id) + "': "
                + text(cause, "so the channels of this link fail");
        return cause.subjectProcess() == DIALLER
                ? new LocalTransportException(text, id.getAddress(), cause.throwable())
                : new RemoteTransportException(text, id.getAddress(), cause.throwable());
    }

    /** {@return what they are told when no link was to be had} */
    static RemoteTransportException notLinked(final ConnectionID id, final Throwable cause) {
        return new RemoteTransportException(
                "No link to the TaskManager '" + who(id) + "' could be made: " + cause.getMessage(),
                id.getAddress(),
                cause);
    }

    /** {@return what a channel is told when its producer, or the reading of what it had produced, has failed} */
    static RemoteTransportException failed(final ConnectionID id, final boolean isProducer, final String text) {
        final SocketAddress address = id.getAddress();
        final Exception told = new RemoteFailure(text);
        return new RemoteTransportException(
                (isProducer ? "The producer failed at the TaskManager '" : "Reading failed at the TaskManager '")
                        + who(id) + "': " + text,
                address,
                isProducer ? new ProducerFailedException(told) : told);
    }

    private static String who(final ConnectionID id) {
        return id.getAddress() + " [ " + id.getResourceID().getStringWithMetadata() + " ]";
    }

    /** A failure at another TaskManager, as text: nothing that comes over the network is made an object of its own class here. */
    static final class RemoteFailure extends Exception {
        private static final long serialVersionUID = 1L;

        RemoteFailure(final String text) {
            super(text, null, false, false);
        }
    }
}
