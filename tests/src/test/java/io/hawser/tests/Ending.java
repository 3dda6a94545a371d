package io.hawser.tests;

import io.hawser.testkit.Signal;

/** The ways in which one process of a cluster comes to an unclean end, and what the others have to make of it. */
enum Ending {
    /** Killed while nothing is going on. */
    KILL_IDLE("park", "PEER_LOST"),
    /** Killed while it exchanges messages. */
    KILL_BUSY("push", "PEER_LOST"),
    /** Killed while it sends as much as it can. */
    KILL_FLOODING("flood", "PEER_LOST"),
    /** Frozen by SIGSTOP. */
    FREEZE("poll", "PEER_SILENT"),
    /** Asked to end by SIGTERM. */
    TERMINATE("poll", "PROCESS_EXITING"),
    /** System.exit(0). */
    EXIT("poll", "PROCESS_EXITING"),
    /** Runtime.halt: no hook runs. The JVM waits 0.3 s for threads in native code before its sockets close. */
    HALT("poll", "PEER_LOST"),
    /** A worker throws an unchecked exception. */
    THROW("push", "WORKER_PANICKED"),
    /** A worker throws a checked exception. */
    THROW_CHECKED("poll", "WORKER_PANICKED"),
    /** A worker gets a StackOverflowError. */
    OVERFLOW_STACK("poll", "WORKER_PANICKED"),
    /** A worker gets an OutOfMemoryError, and the heap stays full. */
    FILL_HEAP("poll", "WORKER_PANICKED"),
    /** An error is thrown in a send thread. */
    FAULT_SEND("poll", "THREAD_FAILED"),
    /** An error is thrown in a receive thread. */
    FAULT_RECV("poll", "THREAD_FAILED"),
    /** An error is thrown in the greeting thread. */
    FAULT_GREET("poll", "THREAD_FAILED"),
    /** An error is thrown in the watching thread. */
    FAULT_WATCH("poll", "THREAD_FAILED"),
    /** End of stream without HANGUP. */
    FIN("raw", "PEER_LOST"),
    /** Reset of the connection. */
    RST("raw", "PEER_LOST"),
    /** Half a HANGUP, then end of stream. */
    HALF_HANGUP("raw", "PEER_LOST");

    private final String deed;
    private final String kind;

    Ending(final String deed, final String kind) {
        this.deed = deed;
        this.kind = kind;
    }

    /** What the process does before. */
    String deed() {
        return deed;
    }

    /** The kind of cause that everybody has to name. */
    String kind() {
        return kind;
    }

    /** Whether the process is played by a raw peer. */
    boolean isRaw() {
        return deed.equals("raw");
    }

    boolean isKill() {
        return name().startsWith("KILL");
    }

    boolean isFault() {
        return name().startsWith("FAULT");
    }

    /** Whether the cause names a worker, the first one of the process. */
    boolean isWorkers() {
        return kind.equals("WORKER_PANICKED");
    }

    /** Whether the JVM lives on, and tells the same as the others. */
    boolean isSurvived() {
        return isWorkers() || isFault();
    }

    /** Whether the kernel tells the others, or the process itself does, so that nobody has to wait for a time-out. */
    boolean isTold() {
        return this != FREEZE;
    }

    /** The thread of the transport in which an error is thrown. */
    String faultRole() {
        return name().substring("FAULT_".length()).toLowerCase(java.util.Locale.ROOT);
    }

    /** The signal, for those endings that are one. */
    Signal signal() {
        return this == FREEZE ? Signal.STOP : this == TERMINATE ? Signal.TERM : Signal.KILL;
    }
}
