package io.hawser.fate;

import java.util.List;

/**
 * Loses the health of a scope that nobody uses, when the first real one is made. Classes are loaded and call sites linked
 * upon first use, which takes memory; after this, a loss finds all of it in place, even if the heap is full by then.
 */
final class HealthRehearsal {
    private HealthRehearsal() {}

    static void run() {
        PreparedCause prepared = cause().prepare();
        Health root = Health.root("rehearsal");
        Health child = root.child("child", Escalation.TO_PARENT);
        root.addThread(Thread.currentThread()).close();
        child.addWakeup(() -> {});
        root.addWakeup(() -> {
            throw new IllegalStateException("rehearsal");
        });
        child.lose(prepared.complete(Clock.system().epochMs(), null));
        root.lose(cause().observedAtEpochMs(1).build());
        root.consider(cause().observedAtEpochMs(-1).build());
        root.settle();
        describe(child);
        root.close();
    }

    private static void describe(Health child) {
        try {
            child.check();
        } catch (HealthLostException lost) {
            List.of(lost.rootCause(), lost.getMessage());
        }
    }

    private static CauseBuilder cause() {
        return Cause.builder(CauseKind.THREAD_FAILED)
                .subjectProcess(0)
                .observerProcess(0)
                .generation(1);
    }
}
