package io.hawser.flink;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.ManyToOneConcurrentLinkedQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sending of some links, and its thread: what other threads want done for a link stands in one queue; then each link has its turn. Parks when there is nothing to do.
 *
 * <p><em>Threading:</em> {@link #execute} and {@link #stop} are for any thread, and never wait; everything else is for the agent's own.
 */
final class ShuffleAgent implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(ShuffleAgent.class);

    /** How often links look for what nobody tells: a partition that was released, see {@link OutboundChannel}. */
    private static final long LOOK_INTERVAL_NS = 100_000_000;

    /** Commands that are taken before links have their turn: neither may starve the other. */
    private static final int COMMANDS_PER_CYCLE = 1_024;

    private final ManyToOneConcurrentLinkedQueue<Runnable> commands = new ManyToOneConcurrentLinkedQueue<>();
    private final Thread thread;

    // the agent's thread
    private final List<LinkDuty> duties = new ArrayList<>();
    private long lastLookNs = System.nanoTime();

    private volatile boolean isAsleep;
    private volatile boolean isStopped;

    ShuffleAgent(final String name) {
        this.thread = new Thread(this, name);
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** Has something done by the agent's thread, after what was asked before. Any thread; does not wait. */
    void execute(final Runnable command) {
        commands.offer(command);
        if (isAsleep) { // pairs with sleep: it says so, then looks at the queue
            LockSupport.unpark(thread);
        }
    }

    /** Ends the thread once it has done what was asked so far. Any thread. */
    void stop() {
        execute(() -> isStopped = true);
    }

    /** {@return whether the thread has ended within that time} */
    boolean awaitEnd(final long timeoutMs) throws InterruptedException {
        thread.join(timeoutMs);
        return !thread.isAlive();
    }

    boolean isOwnThread() {
        return Thread.currentThread() == thread;
    }

    void add(final LinkDuty duty) {
        duties.add(duty);
    }

    void remove(final LinkDuty duty) {
        duties.remove(duty);
    }

    @Override
    public void run() {
        while (!isStopped) {
            boolean isBusy = runCommands();
            for (int i = 0; i < duties.size(); i++) {
                isBusy |= work(duties.get(i));
            }
            final long nowNs = System.nanoTime();
            if (nowNs - lastLookNs >= LOOK_INTERVAL_NS) {
                lastLookNs = nowNs;
                look();
            }
            if (!isBusy) {
                sleep(LOOK_INTERVAL_NS - (nowNs - lastLookNs));
            }
        }
    }

    private boolean runCommands() {
        int count = 0;
        Runnable command;
        while (count < COMMANDS_PER_CYCLE && (command = commands.poll()) != null) {
            count++;
            try {
                command.run();
            } catch (final Throwable t) {
                LOG.error("a command of the shuffle failed: thread={}", thread.getName(), t);
            }
        }
        return count > 0;
    }

    private boolean work(final LinkDuty duty) {
        try {
            return duty.work();
        } catch (final Throwable t) {
            LOG.error("a link's turn failed: thread={} link={}", thread.getName(), duty, t);
            return false;
        }
    }

    private void look() {
        for (int i = duties.size() - 1; i >= 0; i--) {
            try {
                duties.get(i).look();
            } catch (final Throwable t) {
                LOG.error("looking after a link failed: thread={} link={}", thread.getName(), duties.get(i), t);
            }
        }
    }

    private void sleep(final long ns) {
        isAsleep = true;
        if (commands.isEmpty() && ns > 0) {
            LockSupport.parkNanos(this, duties.isEmpty() ? 10 * ns : ns);
        }
        isAsleep = false;
    }
}
