package io.hawser.transport;

/** Where a mesh lives: what it has for itself, or shares with the other links of its process. Any thread. */
interface Site {
    /** Random number of this process and this attempt. */
    long nonce();

    /** Of this process, for messages. */
    String address();

    Names names(long generation);

    MemoryAccount memory();

    WindowPool windows();

    /** {@return what a loss leads to, as a clause} */
    String consequence(long generation);

    /** {@return whether the calling thread is not the mesh's own, but one that it needs to end} */
    boolean isNeededThread();

    /** Threads are about to start. */
    void onStarting(MeshCore mesh);

    /** Nothing of the mesh is left but, maybe, the thread that says so. */
    void onOver(MeshCore mesh);
}
