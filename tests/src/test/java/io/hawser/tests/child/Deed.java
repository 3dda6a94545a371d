package io.hawser.tests.child;

import io.hawser.allocator.Worker;

/** What a worker does. Those that do not end by themselves go on until the cluster does. */
enum Deed {
    /** Returns at once, so that the process waits in join. */
    RETURN((worker, run) -> {
        run.atWork(worker);
        return (long) worker.index();
    }),
    /** Waits in park without end. */
    PARK(Waiting::park),
    /** Pulls without pause. */
    PULL(Waiting::pull),
    /** Looks for messages now and then, and for a misdeed to commit. */
    POLL(Waiting::poll),
    /** Exchanges small messages with everybody. */
    PUSH((worker, run) -> Exchanging.exchange(worker, run, 64, 16)),
    /** Exchanges as much as it can. */
    FLOOD((worker, run) -> Exchanging.exchange(worker, run, 32 * 1024, 4)),
    /** Pushes to another process that does not pull: waits for credit. */
    WAIT((worker, run) -> Exchanging.pushOn(worker, run, "waitOn")),
    /** Pushes to one process only, which does not take it: blocks in a full ring in front of a full socket. */
    BLOCK((worker, run) -> Exchanging.pushOn(worker, run, "blockOn")),
    /** Fills all windows of a dataflow, and tells its outcome. */
    FLOW(Flowing::flow),
    /** Exchanges numbers with everybody in rounds, and checks that each comes once and in order. */
    ROUNDS(Exchanging::rounds),
    /** Sends a number of bytes to another worker, then ends. */
    SEND(Streaming::send),
    /** Counts and checks bytes until nothing can come any more. */
    RECEIVE(Streaming::receive);

    private final Work work;

    Deed(final Work work) {
        this.work = work;
    }

    Long run(final Worker worker, final ClusterRun run) throws Exception {
        return work.run(worker, run);
    }

    /** The code of one. */
    private interface Work {
        Long run(Worker worker, ClusterRun run) throws Exception;
    }
}
