package io.hawser.allocator;

import io.hawser.fate.Clock;
import io.hawser.fate.Health;
import io.hawser.transport.ClusterConfig;
import io.hawser.transport.SendRing;
import io.hawser.transport.WindowPool;

/** The sending half of a worker that has no other process. */
final class Outboxes {
    private Outboxes() {}

    /** One that cannot push, for whoever only waits. */
    static Outbox local(final Inbox inbox, final Health health, final int workers) {
        final ClusterConfig config = ClusterConfig.local(workers);
        return new Outbox(
                config,
                0,
                health,
                new ProgressStamp(),
                null,
                new SendRing[] {null},
                new RoomSignal(inbox),
                new WindowPool(0, 0, Clock.system()),
                () -> null,
                null);
    }
}
