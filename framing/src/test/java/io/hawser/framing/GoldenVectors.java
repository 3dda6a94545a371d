package io.hawser.framing;

import static io.hawser.framing.FrameFlags.BEGIN;
import static io.hawser.framing.FrameFlags.CHECKED;
import static io.hawser.framing.FrameFlags.END;
import static io.hawser.framing.FrameFlags.RECORDS;
import static io.hawser.framing.FrameHeaderFlyweight.HEADER_LENGTH;
import static io.hawser.framing.WireField.bytes;
import static io.hawser.framing.WireField.hex;
import static io.hawser.framing.WireField.number;
import static io.hawser.framing.WireField.text;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;

/** The frames that PROTOCOL.md shows, at least one of every type. */
final class GoldenVectors {

    private static final long NONCE = 0x1122_3344_5566_7788L;

    private GoldenVectors() {}

    static List<GoldenVector> all() {
        return List.of(
                hello("HELLO", false),
                hello("HELLO, REPLY", true),
                ready(),
                records("DATA, two records", "hawser", "rope"),
                records("DATA, one record of length 0", ""),
                last(),
                fragment("DATA, first fragment", BEGIN | CHECKED),
                fragment("DATA, middle fragment", CHECKED),
                fragment("DATA, last fragment, unchecked", END),
                heartbeat(),
                credit(),
                hangup("HANGUP", false),
                hangup("HANGUP, CONFIRM", true),
                abort(),
                refuse(),
                start(),
                accept(),
                reject(),
                go(),
                cancel(),
                cancelled(),
                notice(),
                waiting(),
                stalled(),
                fateCancelled(),
                fateFailed());
    }

    static GoldenVector named(final String name) {
        return all().stream().filter(v -> v.name().equals(name)).findFirst().orElseThrow();
    }

    private static GoldenVector hello(final String name, final boolean isReply) {
        return new GoldenVector(
                name,
                0,
                (encoder, buffer) -> {
                    encoder.hello(buffer, 0, isReply)
                            .mode(HelloFlyweight.MODE_MESH)
                            .generation(7)
                            .instanceNonce(NONCE)
                            .processIndex(isReply ? 1 : 2)
                            .processCount(4)
                            .workersPerProcess(2)
                            .expectedProcessIndex(isReply ? 2 : 1)
                            .pid(4_711)
                            .heartbeatIntervalNs(250_000_000)
                            .silenceTimeoutNs(2_000_000_000)
                            .channelWindow(1 << 20)
                            .linkWindow(1 << 24)
                            .messageLimit(1 << 26)
                            .frameLimit(1 << 17)
                            .settings(HelloFlyweight.PAYLOAD_CHECKS)
                            .former(6, NONCE + 1, isReply ? 1 : 3, 5, 3)
                            .texts("ranking", "node-c", "10.0.0.3:7300");
                    return encoder.end();
                },
                List.of(
                        bytes("magic", 8),
                        number("lowest version", 2),
                        number("highest version", 2),
                        number("mode", 4),
                        number("generation", 8),
                        hex("instance nonce", 8),
                        number("process index", 4),
                        number("process count", 4),
                        number("workers per process", 4),
                        number("expected process index", 4),
                        number("pid", 8),
                        number("heartbeat interval, ns", 8),
                        number("silence time-out, ns", 8),
                        number("channel window", 8),
                        number("link window", 8),
                        number("message limit", 8),
                        number("frame limit", 4),
                        number("settings", 4),
                        number("former generation", 8),
                        hex("former incarnation", 8),
                        number("former process index", 4),
                        number("former process count", 4),
                        number("former workers per process", 4),
                        number("cluster id length", 2),
                        number("host name length", 2),
                        number("address length", 2),
                        number("extension length", 2),
                        text("cluster id", 7),
                        text("host name", 6),
                        text("address", 13)),
                (header, buffer) -> {
                    final HelloFlyweight hello =
                            new HelloFlyweight().wrap(buffer, HEADER_LENGTH, header.payloadLength());
                    assertThat(header.type()).isEqualTo(FrameType.HELLO);
                    assertThat(header.hasFlags(FrameFlags.REPLY)).isEqualTo(isReply);
                    assertThat(header.payloadLength()).isEqualTo(166);
                    assertThat(hello.isMagic()).isTrue();
                    assertThat(hello.isSameVersion()).isTrue();
                    assertThat(hello.lowestVersion()).isEqualTo(1);
                    assertThat(hello.highestVersion()).isEqualTo(1);
                    assertThat(hello.mode()).isEqualTo(HelloFlyweight.MODE_MESH);
                    assertThat(hello.generation()).isEqualTo(7);
                    assertThat(hello.instanceNonce()).isEqualTo(NONCE);
                    assertThat(hello.processIndex()).isEqualTo(isReply ? 1 : 2);
                    assertThat(hello.processCount()).isEqualTo(4);
                    assertThat(hello.workersPerProcess()).isEqualTo(2);
                    assertThat(hello.expectedProcessIndex()).isEqualTo(isReply ? 2 : 1);
                    assertThat(hello.pid()).isEqualTo(4_711);
                    assertThat(hello.heartbeatIntervalNs()).isEqualTo(250_000_000);
                    assertThat(hello.silenceTimeoutNs()).isEqualTo(2_000_000_000);
                    assertThat(hello.channelWindow()).isEqualTo(1 << 20);
                    assertThat(hello.linkWindow()).isEqualTo(1 << 24);
                    assertThat(hello.messageLimit()).isEqualTo(1 << 26);
                    assertThat(hello.frameLimit()).isEqualTo(1 << 17);
                    assertThat(hello.settings()).isEqualTo(HelloFlyweight.PAYLOAD_CHECKS);
                    assertThat(hello.formerGeneration()).isEqualTo(6);
                    assertThat(hello.formerIncarnation()).isEqualTo(NONCE + 1);
                    assertThat(hello.formerProcessIndex()).isEqualTo(isReply ? 1 : 3);
                    assertThat(hello.formerProcessCount()).isEqualTo(5);
                    assertThat(hello.formerWorkersPerProcess()).isEqualTo(3);
                    assertThat(hello.clusterId()).isEqualTo("ranking");
                    assertThat(hello.hostName()).isEqualTo("node-c");
                    assertThat(hello.address()).isEqualTo("10.0.0.3:7300");
                });
    }

    private static GoldenVector ready() {
        return new GoldenVector(
                "READY",
                1,
                (encoder, buffer) -> {
                    encoder.ready(buffer, 0).generation(7).receiverNonce(NONCE);
                    return encoder.end();
                },
                List.of(number("generation", 8), hex("receiver's nonce", 8)),
                (header, buffer) -> {
                    final ReadyFlyweight ready =
                            new ReadyFlyweight().wrap(buffer, HEADER_LENGTH, header.payloadLength());
                    assertThat(header.type()).isEqualTo(FrameType.READY);
                    assertThat(ready.generation()).isEqualTo(7);
                    assertThat(ready.receiverNonce()).isEqualTo(NONCE);
                });
    }

    private static GoldenVector records(final String name, final String... messages) {
        final List<WireField> fields = new ArrayList<>();
        for (final String message : messages) {
            fields.add(number("message length", 4));
            if (!message.isEmpty()) {
                fields.add(text("message", message.length()));
            }
            if (message.length() % 4 != 0) {
                fields.add(bytes("padding of the record", 4 - message.length() % 4));
            }
        }
        return new GoldenVector(
                name,
                5,
                (encoder, buffer) -> {
                    final int payloadOffset = encoder.data(buffer, 0, RECORDS | CHECKED);
                    encoder.header().scopeId(9).channelId(3).sourceWorker(4).targets(2, 2);
                    int offset = payloadOffset;
                    for (final String message : messages) {
                        final byte[] bytes = message.getBytes(UTF_8);
                        offset = RecordDescriptor.put(buffer, offset, new UnsafeBuffer(bytes), 0, bytes.length);
                    }
                    return encoder.end(offset - payloadOffset);
                },
                fields,
                (header, buffer) -> {
                    expectData(header, RECORDS | CHECKED);
                    final RecordIterator iterator =
                            new RecordIterator().wrap(buffer, HEADER_LENGTH, header.payloadLength());
                    for (final String message : messages) {
                        assertThat(iterator.next()).isTrue();
                        assertThat(buffer.getStringWithoutLengthUtf8(
                                        iterator.messageOffset(), iterator.messageLength()))
                                .isEqualTo(message);
                    }
                    assertThat(iterator.next()).isFalse();
                    assertThat(iterator.fault()).isEqualTo(FrameFault.NONE);
                });
    }

    private static GoldenVector last() {
        final int flags = RECORDS | CHECKED | FrameFlags.LAST;
        return new GoldenVector(
                "DATA, LAST",
                7,
                (encoder, buffer) -> {
                    encoder.data(buffer, 0, flags);
                    encoder.header().scopeId(9).channelId(3).sourceWorker(4).targets(2, 2);
                    return encoder.end(0);
                },
                List.of(),
                (header, buffer) -> {
                    expectData(header, flags);
                    assertThat(FrameFlags.isLast(header.flags())).isTrue();
                    assertThat(header.payloadLength()).isZero();
                    assertThat(header.payloadCheck()).isZero();
                });
    }

    private static GoldenVector fragment(final String name, final int flags) {
        final boolean isFirst = (flags & BEGIN) != 0;
        final String part = isFirst ? "a long" : "winded";
        return new GoldenVector(
                name,
                6,
                (encoder, buffer) -> {
                    int offset = encoder.data(buffer, 0, flags);
                    encoder.header().scopeId(9).channelId(3).sourceWorker(4).targets(2, 2);
                    if (isFirst) {
                        offset = FragmentDescriptor.begin(buffer, offset, 5_000_000_000L);
                    }
                    buffer.putBytes(offset, part.getBytes(UTF_8));
                    return encoder.end(offset + part.length() - HEADER_LENGTH);
                },
                isFirst
                        ? List.of(number("message length", 8), text("part of the message", 6))
                        : List.of(text("part of the message", 6)),
                (header, buffer) -> {
                    expectData(header, flags);
                    final int prefix = isFirst ? FragmentDescriptor.PREFIX_LENGTH : 0;
                    if (isFirst) {
                        assertThat(FragmentDescriptor.messageLength(buffer, HEADER_LENGTH))
                                .isEqualTo(5_000_000_000L);
                    }
                    assertThat(buffer.getStringWithoutLengthUtf8(
                                    HEADER_LENGTH + prefix, header.payloadLength() - prefix))
                            .isEqualTo(part);
                });
    }

    private static void expectData(final FrameHeaderFlyweight header, final int flags) {
        assertThat(header.type()).isEqualTo(FrameType.DATA);
        assertThat(header.flags()).isEqualTo(flags);
        assertThat(header.scopeId()).isEqualTo(9);
        assertThat(header.channelId()).isEqualTo(3);
        assertThat(header.sourceWorker()).isEqualTo(4);
        assertThat(header.firstTargetWorker()).isEqualTo(2);
        assertThat(header.targetWorkerCount()).isEqualTo(2);
    }

    private static GoldenVector heartbeat() {
        return new GoldenVector(
                "HEARTBEAT",
                17,
                (encoder, buffer) -> {
                    encoder.heartbeat(buffer, 0)
                            .clockNs(-5_000)
                            .echoClockNs(123_456_789_012L)
                            .echoAgeNs(1_500)
                            .bytesReceived(6_000_000_000L)
                            .longestPauseNs(12_000_000)
                            .workerCount(2)
                            .progress(0, 41)
                            .progress(1, 43);
                    return encoder.end();
                },
                List.of(
                        number("clock, ns", 8),
                        number("echoed clock, ns", 8),
                        number("age of the echo, ns", 8),
                        number("bytes received", 8),
                        number("longest pause, ns", 8),
                        number("worker count", 4),
                        number("reserved", 4),
                        number("progress of worker 0", 8),
                        number("progress of worker 1", 8)),
                (header, buffer) -> {
                    final HeartbeatFlyweight heartbeat =
                            new HeartbeatFlyweight().wrap(buffer, HEADER_LENGTH, header.payloadLength());
                    assertThat(header.type()).isEqualTo(FrameType.HEARTBEAT);
                    assertThat(heartbeat.clockNs()).isEqualTo(-5_000);
                    assertThat(heartbeat.echoClockNs()).isEqualTo(123_456_789_012L);
                    assertThat(heartbeat.echoAgeNs()).isEqualTo(1_500);
                    assertThat(heartbeat.bytesReceived()).isEqualTo(6_000_000_000L);
                    assertThat(heartbeat.longestPauseNs()).isEqualTo(12_000_000);
                    assertThat(heartbeat.workerCount()).isEqualTo(2);
                    assertThat(heartbeat.progress(0)).isEqualTo(41);
                    assertThat(heartbeat.progress(1)).isEqualTo(43);
                });
    }

    private static GoldenVector credit() {
        return new GoldenVector(
                "CREDIT",
                18,
                (encoder, buffer) -> {
                    encoder.credit(buffer, 0).creditLimit(1_048_576).bytesConsumed(65_536);
                    encoder.header().scopeId(9).channelId(3).sourceWorker(2).targets(4, 1);
                    return encoder.end();
                },
                List.of(number("credit limit", 8), number("bytes consumed", 8)),
                (header, buffer) -> {
                    final CreditFlyweight credit =
                            new CreditFlyweight().wrap(buffer, HEADER_LENGTH, header.payloadLength());
                    assertThat(header.type()).isEqualTo(FrameType.CREDIT);
                    assertThat(header.channelId()).isEqualTo(3);
                    assertThat(credit.creditLimit()).isEqualTo(1_048_576);
                    assertThat(credit.bytesConsumed()).isEqualTo(65_536);
                });
    }

    private static GoldenVector hangup(final String name, final boolean isConfirm) {
        return new GoldenVector(
                name,
                isConfirm ? 21 : 20,
                (encoder, buffer) -> {
                    encoder.hangup(buffer, 0, isConfirm)
                            .framesSent(12)
                            .bytesSent(3_400)
                            .framesReceived(isConfirm ? 56 : 0)
                            .bytesReceived(isConfirm ? 7_800 : 0);
                    return encoder.end();
                },
                List.of(
                        number("frames sent", 8),
                        number("bytes sent", 8),
                        number("frames received", 8),
                        number("bytes received", 8)),
                (header, buffer) -> {
                    final HangupFlyweight hangup =
                            new HangupFlyweight().wrap(buffer, HEADER_LENGTH, header.payloadLength());
                    assertThat(header.type()).isEqualTo(FrameType.HANGUP);
                    assertThat(header.hasFlags(FrameFlags.CONFIRM)).isEqualTo(isConfirm);
                    assertThat(hangup.framesSent()).isEqualTo(12);
                    assertThat(hangup.bytesSent()).isEqualTo(3_400);
                    assertThat(hangup.framesReceived()).isEqualTo(isConfirm ? 56 : 0);
                    assertThat(hangup.bytesReceived()).isEqualTo(isConfirm ? 7_800 : 0);
                });
    }

    private static GoldenVector abort() {
        return new GoldenVector(
                "ABORT",
                33,
                (encoder, buffer) -> {
                    encoder.abort(buffer, 0)
                            .kind(AbortKind.WORKER_PANICKED)
                            .failedProcess(2)
                            .failedWorker(5)
                            .seenByProcess(0)
                            .generation(7)
                            .pid(4_711)
                            .instanceNonce(NONCE)
                            .seenAtEpochMs(1_700_000_000_000L)
                            .measuredNs(0)
                            .texts("node-c", "10.0.0.3:7300", "worker threw: Überlauf");
                    return encoder.end();
                },
                List.of(
                        number("kind of cause", 4),
                        number("failed process", 4),
                        number("failed worker", 4),
                        number("seen by process", 4),
                        number("generation", 8),
                        number("pid", 8),
                        hex("instance nonce", 8),
                        number("seen at, ms since 1970", 8),
                        number("measured, ns", 8),
                        number("host name length", 2),
                        number("address length", 2),
                        number("seen length", 2),
                        number("reserved", 2),
                        text("host name", 6),
                        text("address", 13),
                        text("seen", 23)),
                (header, buffer) -> {
                    final AbortFlyweight abort =
                            new AbortFlyweight().wrap(buffer, HEADER_LENGTH, header.payloadLength());
                    assertThat(header.type()).isEqualTo(FrameType.ABORT);
                    assertThat(abort.kind()).isEqualTo(AbortKind.WORKER_PANICKED);
                    assertThat(abort.failedProcess()).isEqualTo(2);
                    assertThat(abort.failedWorker()).isEqualTo(5);
                    assertThat(abort.seenByProcess()).isEqualTo(0);
                    assertThat(abort.generation()).isEqualTo(7);
                    assertThat(abort.pid()).isEqualTo(4_711);
                    assertThat(abort.instanceNonce()).isEqualTo(NONCE);
                    assertThat(abort.seenAtEpochMs()).isEqualTo(1_700_000_000_000L);
                    assertThat(abort.measuredNs()).isEqualTo(0);
                    assertThat(abort.hostName()).isEqualTo("node-c");
                    assertThat(abort.address()).isEqualTo("10.0.0.3:7300");
                    assertThat(abort.seen()).isEqualTo("worker threw: Überlauf");
                });
    }

    private static GoldenVector refuse() {
        return new GoldenVector(
                "REFUSE",
                0,
                (encoder, buffer) -> {
                    encoder.refuse(buffer, 0)
                            .reason(RefuseReason.STALE_GENERATION)
                            .generation(8)
                            .processIndex(1)
                            .text("generation 7 is over");
                    return encoder.end();
                },
                List.of(
                        number("reason", 4),
                        number("lowest version", 2),
                        number("highest version", 2),
                        number("generation", 8),
                        number("process index", 4),
                        number("text length", 2),
                        number("reserved", 2),
                        text("text", 20)),
                (header, buffer) -> {
                    final RefuseFlyweight refuse =
                            new RefuseFlyweight().wrap(buffer, HEADER_LENGTH, header.payloadLength());
                    assertThat(header.type()).isEqualTo(FrameType.REFUSE);
                    assertThat(refuse.reason()).isEqualTo(RefuseReason.STALE_GENERATION);
                    assertThat(refuse.lowestVersion()).isEqualTo(1);
                    assertThat(refuse.highestVersion()).isEqualTo(1);
                    assertThat(refuse.generation()).isEqualTo(8);
                    assertThat(refuse.processIndex()).isEqualTo(1);
                    assertThat(refuse.text()).isEqualTo("generation 7 is over");
                });
    }

    private static GoldenVector start() {
        return new GoldenVector(
                "START",
                40,
                (encoder, buffer) -> {
                    encoder.start(buffer, 0)
                            .attemptId(77)
                            .weight(3)
                            .priority(-1)
                            .opaque(opaque(), 0, 5);
                    encoder.header().scopeId(9).targets(4, 1);
                    return encoder.end();
                },
                List.of(number("attempt id", 8), number("weight", 4), number("priority", 4), bytes("opaque bytes", 5)),
                (header, buffer) -> {
                    final StartFlyweight start =
                            new StartFlyweight().wrap(buffer, HEADER_LENGTH, header.payloadLength());
                    assertThat(header.type()).isEqualTo(FrameType.START);
                    assertThat(header.scopeId()).isEqualTo(9);
                    assertThat(header.firstTargetWorker()).isEqualTo(4);
                    assertThat(header.targetWorkerCount()).isEqualTo(1);
                    assertThat(start.attemptId()).isEqualTo(77);
                    assertThat(start.weight()).isEqualTo(3);
                    assertThat(start.priority()).isEqualTo(-1);
                    assertThat(start.opaque()).containsExactly(1, 2, 3, 4, 5);
                });
    }

    private static GoldenVector accept() {
        return new GoldenVector(
                "ACCEPT",
                41,
                (encoder, buffer) -> {
                    encoder.accept(buffer, 0).attemptId(77).holdNs(10_000_000_000L);
                    encoder.header().scopeId(9);
                    return encoder.end();
                },
                List.of(number("attempt id", 8), number("reservation holds, ns", 8)),
                (header, buffer) -> {
                    final AcceptFlyweight accept =
                            new AcceptFlyweight().wrap(buffer, HEADER_LENGTH, header.payloadLength());
                    assertThat(header.type()).isEqualTo(FrameType.ACCEPT);
                    assertThat(accept.attemptId()).isEqualTo(77);
                    assertThat(accept.holdNs()).isEqualTo(10_000_000_000L);
                });
    }

    private static GoldenVector reject() {
        return new GoldenVector(
                "REJECT",
                42,
                (encoder, buffer) -> {
                    encoder.reject(buffer, 0)
                            .attemptId(77)
                            .policy(RejectPolicy.LATER_HERE)
                            .retryAfterMs(250)
                            .text("too busy");
                    encoder.header().scopeId(9);
                    return encoder.end();
                },
                List.of(
                        number("attempt id", 8),
                        number("policy", 4),
                        number("retry after, ms", 4),
                        number("text length", 2),
                        number("reserved", 2),
                        number("reserved", 4),
                        text("text", 8)),
                (header, buffer) -> {
                    final RejectFlyweight reject =
                            new RejectFlyweight().wrap(buffer, HEADER_LENGTH, header.payloadLength());
                    assertThat(header.type()).isEqualTo(FrameType.REJECT);
                    assertThat(reject.attemptId()).isEqualTo(77);
                    assertThat(reject.policy()).isEqualTo(RejectPolicy.LATER_HERE);
                    assertThat(reject.retryAfterMs()).isEqualTo(250);
                    assertThat(reject.text()).isEqualTo("too busy");
                });
    }

    private static GoldenVector go() {
        return new GoldenVector(
                "GO",
                43,
                (encoder, buffer) -> {
                    encoder.go(buffer, 0).attemptId(77).opaque(opaque(), 0, 8);
                    encoder.header().scopeId(9);
                    return encoder.end();
                },
                List.of(number("attempt id", 8), bytes("opaque bytes, the plan", 8)),
                (header, buffer) -> {
                    final GoFlyweight go = new GoFlyweight().wrap(buffer, HEADER_LENGTH, header.payloadLength());
                    assertThat(header.type()).isEqualTo(FrameType.GO);
                    assertThat(go.attemptId()).isEqualTo(77);
                    assertThat(go.opaque()).containsExactly(1, 2, 3, 4, 5, 6, 7, 8);
                });
    }

    private static GoldenVector cancel() {
        return new GoldenVector(
                "CANCEL",
                44,
                (encoder, buffer) -> {
                    encoder.cancel(buffer, 0)
                            .attemptId(0)
                            .origin(CancelOrigin.RECEIVER_GONE)
                            .text("dropped");
                    encoder.header().scopeId(9).channelId(3).sourceWorker(2).targets(4, 1);
                    return encoder.end();
                },
                List.of(
                        number("attempt id", 8),
                        number("origin", 4),
                        number("text length", 2),
                        number("reserved", 2),
                        text("text", 7)),
                (header, buffer) -> {
                    final CancelFlyweight cancel =
                            new CancelFlyweight().wrap(buffer, HEADER_LENGTH, header.payloadLength());
                    assertThat(header.type()).isEqualTo(FrameType.CANCEL);
                    assertThat(header.channelId()).isEqualTo(3);
                    assertThat(cancel.attemptId()).isEqualTo(0);
                    assertThat(cancel.origin()).isEqualTo(CancelOrigin.RECEIVER_GONE);
                    assertThat(cancel.text()).isEqualTo("dropped");
                });
    }

    private static GoldenVector cancelled() {
        return new GoldenVector(
                "CANCELLED",
                45,
                (encoder, buffer) -> {
                    encoder.cancelled(buffer, 0).attemptId(77).answer(CancelAnswer.ALREADY_DONE);
                    encoder.header().scopeId(9);
                    return encoder.end();
                },
                List.of(number("attempt id", 8), number("answer", 4), number("reserved", 4)),
                (header, buffer) -> {
                    final CancelledFlyweight cancelled =
                            new CancelledFlyweight().wrap(buffer, HEADER_LENGTH, header.payloadLength());
                    assertThat(header.type()).isEqualTo(FrameType.CANCELLED);
                    assertThat(cancelled.attemptId()).isEqualTo(77);
                    assertThat(cancelled.answer()).isEqualTo(CancelAnswer.ALREADY_DONE);
                });
    }

    private static GoldenVector notice() {
        return new GoldenVector(
                "NOTICE",
                46,
                (encoder, buffer) -> {
                    encoder.notice(buffer, 0).kind(6).opaque(opaque(), 0, 3);
                    encoder.header().scopeId(9).sourceWorker(2).targets(4, 1);
                    return encoder.end();
                },
                List.of(number("kind", 4), number("reserved", 4), bytes("opaque bytes", 3)),
                (header, buffer) -> {
                    final NoticeFlyweight notice =
                            new NoticeFlyweight().wrap(buffer, HEADER_LENGTH, header.payloadLength());
                    assertThat(header.type()).isEqualTo(FrameType.NOTICE);
                    assertThat(notice.kind()).isEqualTo(6);
                    assertThat(notice.opaque()).containsExactly(1, 2, 3);
                });
    }

    private static GoldenVector waiting() {
        return new GoldenVector(
                "WAIT",
                47,
                (encoder, buffer) -> {
                    encoder.waiting(buffer, 0)
                            .waitNumber(5)
                            .waitedNs(2_000_000_000)
                            .bytesWanted(70_000)
                            .state(WaitState.WAITING);
                    encoder.header().scopeId(9).channelId(3).sourceWorker(4).targets(6, 2);
                    return encoder.end();
                },
                List.of(
                        number("wait number", 8),
                        number("waited already, ns", 8),
                        number("bytes wanted", 8),
                        number("state", 4),
                        number("stack length", 2),
                        number("reserved", 2)),
                (header, buffer) -> {
                    final WaitFlyweight wait = new WaitFlyweight().wrap(buffer, HEADER_LENGTH, header.payloadLength());
                    assertThat(header.type()).isEqualTo(FrameType.WAIT);
                    assertThat(header.channelId()).isEqualTo(3);
                    assertThat(header.sourceWorker()).isEqualTo(4);
                    assertThat(header.firstTargetWorker()).isEqualTo(6);
                    assertThat(header.targetWorkerCount()).isEqualTo(2);
                    assertThat(wait.waitNumber()).isEqualTo(5);
                    assertThat(wait.waitedNs()).isEqualTo(2_000_000_000);
                    assertThat(wait.bytesWanted()).isEqualTo(70_000);
                    assertThat(wait.state()).isEqualTo(WaitState.WAITING);
                });
    }

    private static GoldenVector stalled() {
        return new GoldenVector(
                "WAIT, stalled",
                49,
                (encoder, buffer) -> {
                    encoder.waiting(buffer, 0)
                            .waitNumber(6)
                            .waitedNs(10_000_000_000L)
                            .state(WaitState.STALLED)
                            .stack("a.B.c(B.java:7)");
                    encoder.header().channelId(-1).sourceWorker(4).targets(4, 1);
                    return encoder.end();
                },
                List.of(
                        number("wait number", 8),
                        number("stalled already, ns", 8),
                        number("bytes wanted", 8),
                        number("state", 4),
                        number("stack length", 2),
                        number("reserved", 2),
                        text("stack", 15)),
                (header, buffer) -> {
                    final WaitFlyweight wait = new WaitFlyweight().wrap(buffer, HEADER_LENGTH, header.payloadLength());
                    assertThat(header.channelId()).isEqualTo(-1);
                    assertThat(header.sourceWorker()).isEqualTo(4);
                    assertThat(wait.waitNumber()).isEqualTo(6);
                    assertThat(wait.waitedNs()).isEqualTo(10_000_000_000L);
                    assertThat(wait.state()).isEqualTo(WaitState.STALLED);
                    assertThat(wait.stack()).isEqualTo("a.B.c(B.java:7)");
                });
    }

    private static GoldenVector fateCancelled() {
        return new GoldenVector(
                "FATE",
                48,
                (encoder, buffer) -> {
                    encoder.fate(buffer, 0)
                            .word(2, FateWord.CANCELLED, new long[] {0b1011})
                            .cancelled(1, 3, "no more");
                    encoder.header().scopeId(9);
                    return encoder.end();
                },
                List.of(
                        number("process", 4),
                        number("word", 4),
                        number("cancelled by process", 4),
                        number("cancelled by worker", 4),
                        number("count of int64", 2),
                        number("text length", 2),
                        number("reserved", 4),
                        number("members 0, 1 and 3", 8),
                        text("text", 7)),
                (header, buffer) -> {
                    final FateFlyweight fate = new FateFlyweight().wrap(buffer, HEADER_LENGTH, header.payloadLength());
                    assertThat(header.type()).isEqualTo(FrameType.FATE);
                    assertThat(header.scopeId()).isEqualTo(9);
                    assertThat(fate.process()).isEqualTo(2);
                    assertThat(fate.word()).isEqualTo(FateWord.CANCELLED);
                    assertThat(fate.cancelledByProcess()).isEqualTo(1);
                    assertThat(fate.cancelledByWorker()).isEqualTo(3);
                    assertThat(fate.memberLongs()).isEqualTo(1);
                    assertThat(fate.members(0)).isEqualTo(0b1011);
                    assertThat(fate.text()).isEqualTo("no more");
                });
    }

    private static GoldenVector fateFailed() {
        return new GoldenVector(
                "FATE, failed",
                49,
                (encoder, buffer) -> {
                    encoder.fate(buffer, 0)
                            .word(0, FateWord.FAILED, new long[0])
                            .cause()
                            .kind(AbortKind.WORKER_PANICKED)
                            .failedProcess(2)
                            .failedWorker(5)
                            .seenByProcess(2)
                            .generation(4)
                            .pid(4242)
                            .instanceNonce(17)
                            .seenAtEpochMs(1_700_000_000_000L)
                            .measuredNs(0)
                            .texts("box", "", "a / 0");
                    encoder.header().scopeId(9);
                    return encoder.end();
                },
                List.of(
                        number("process", 4),
                        number("word", 4),
                        number("cancelled by process", 4),
                        number("cancelled by worker", 4),
                        number("count of int64: all", 2),
                        number("text length", 2),
                        number("reserved", 4),
                        number("kind of cause", 4),
                        number("failed process", 4),
                        number("failed worker", 4),
                        number("seen by process", 4),
                        number("generation", 8),
                        number("pid", 8),
                        number("instance nonce", 8),
                        number("seen at, ms since 1970", 8),
                        number("measured, ns", 8),
                        number("host name length", 2),
                        number("address length", 2),
                        number("seen length", 2),
                        number("reserved", 2),
                        text("host name", 3),
                        text("seen", 5)),
                (header, buffer) -> {
                    final FateFlyweight fate = new FateFlyweight().wrap(buffer, HEADER_LENGTH, header.payloadLength());
                    assertThat(fate.process()).isZero();
                    assertThat(fate.word()).isEqualTo(FateWord.FAILED);
                    assertThat(fate.cancelledByProcess()).isEqualTo(-1);
                    assertThat(fate.memberLongs()).isZero();
                    assertThat(fate.cause().kind()).isEqualTo(AbortKind.WORKER_PANICKED);
                    assertThat(fate.cause().failedWorker()).isEqualTo(5);
                    assertThat(fate.cause().hostName()).isEqualTo("box");
                    assertThat(fate.cause().seen()).isEqualTo("a / 0");
                });
    }

    private static UnsafeBuffer opaque() {
        return new UnsafeBuffer(new byte[] {1, 2, 3, 4, 5, 6, 7, 8});
    }
}
