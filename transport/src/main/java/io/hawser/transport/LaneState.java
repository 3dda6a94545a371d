package io.hawser.transport;

/**
 * The books of one end of a lane to or from another process, as of a moment. At the sending end: sent = consumed + held by the receiver + in flight; what may
 * still be sent is limit − sent.
 *
 * @param peer      index of the other process
 * @param isSending whether this process sends on it
 * @param address   between whom it is
 * @param charged   what has been sent, or has come, bytes as frames are charged
 * @param limit     how far that may go
 * @param consumed  what is held no more, as far as this end knows
 */
public record LaneState(int peer, boolean isSending, LaneAddress address, long charged, long limit, long consumed) {
    @Override
    public String toString() {
        return address + (isSending ? ": sent=" : ": received=") + charged + " limit=" + limit + " consumed="
                + consumed;
    }
}
