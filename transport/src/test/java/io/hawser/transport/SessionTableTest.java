package io.hawser.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.framing.CancelAnswer;
import io.hawser.framing.FrameFlags;
import io.hawser.framing.FrameType;
import io.hawser.framing.RefuseReason;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * The table of PROTOCOL.md, "A connection's life", with every event: what comes from the peer (capitals), and what comes from inside.
 *
 * <p>Cases 11 (data, heartbeat, hang-up, credit before HELLO; HELLO twice), 40 (types that have no behaviour), 63 (heartbeats at
 * every legal place), 64 (the types of later versions), 85 (an end without, or in the middle of, the hang-up; data after it).
 */
class SessionTableTest {
    /**
     * In each state: event, verdict, next state, and the frame that is polled then. A last word restricts a line to one role.
     *
     * <p>Not listed: a frame is VIOLATED, but CONTINUE in FAILED, where it is discarded; an end of stream is LOST; a late tick, the
     * silence time-out after the last byte, is SILENT; all else changes nothing.
     */
    private static final String TABLE = """
            CONNECTING
              connected    -               GREETING        HELLO      dialler
              connected    -               GREETING        -          acceptor
              lateTick     CONTINUE        CONNECTING      -
            GREETING
              HELLO        GREETED         GREETING        -          acceptor
              HELLO+REPLY  GREETED         READY           -          dialler
              REFUSE       REFUSED         FAILED          -          dialler
              refuse       -               FAILED          REFUSE     acceptor
            GREETING,HELLO_heard
              admit        -               READY           HELLO
              refuse       -               FAILED          REFUSE
            READY
              READY        PEER_READY      READY           -
              HEARTBEAT    CONTINUE        READY           -
              ABORT        ABORTED         FAILED          -
              interval     -               READY           HEARTBEAT
              readyUp      -               READY           READY
              abort        -               FAILED          ABORT
            READY,READY_sent
              READY        PEER_READY      OPEN            -
              HEARTBEAT    CONTINUE        READY           -
              ABORT        ABORTED         FAILED          -
              interval     -               READY           HEARTBEAT
              abort        -               FAILED          ABORT
            READY,READY_heard
              HEARTBEAT    CONTINUE        READY           -
              ABORT        ABORTED         FAILED          -
              interval     -               READY           HEARTBEAT
              readyUp      -               OPEN            READY
              abort        -               FAILED          ABORT
            OPEN
              DATA         DELIVER         OPEN            -
              WAIT         WAITING         OPEN            -
              NOTICE       NOTICED         OPEN            -
              FATE         FATED           OPEN            -
              CANCEL       CANCEL_ASKED    OPEN            -
              CANCELLED    CANCEL_ANSWERED OPEN            -
              START        OFFERED         OPEN            -
              ACCEPT       OFFERED         OPEN            -
              REJECT       OFFERED         OPEN            -
              GO           OFFERED         OPEN            -
              CREDIT       CONTINUE        OPEN            -
              HEARTBEAT    CONTINUE        OPEN            -
              HANGUP       PEER_HUNG_UP    HUNG_UP_REMOTE  -
              ABORT        ABORTED         FAILED          -
              interval     -               OPEN            HEARTBEAT
              hangUp       -               HUNG_UP_LOCAL   HANGUP
              abort        -               FAILED          ABORT
            HUNG_UP_LOCAL
              DATA         DELIVER         HUNG_UP_LOCAL   -
              WAIT         WAITING         HUNG_UP_LOCAL   -
              NOTICE       NOTICED         HUNG_UP_LOCAL   -
              FATE         FATED           HUNG_UP_LOCAL   -
              CANCEL       CANCEL_ASKED    HUNG_UP_LOCAL   -
              CANCELLED    CANCEL_ANSWERED HUNG_UP_LOCAL   -
              START        OFFERED         HUNG_UP_LOCAL   -
              ACCEPT       OFFERED         HUNG_UP_LOCAL   -
              REJECT       OFFERED         HUNG_UP_LOCAL   -
              GO           OFFERED         HUNG_UP_LOCAL   -
              CREDIT       CONTINUE        HUNG_UP_LOCAL   -
              HEARTBEAT    CONTINUE        HUNG_UP_LOCAL   -
              HANGUP       PEER_HUNG_UP    CLOSING         -
              ABORT        ABORTED         FAILED          -
              interval     -               HUNG_UP_LOCAL   HEARTBEAT
              abort        -               FAILED          ABORT
            HUNG_UP_REMOTE
              WAIT         WAITING         HUNG_UP_REMOTE  -
              NOTICE       NOTICED         HUNG_UP_REMOTE  -
              FATE         FATED           HUNG_UP_REMOTE  -
              CANCEL       CANCEL_ASKED    HUNG_UP_REMOTE  -
              CANCELLED    CANCEL_ANSWERED HUNG_UP_REMOTE  -
              START        OFFERED         HUNG_UP_REMOTE  -
              ACCEPT       OFFERED         HUNG_UP_REMOTE  -
              REJECT       OFFERED         HUNG_UP_REMOTE  -
              GO           OFFERED         HUNG_UP_REMOTE  -
              CREDIT       CONTINUE        HUNG_UP_REMOTE  -
              HEARTBEAT    CONTINUE        HUNG_UP_REMOTE  -
              ABORT        ABORTED         FAILED          -
              interval     -               HUNG_UP_REMOTE  HEARTBEAT
              hangUp       -               CLOSING         HANGUP
              abort        -               FAILED          ABORT
            CLOSING
              WAIT         WAITING         CLOSING         -
              NOTICE       NOTICED         CLOSING         -
              FATE         FATED           CLOSING         -
              CANCEL       CANCEL_ASKED    CLOSING         -
              CANCELLED    CANCEL_ANSWERED CLOSING         -
              START        OFFERED         CLOSING         -
              ACCEPT       OFFERED         CLOSING         -
              REJECT       OFFERED         CLOSING         -
              GO           OFFERED         CLOSING         -
              CREDIT       CONTINUE        CLOSING         -
              HEARTBEAT    CONTINUE        CLOSING         -
              CONFIRM      PEER_CONFIRMED  CLOSING         -
              ABORT        ABORTED         FAILED          -
              interval     -               CLOSING         HEARTBEAT
              confirm      -               CLOSING         CONFIRM
              abort        -               FAILED          ABORT
            CLOSING,CONFIRM_sent
              WAIT         WAITING         CLOSING         -
              NOTICE       NOTICED         CLOSING         -
              FATE         FATED           CLOSING         -
              CANCEL       CANCEL_ASKED    CLOSING         -
              CANCELLED    CANCEL_ANSWERED CLOSING         -
              START        OFFERED         CLOSING         -
              ACCEPT       OFFERED         CLOSING         -
              REJECT       OFFERED         CLOSING         -
              GO           OFFERED         CLOSING         -
              CREDIT       CONTINUE        CLOSING         -
              HEARTBEAT    CONTINUE        CLOSING         -
              CONFIRM      PEER_CONFIRMED  CLOSED          -
              ABORT        ABORTED         FAILED          -
            CLOSING,CONFIRM_heard
              end          ENDED           CLOSING         -
              lateTick     CONTINUE        CLOSING         -
              interval     -               CLOSING         HEARTBEAT
              confirm      -               CLOSED          CONFIRM
              abort        -               FAILED          ABORT
            CLOSED
              end          ENDED           CLOSED          -
              lateTick     CONTINUE        CLOSED          -
            FAILED,ABORT_sent
              FATE         FATED           FAILED          -
              HANGUP       PEER_HUNG_UP    FAILED          -
              ABORT        ABORTED         FAILED          -
              settle       -               FAILED          ABORT
            FAILED,ABORT_heard
              FATE         FATED           FAILED          -
              ABORT        ABORTED         FAILED          -
              end          ENDED           FAILED          -
              lateTick     CONTINUE        FAILED          -
              interval     -               FAILED          HEARTBEAT
              abort        -               FAILED          ABORT
            FAILED,REFUSE_heard
              end          ENDED           FAILED          -
              lateTick     CONTINUE        FAILED          -
            FAILED,REFUSE_sent
            """;

    /** Words and cancels are of a dataflow. */
    private static final long SCOPE = 9;

    private static final List<FrameType> OFFERS =
            List.of(FrameType.START, FrameType.ACCEPT, FrameType.REJECT, FrameType.GO);

    /** Events that only make sense to the owner in the states that list them. */
    private static final List<String> OWNERS_CHOICE = List.of("connected", "admit", "refuse", "abort", "settle");

    private static final List<String> EVENTS = events();

    private record Outcome(String verdict, String state, String polled) {}

    private static List<String> events() {
        List<String> events = new ArrayList<>(
                List.of("HELLO", "HELLO+REPLY", "READY", "DATA", "NOTICE", "WAIT", "CREDIT", "HEARTBEAT"));
        events.addAll(List.of("HANGUP", "CONFIRM", "ABORT", "REFUSE", "FATE", "CANCEL", "CANCELLED"));
        OFFERS.forEach(type -> events.add(type.name()));
        events.addAll(List.of("end", "earlyTick", "lateTick", "interval", "readyUp", "hangUp", "hangUpLater"));
        events.addAll(List.of("confirm", "shut"));
        events.addAll(OWNERS_CHOICE);
        return events;
    }

    @TestFactory
    Stream<DynamicTest> shouldAnswerAsTheTableSaysInEveryStateAndRole() {
        return table().entrySet().stream()
                .flatMap(block -> Stream.of(Session.Role.values())
                        .filter(role -> canBe(block.getKey(), role))
                        .map(role -> DynamicTest.dynamicTest(
                                block.getKey() + " " + role,
                                () -> EVENTS.forEach(event -> check(block.getKey(), role, event, block.getValue())))));
    }

    @Test
    void shouldHaveEveryStateInTheTable() {
        List<String> listed = table().keySet().stream()
                .map(SessionTableTest::stateOf)
                .distinct()
                .toList();
        assertThat(listed)
                .containsExactly(
                        Stream.of(Session.State.values()).map(Enum::name).toArray(String[]::new));
        assertThat(EVENTS)
                .containsAll(Stream.of(FrameType.values()).map(Enum::name).toList());
        table().values()
                .forEach(lines -> assertThat(EVENTS)
                        .containsAll(lines.stream().map(line -> line[0]).toList()));
    }

    private static boolean canBe(String state, Session.Role role) {
        return switch (state) {
            case "GREETING,HELLO_heard", "FAILED,REFUSE_sent" -> role == Session.Role.ACCEPTOR;
            case "FAILED,REFUSE_heard" -> role == Session.Role.DIALLER;
            default -> true;
        };
    }

    private static String stateOf(String block) {
        return block.split(",")[0];
    }

    private static Map<String, List<String[]>> table() {
        Map<String, List<String[]>> blocks = new LinkedHashMap<>();
        List<String[]> lines = null;
        for (String line : TABLE.lines().toList()) {
            if (line.startsWith(" ")) {
                lines.add(line.strip().split(" +"));
            } else {
                lines = new ArrayList<>();
                blocks.put(line, lines);
            }
        }
        return blocks;
    }

    private static void check(String block, Session.Role role, String event, List<String[]> lines) {
        Outcome expected = expected(block, role, event, lines);
        if (expected == null) {
            return;
        }
        ScriptedPeer peer = peerIn(block, role);
        assertThat(peer.session().state()).as(block).hasToString(stateOf(block));
        Session.Verdict verdict = happen(peer, event);
        FrameType polled =
                event.endsWith("Tick") || event.equals("end") ? null : peer.poll(!event.equals("hangUpLater"));
        Outcome actual = new Outcome(
                verdict == null ? "-" : verdict.name(), peer.session().state().name(), nameOf(polled, peer));
        assertThat(actual).as("%s as %s: %s", block, role, event).isEqualTo(expected);
        if (verdict == Session.Verdict.VIOLATED) {
            assertThat(peer.session().violation()).isNotEmpty();
            assertThat(peer.scope(0).sendHeartbeat()).as("after a violation").isEqualTo(Session.Verdict.VIOLATED);
        }
    }

    private static Outcome expected(String block, Session.Role role, String event, List<String[]> lines) {
        for (String[] line : lines) {
            boolean isForRole = line.length < 5 || line[4].equalsIgnoreCase(role.name());
            if (line[0].equals(event) && isForRole) {
                return new Outcome(line[1], line[2], line[3]);
            }
        }
        String state = stateOf(block);
        if (event.equals("end")) {
            return new Outcome("LOST", state, "-");
        }
        if (event.equals("lateTick")) {
            return new Outcome("SILENT", state, "-");
        }
        if (event.equals("earlyTick")) {
            return new Outcome("CONTINUE", state, "-");
        }
        if (Character.isUpperCase(event.charAt(0))) {
            return new Outcome(state.equals("FAILED") ? "CONTINUE" : "VIOLATED", state, "-");
        }
        return OWNERS_CHOICE.contains(event) ? null : new Outcome("-", state, "-");
    }

    private static String nameOf(FrameType polled, ScriptedPeer peer) {
        if (polled == null) {
            return "-";
        }
        return peer.polledHeader().hasFlags(FrameFlags.CONFIRM) ? "CONFIRM" : polled.name();
    }

    private static ScriptedPeer peerIn(String block, Session.Role role) {
        ScriptedPeer peer = new ScriptedPeer(role, 1_000);
        Session session = peer.session();
        switch (block) {
            case "CONNECTING" -> {
                // as it is made
            }
            case "GREETING" -> {
                peer.connected();
                assertThat(peer.poll()).isEqualTo(role == Session.Role.DIALLER ? FrameType.HELLO : null);
            }
            case "GREETING,HELLO_heard" -> peer.connected().sendHello();
            case "READY" -> peer.greeted();
            case "READY,READY_sent" -> request(peer.greeted(), session::readyUp);
            case "READY,READY_heard" -> peer.greeted().sendReady();
            case "OPEN" -> peer.open();
            case "HUNG_UP_LOCAL" -> request(peer.open(), session::hangUp);
            case "HUNG_UP_REMOTE" -> peer.open().sendHangUp();
            case "CLOSING" -> closing(peer);
            case "CLOSING,CONFIRM_sent" -> request(closing(peer), session::confirm);
            case "CLOSING,CONFIRM_heard" -> closing(peer).sendConfirm();
            case "CLOSED" -> {
                request(closing(peer), session::confirm);
                peer.sendConfirm();
            }
            case "FAILED,ABORT_sent" -> request(peer.open(), () -> session.abort(ScriptedPeer.cause(2, 2_000)));
            case "FAILED,ABORT_heard" -> peer.open().sendAbort();
            case "FAILED,REFUSE_heard" -> {
                peer.connected().poll();
                peer.sendRefuse(RefuseReason.BUSY, 1);
            }
            case "FAILED,REFUSE_sent" -> {
                peer.connected().sendHello();
                request(peer, () -> session.refuse(new Refusal(RefuseReason.BUSY, 1, "busy")));
            }
            default -> throw new AssertionError(block);
        }
        return peer;
    }

    private static ScriptedPeer closing(ScriptedPeer peer) {
        request(peer.open(), peer.session()::hangUp);
        peer.sendHangUp();
        return peer;
    }

    private static void request(ScriptedPeer peer, Runnable request) {
        request.run();
        assertThat(peer.poll()).isNotNull();
    }

    private static Session.Verdict happen(ScriptedPeer peer, String event) {
        return Character.isUpperCase(event.charAt(0)) ? arrive(peer, event) : happenInside(peer, event);
    }

    private static Session.Verdict arrive(ScriptedPeer peer, String event) {
        return switch (event) {
            case "HELLO" -> peer.sendHello(false);
            case "HELLO+REPLY" -> peer.sendHello(true);
            case "READY" -> peer.sendReady();
            case "DATA" -> peer.sendData(10);
            case "NOTICE" -> peer.sendNotice();
            case "WAIT" -> peer.sendWait();
            case "CREDIT" -> peer.sendCredit();
            case "HEARTBEAT" -> peer.sendHeartbeat();
            case "HANGUP" -> peer.sendHangUp();
            case "CONFIRM" -> peer.sendConfirm();
            case "ABORT" -> peer.sendAbort();
            case "REFUSE" -> peer.sendRefuse(RefuseReason.BUSY, 1);
            case "FATE" ->
                peer.scope(SCOPE).sendFate(ScopeWord.completed(peer.hello().processIndex()));
            case "CANCEL" -> peer.scope(SCOPE).sendCancel();
            case "CANCELLED" -> peer.scope(SCOPE).sendCancelled(CancelAnswer.CANCELLED, 0);
            default -> peer.scope(SCOPE).sendOffer(FrameType.valueOf(event));
        };
    }

    private static Session.Verdict happenInside(ScriptedPeer peer, String event) {
        Session session = peer.session();
        switch (event) {
            case "end" -> {
                return session.onEndOfStream();
            }
            case "earlyTick" -> {
                return session.onTick(peer.nowNs() + Hellos.TIMEOUT_NS - 1);
            }
            case "lateTick" -> {
                return session.onTick(peer.nowNs() + Hellos.TIMEOUT_NS);
            }
            case "connected" -> session.onConnected(peer.nowNs());
            case "admit" -> session.admit(session.own());
            case "refuse" -> session.refuse(new Refusal(RefuseReason.BUSY, 1, "busy"));
            case "interval" -> peer.advance(Hellos.INTERVAL_NS);
            case "readyUp" -> session.readyUp();
            case "hangUp", "hangUpLater" -> session.hangUp();
            case "confirm" -> session.confirm();
            case "abort" -> session.abort(ScriptedPeer.cause(2, 2_000));
            case "settle" -> session.settle(ScriptedPeer.cause(2, 1_999), ScriptedPeer.cause(2, 1_999));
            case "shut" -> session.shut();
            default -> throw new AssertionError(event);
        }
        return null;
    }
}
