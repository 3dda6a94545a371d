package io.hawser.transport;

import io.hawser.fate.StackText;
import io.hawser.fate.StallDetector;

/**
 * One worker of this process as the watch sees it: its judge, the stack of its present stall, and what of that is told. Part of {@link StallWatch}.
 *
 * <p><em>Threading:</em> the watch thread, except {@link #told()}, which is for any, and {@link StackBox#fill()}.
 */
final class WatchedWorker {
    private final int index;
    private final WorkerView view;
    private final StallDetector detector;
    private final StallLog log;

    /** Of the present stall, or the last; null before the first. */
    private StackBox box;

    /** Null while there is nothing to tell; read by any thread. */
    private volatile Told told;

    /** What is told of a stall, and the sight of the worker that any other sight ends. */
    record Told(long number, long phase, long stamp, long ageNs, long lookNs, String stack) {}

    /** Where the stack of one stall is put; each has its own, so that a stack that comes late meets nobody. */
    static final class StackBox {
        private final WorkerView view;
        private boolean isAskedFor;

        /** Null until it is there, empty if it could not be taken. By the thread that takes it. */
        private volatile String stack;

        StackBox(WorkerView view) {
            this.view = view;
        }

        /** Takes the stack, which may last for ever. */
        void fill() {
            String text = "";
            try {
                text = StackText.of(view.stack());
            } catch (Throwable noMemory) {
                Logs.HEALTH.debug("the stack of a worker could not be taken", noMemory);
            } finally {
                stack = text;
            }
        }
    }

    WatchedWorker(int index, WorkerView view, StallDetector detector, StallLog log) {
        this.index = index;
        this.view = view;
        this.detector = detector;
        this.log = log;
    }

    StallDetector.Verdict look(long nowNs) {
        long phase = view.phase();
        long stamp = view.progress();
        StallDetector.Verdict verdict = detector.onLook(phase, stamp, box != null && box.stack != null, nowNs);
        if (verdict == StallDetector.Verdict.BEGUN) {
            box = new StackBox(view);
        } else if (verdict == StallDetector.Verdict.TOLD) {
            String stack = box.stack;
            told = new Told(detector.number(), phase, stamp, detector.ageNs(), nowNs, stack == null ? "" : stack);
        } else if (told != null && verdict != StallDetector.Verdict.OVER) {
            told = new Told(told.number(), phase, stamp, detector.ageNs(), nowNs, told.stack());
        }
        return verdict;
    }

    /** What was told, which is over. */
    Told endTold() {
        Told last = told;
        told = null;
        return last;
    }

    int index() {
        return index;
    }

    StallLog log() {
        return log;
    }

    /** The box that is still to be filled, for whoever sees to that; null if there is none. */
    StackBox takeEmptyBox() {
        if (box == null || box.isAskedFor) {
            return null;
        }
        box.isAskedFor = true;
        return box;
    }

    /** What is told of its stall, unless it has moved since; otherwise null. Right also after the watch has ended. */
    Told told() {
        Told present = told;
        boolean isStanding = present != null && view.progress() == present.stamp() && view.phase() == present.phase();
        return isStanding ? present : null;
    }

    /** In which dataflow it stands still; 0 if in none, -1 if it has just moved. */
    long scopeId() {
        long scopeId = view.scopeId();
        return told() == null ? -1 : scopeId; // read afterwards: it has not left that step, nor begun another
    }
}
