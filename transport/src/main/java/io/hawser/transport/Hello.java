package io.hawser.transport;

import io.hawser.framing.FrameEncoder;
import io.hawser.framing.HelloFlyweight;
import org.agrona.MutableDirectBuffer;

/**
 * What one side of a link says of itself, and insists on, in its HELLO. Immutable.
 *
 * @param minVersion          lowest protocol version spoken
 * @param maxVersion          highest protocol version spoken
 * @param mode                whether it is of a mesh, or an end of a link of its own
 * @param generation          generation proposed
 * @param nonce               random number of this process and this attempt
 * @param processIndex        the sender's index
 * @param processCount        processes of the cluster
 * @param workersPerProcess   workers of each process
 * @param targetProcess       process that the sender believes it talks to
 * @param pid                 process id, for messages only
 * @param heartbeatIntervalNs must be equal on both sides
 * @param silenceTimeoutNs    must be equal on both sides
 * @param channelWindow       bytes; the smaller one holds
 * @param linkWindow          bytes; the smaller one holds
 * @param messageLimit        bytes; the smaller one holds
 * @param frameLimit          bytes; the smaller one holds
 * @param payloadChecks       whether the sender wants payload checks; one that wants them is enough
 * @param former              what the sender has been part of before
 * @param clusterId           must be equal on both sides
 * @param host                host name, for messages only
 * @param address             advertised address, for messages only
 */
record Hello(
        int minVersion,
        int maxVersion,
        int mode,
        long generation,
        long nonce,
        int processIndex,
        int processCount,
        int workersPerProcess,
        int targetProcess,
        long pid,
        long heartbeatIntervalNs,
        long silenceTimeoutNs,
        long channelWindow,
        long linkWindow,
        long messageLimit,
        int frameLimit,
        boolean payloadChecks,
        Former former,
        String clusterId,
        String host,
        String address) {

    /** The protocol version that this library speaks. */
    static final int VERSION = HelloFlyweight.VERSION;

    static Hello of(ClusterConfig config, ProcessIdentity process, long generation, long nonce) {
        return of(
                config,
                HelloFlyweight.MODE_MESH,
                process,
                generation,
                nonce,
                config.addresses().get(config.processIndex()).toString());
    }

    /**
     * What one end of a link of its own says.
     *
     * @param config of a mesh of two
     * @param name   of this process
     */
    static Hello ofLink(ClusterConfig config, ProcessIdentity process, long nonce, String name, Endpoint address) {
        return of(config, HelloFlyweight.MODE_LINK, process, config.generation(), nonce, name + '@' + address);
    }

    private static Hello of(
            ClusterConfig config, int mode, ProcessIdentity process, long generation, long nonce, String address) {
        return new Hello(
                VERSION,
                VERSION,
                mode,
                generation,
                nonce,
                config.processIndex(),
                config.processCount(),
                config.workersPerProcess(),
                -1,
                process.pid(),
                config.heartbeatIntervalNs(),
                config.silenceTimeoutNs(),
                config.channelWindow(),
                config.linkWindow(),
                config.messageLimit(),
                config.frameLimit(),
                config.payloadChecks(),
                config.former(),
                config.clusterId(),
                process.host(),
                address);
    }

    /** Reads a HELLO. Of one of another version only the versions mean something: its texts stay empty, they may not lie within it. */
    static Hello read(HelloFlyweight hello) {
        boolean isReadable = hello.isSameVersion();
        return new Hello(
                hello.lowestVersion(),
                hello.highestVersion(),
                isReadable ? hello.mode() : HelloFlyweight.MODE_MESH,
                hello.generation(),
                hello.instanceNonce(),
                hello.processIndex(),
                hello.processCount(),
                hello.workersPerProcess(),
                hello.expectedProcessIndex(),
                hello.pid(),
                hello.heartbeatIntervalNs(),
                hello.silenceTimeoutNs(),
                hello.channelWindow(),
                hello.linkWindow(),
                hello.messageLimit(),
                hello.frameLimit(),
                (hello.settings() & HelloFlyweight.PAYLOAD_CHECKS) != 0,
                isReadable ? readFormer(hello) : Former.NONE,
                isReadable ? hello.clusterId() : "",
                isReadable ? hello.hostName() : "",
                isReadable ? hello.address() : "");
    }

    private static Former readFormer(HelloFlyweight hello) {
        return hello.formerGeneration() == 0
                ? Former.NONE
                : new Former(
                        hello.formerGeneration(),
                        hello.formerIncarnation(),
                        hello.formerProcessIndex(),
                        hello.formerProcessCount(),
                        hello.formerWorkersPerProcess());
    }

    /** Writes an unsealed HELLO frame; returns the bytes that it occupies. */
    int encode(FrameEncoder encoder, MutableDirectBuffer buffer, int offset, boolean isReply) {
        encoder.hello(buffer, offset, isReply)
                .lowestVersion(minVersion)
                .highestVersion(maxVersion)
                .mode(mode)
                .generation(generation)
                .instanceNonce(nonce)
                .processIndex(processIndex)
                .processCount(processCount)
                .workersPerProcess(workersPerProcess)
                .expectedProcessIndex(targetProcess)
                .pid(pid)
                .heartbeatIntervalNs(heartbeatIntervalNs)
                .silenceTimeoutNs(silenceTimeoutNs)
                .channelWindow(channelWindow)
                .linkWindow(linkWindow)
                .messageLimit(messageLimit)
                .frameLimit(frameLimit)
                .settings(payloadChecks ? HelloFlyweight.PAYLOAD_CHECKS : 0)
                .former(
                        former.generation(),
                        former.incarnation(),
                        former.processIndex(),
                        former.processCount(),
                        former.workersPerProcess())
                .texts(clusterId, host, address);
        return encoder.end();
    }

    /** The same, addressed to one process. */
    Hello to(int target) {
        return new Hello(
                minVersion,
                maxVersion,
                mode,
                generation,
                nonce,
                processIndex,
                processCount,
                workersPerProcess,
                target,
                pid,
                heartbeatIntervalNs,
                silenceTimeoutNs,
                channelWindow,
                linkWindow,
                messageLimit,
                frameLimit,
                payloadChecks,
                former,
                clusterId,
                host,
                address);
    }

    /** {@return the same with another generation} */
    Hello withGeneration(long other) {
        return new Hello(
                minVersion,
                maxVersion,
                mode,
                other,
                nonce,
                processIndex,
                processCount,
                workersPerProcess,
                targetProcess,
                pid,
                heartbeatIntervalNs,
                silenceTimeoutNs,
                channelWindow,
                linkWindow,
                messageLimit,
                frameLimit,
                payloadChecks,
                former,
                clusterId,
                host,
                address);
    }

    int firstWorker() {
        return processIndex * workersPerProcess;
    }

    /** Whether the process has all of these workers. */
    boolean holds(final int worker, final int count) {
        return count >= 1 && worker >= firstWorker() && worker - firstWorker() <= workersPerProcess() - count;
    }
}
