package io.hawser.transport;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Where the processes of the generation that is being formed live, as far as this process knows: the addresses of the configuration, then whatever the directory has said last.
 *
 * <p>A list of another length may be one that is just being written, so it counts only if the next one, some time later, is the same.
 *
 * <p><em>Threading:</em> any thread reads; one at a time asks the directory, others go by what is known meanwhile.
 */
final class Listing {
    private final Directory directory;
    private final int processCount;
    private final int ownProcess;
    private final Endpoint ownAddress;
    private final AtomicBoolean isBeingAsked = new AtomicBoolean();
    private volatile List<Endpoint> endpoints;

    /** By whoever asks. */
    private boolean isOwnTold;

    /** By whoever asks. */
    private boolean isFaultTold;

    /** By whoever asks. */
    private List<Endpoint> otherList = List.of();

    /** How many processes the directory lists if that is not how many the generation has; else 0. */
    private volatile int otherCount;

    Listing(ClusterConfig config) {
        Optional<Directory> asked = config.directory();
        this.directory = asked.orElse(null);
        this.processCount = config.processCount();
        this.endpoints = config.addresses();
        this.ownProcess = config.processIndex();
        this.ownAddress = endpoints.isEmpty() ? null : endpoints.get(ownProcess);
    }

    /** {@return whether it never changes, so that nobody has to be asked} */
    boolean isFixed() {
        return directory == null;
    }

    Endpoint of(int process) {
        return endpoints.get(process);
    }

    /**
     * Asks the directory for the address of a process; may block. What it lists otherwise does not count.
     *
     * @throws IOException if it does not tell
     */
    void refresh() throws IOException {
        ask(false);
    }

    /** The same, some time after the last call: two equal lists of another length are another shape. */
    void review() throws IOException {
        ask(true);
    }

    private void ask(boolean isReview) throws IOException {
        if (!isBeingAsked.compareAndSet(false, true)) {
            return; // somebody asks already: what is known will do, and a directory that does not answer costs one
            // thread
        }
        try {
            List<Endpoint> listed = List.copyOf(directory.list());
            ConfigInvariants.checkAddresses(listed);
            if (listed.size() == processCount) {
                endpoints = listed;
                warnOfOwn(listed.get(ownProcess));
                isFaultTold = false;
                otherList = List.of();
                otherCount = 0;
                return;
            }
            if (isReview) {
                otherCount = !listed.isEmpty() && listed.equals(otherList) ? listed.size() : 0;
                otherList = listed;
            }
            throw new IOException("it lists " + listed.size() + " processes, not " + processCount);
        } catch (Throwable fault) {
            warnOfFault(fault);
            throw fault;
        } finally {
            isBeingAsked.set(false);
        }
    }

    /** Once, until it answers again. */
    private void warnOfFault(Throwable fault) {
        if (!isFaultTold) {
            isFaultTold = true;
            Logs.FORMATION.warn(
                    "the directory {} does not tell where the processes are, the last list stays: {}",
                    directory,
                    fault.toString());
        }
    }

    /** Once: the others dial what is listed, and this process listens where its configuration says. */
    private void warnOfOwn(Endpoint listed) {
        if (!isOwnTold && !listed.toString().equalsIgnoreCase(ownAddress.toString())) {
            isOwnTold = true;
            Logs.FORMATION.warn(
                    "process {} is at {} by its own configuration, but {} lists it at {}: the others will look for it there",
                    ownProcess,
                    ownAddress,
                    directory,
                    listed);
        }
    }

    boolean hasOtherShape() {
        return otherCount != 0;
    }

    /** Why forming goes on in vain. */
    String shapeChange() {
        return "the directory " + directory + " lists " + otherCount + " processes, not " + processCount
                + ": the cluster has changed its shape; form it with that list";
    }
}
