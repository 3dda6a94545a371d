package io.hawser.transport;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts who comes to the port without being a peer, and says so in at most one line per kind and interval, with the number of
 * those that it kept to itself; at the end it tells how many of those are left. Those that say nothing are only counted.
 *
 * <p><em>Threading:</em> events by the greet thread; {@link #counts} by any.
 */
final class StrangerLog {
    private static final long LINE_INTERVAL_NS = 10_000_000_000L;

    private static final class Kind {
        private long lastLineNs;
        private long suppressed;
    }

    private final Map<String, Kind> kinds = new LinkedHashMap<>();
    private final AtomicLong closedBeforeHello = new AtomicLong();
    private final AtomicLong strange = new AtomicLong();
    private final AtomicLong timedOut = new AtomicLong();
    private final AtomicLong evicted = new AtomicLong();
    private final AtomicLong refused = new AtomicLong();

    void onClosedBeforeHello() {
        closedBeforeHello.incrementAndGet();
    }

    /** It closed, or its connection broke. */
    void onDropped(Caller caller, String reason, long nowNs) {
        if (caller.isSilent()) {
            onClosedBeforeHello();
        } else {
            onStranger(caller, reason, nowNs);
        }
    }

    void onStranger(Caller caller, String fault, long nowNs) {
        strange.incrementAndGet();
        String kind = caller.stranger().displayText();
        say(
                kind,
                nowNs,
                kind + " on the cluster port from " + caller.remote() + ", closed (" + fault + "); it began with "
                        + caller.excerpt());
    }

    void onTimedOut(Caller caller, long nowNs) {
        timedOut.incrementAndGet();
        say("time-out", nowNs, "no HELLO from " + caller.remote() + " within the hello time-out, closed");
    }

    void onEvicted(Caller caller, long nowNs) {
        evicted.incrementAndGet();
        say(
                "eviction",
                nowNs,
                "too many unidentified connections: closed the oldest, from " + caller.remote()
                        + "; unidentifiedLimit bounds them");
    }

    void onRefused(Caller caller, Refusal refusal, long nowNs) {
        refused.incrementAndGet();
        String text = "refused a connection from " + caller.remote() + " (" + refusal.reason() + "): "
                + plain(refusal.text());
        if (refusal.reason().isRetryable()) {
            Logs.STRANGER.debug(text); // part of forming: it will come again
        } else {
            say(refusal.reason().name(), nowNs, text);
        }
    }

    void onAcceptFailed(Exception error, long nowNs) {
        say("accept", nowNs, "a connection could not be accepted (" + error.getMessage() + ")");
    }

    /** What others say of themselves may hold what would look like another line of the log. */
    static String plain(String text) {
        StringBuilder plain = new StringBuilder(text);
        for (int i = 0; i < plain.length(); i++) {
            if (Character.isISOControl(plain.charAt(i))) {
                plain.setCharAt(i, '?');
            }
        }
        return plain.toString();
    }

    private void say(String kindName, long nowNs, String text) {
        Kind kind = kinds.get(kindName);
        if (kind != null && nowNs - kind.lastLineNs < LINE_INTERVAL_NS) {
            kind.suppressed++;
            return;
        }
        if (kind == null) {
            kind = new Kind();
            kinds.put(kindName, kind);
        }
        Logs.STRANGER.info("{}{}", text, kind.suppressed == 0 ? "" : "; and " + kind.suppressed + " like it before");
        kind.suppressed = 0;
        kind.lastLineNs = nowNs;
    }

    /** The end: what was kept back until now. */
    void sayRest() {
        rest().forEach(Logs.STRANGER::info);
    }

    List<String> rest() {
        List<String> rest = new ArrayList<>();
        kinds.forEach((name, kind) -> {
            if (kind.suppressed > 0) {
                rest.add(name + ": " + kind.suppressed + " more like it after the last one told");
                kind.suppressed = 0;
            }
        });
        return rest;
    }

    StrangerCounts counts() {
        return new StrangerCounts(closedBeforeHello.get(), strange.get(), timedOut.get(), evicted.get(), refused.get());
    }
}
