package io.hawser.transport;

import io.hawser.framing.FrameHeaderFlyweight;
import io.hawser.framing.RecordIterator;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Keeps every message that arrives, as text, by the worker that sent it. */
final class CollectingReceiver implements MeshReceiver {
    private final Map<Integer, List<String>> messages = new ConcurrentHashMap<>();
    private final Set<Integer> hungUp = ConcurrentHashMap.newKeySet();

    @Override
    public void onData(FrameHeaderFlyweight header, Slab slab, int payloadOffset, ReceiveLane lane) {
        List<String> ofSource = messages.computeIfAbsent(header.sourceWorker(), source -> new ArrayList<>());
        RecordIterator records = new RecordIterator().wrap(slab.buffer(), payloadOffset, header.payloadLength());
        while (records.next()) {
            ofSource.add(slab.buffer().getStringWithoutLengthAscii(records.messageOffset(), records.messageLength()));
        }
        consumeAll(header, lane);
    }

    /** Gives the credit of a frame back for all that it is for. */
    static void consumeAll(FrameHeaderFlyweight header, ReceiveLane lane) {
        for (int i = 0; i < header.targetWorkerCount(); i++) {
            lane.consumed(header.firstTargetWorker() + i, ReceiveLane.chargeOf(header));
        }
    }

    @Override
    public void onNotice(Notice notice, ConsumptionListener books) {
        books.consumed(notice.targetWorker(), notice.charge());
    }

    @Override
    public void onHangUp(int process) {
        hungUp.add(process);
    }

    List<String> messages(int source) {
        return messages.getOrDefault(source, List.of());
    }

    boolean hasHungUp(int process) {
        return hungUp.contains(process);
    }
}
