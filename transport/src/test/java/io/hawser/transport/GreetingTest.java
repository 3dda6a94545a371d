package io.hawser.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.framing.HelloFlyweight;
import io.hawser.framing.RefuseReason;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who is one of us: pure judgements of a HELLO, with texts that name both sides' values (cases 17, 21, 22, 23). */
class GreetingTest {
    private static final Session.Role DIALLER = Session.Role.DIALLER;
    private static final Session.Role ACCEPTOR = Session.Role.ACCEPTOR;

    /** Process 1 of three: it dials process 0, and is dialled by process 2. */
    private static Refusal judge(Session.Role role, UnaryOperator<Hellos.Spoken> change) {
        int other = role == DIALLER ? 0 : 2;
        Hello own = Hellos.of(1).to(role == DIALLER ? 0 : -1);
        return Greeting.judgeIdentity(own, change.apply(Hellos.spoken(other, 1)).hello(), role);
    }

    private static void assertRefused(Refusal refusal, RefuseReason reason, String... words) {
        assertThat(refusal).isNotNull();
        assertThat(refusal.reason()).isEqualTo(reason);
        assertThat(refusal.generation()).isEqualTo(Hellos.GENERATION);
        assertThat(refusal.text()).contains(words);
    }

    @Test
    void shouldWelcomeAPeerThatAgrees() {
        assertThat(judge(DIALLER, hello -> hello)).isNull();
        assertThat(judge(ACCEPTOR, hello -> hello)).isNull();
        assertThat(Greeting.judgeSettings(Hellos.of(1), Hellos.of(2))).isNull();
    }

    /** Case 23. */
    @ParameterizedTest
    @CsvSource({"0", "2", "65535"})
    void shouldRefuseWhenVersionsDoNotOverlap(int version) {
        for (Session.Role role : Session.Role.values()) {
            assertRefused(
                    judge(role, hello -> hello.version(version)),
                    RefuseReason.VERSION,
                    "own=1..1",
                    "peer=" + version + ".." + version);
        }
    }

    /** Case 22: both cluster ids, and the likely cause. */
    @Test
    void shouldRefuseWhenItIsAnotherCluster() {
        for (Session.Role role : Session.Role.values()) {
            assertRefused(
                    judge(role, hello -> hello.cluster("cables")),
                    RefuseReason.CLUSTER,
                    "has clusterId=ropes",
                    "has clusterId=cables",
                    "address or a port");
            assertRefused(judge(role, hello -> hello.cluster("Ropes")), RefuseReason.CLUSTER, "clusterId=Ropes");
        }
    }

    /** Case 17: an address that leads to ourselves. */
    @Test
    void shouldRefuseWhenThePeerHasOurIndex() {
        for (Session.Role role : Session.Role.values()) {
            assertRefused(
                    judge(role, hello -> hello.by(1)), RefuseReason.INDEX, "processIndex=1", "pid=4701", "leads back");
        }
    }

    @ParameterizedTest
    @CsvSource({"-1", "3", "2147483647"})
    void shouldRefuseWhenTheIndexIsOutsideOfTheCluster(int index) {
        for (Session.Role role : Session.Role.values()) {
            assertRefused(
                    judge(role, hello -> hello.by(index)),
                    RefuseReason.INDEX,
                    "processIndex=" + index,
                    "processCount=3");
        }
    }

    /** Case 17: expected against got, and both addresses. */
    @Test
    void shouldRefuseWhenThePeerMeantSomebodyElse() {
        for (Session.Role role : Session.Role.values()) {
            assertRefused(
                    judge(role, hello -> hello.to(0)),
                    RefuseReason.INDEX,
                    "expected process 0 here but this is process 1",
                    "10.0.0.1:7000",
                    "compare the order of the addresses");
        }
    }

    @Test
    void shouldRefuseWhenAnotherProcessAnswersThanTheOneDialled() {
        assertRefused(
                judge(DIALLER, hello -> hello.by(2)),
                RefuseReason.INDEX,
                "expected process 0 but process 2 at 10.0.0.2:7000 answered");
    }

    @Test
    void shouldRefuseWhenALowerIndexDials() {
        assertRefused(
                judge(ACCEPTOR, hello -> hello.by(0)),
                RefuseReason.INDEX,
                "process 0 dialled process 1",
                "the higher index dials the lower");
    }

    @ParameterizedTest
    @CsvSource({"4, 2", "3, 1", "2, 3"})
    void shouldRefuseWhenTheShapeDiffers(int processes, int workers) {
        assertRefused(
                Greeting.judgeSettings(
                        Hellos.of(1),
                        Hellos.spoken(2, 1).shape(processes, workers).hello()),
                RefuseReason.SHAPE,
                "has processCount=3 workersPerProcess=2",
                "has processCount=" + processes + " workersPerProcess=" + workers);
    }

    @ParameterizedTest
    @CsvSource({"100000001, 500000000", "100000000, 499999999"})
    void shouldRefuseWhenTheLivenessSettingsDiffer(long intervalNs, long timeoutNs) {
        assertRefused(
                Greeting.judgeSettings(
                        Hellos.of(1),
                        Hellos.spoken(2, 1).settings(intervalNs, timeoutNs).hello()),
                RefuseReason.SETTINGS,
                "has heartbeatIntervalNs=100000000 silenceTimeoutNs=500000000",
                "has heartbeatIntervalNs=" + intervalNs + " silenceTimeoutNs=" + timeoutNs);
    }

    /** The least is one channel: two workers on either side and one lane for both, each of 4 KiB and what broadcasts are charged. */
    @ParameterizedTest
    @CsvSource({"5112, 30720", "5120, 30719", "1, 1", "9223372036854775807, 6291455"})
    void shouldRefuseWhenTheWindowsHoldNoChannelTogether(long channelWindow, long linkWindow) {
        assertRefused(
                Greeting.judgeSettings(
                        Hellos.of(1),
                        Hellos.spoken(2, 1).windows(channelWindow, linkWindow).hello()),
                RefuseReason.SETTINGS,
                "process 1 has channelWindow=1048576 linkWindow=25165824",
                "process 2 has channelWindow=" + channelWindow + " linkWindow=" + linkWindow);
    }

    @ParameterizedTest
    @CsvSource({"9223372036854775807, 9223372036854775807", "9223372036854775807, 6291456", "1048576, 6291456"})
    void shouldTakeTheSmallerOfTheWindows(long channelWindow, long linkWindow) {
        Hello own = Hellos.of(1);
        Hello theirs = Hellos.spoken(2, 1).windows(channelWindow, linkWindow).hello();
        assertThat(Greeting.judgeSettings(own, theirs)).isNull();
        assertThat(Lanes.channelWindow(own, theirs)).isEqualTo(1 << 20);
        assertThat(Lanes.laneLimit(own, theirs)).isEqualTo(linkWindow == 6_291_456 ? 3 : 12);
        assertThat(Lanes.laneLimit(theirs, own)).isEqualTo(Lanes.laneLimit(own, theirs));
    }

    /** One side means a mesh, the other one a link: both would wait for ever for what the other does not do. */
    @Test
    void shouldRefuseALinkWhereAMeshIsAndTheOtherWayRound() {
        Hello mesh = Hellos.spoken(1, 0).hello();
        Hello link = Hellos.spoken(0, 1).mode(HelloFlyweight.MODE_LINK).hello();
        assertThat(Greeting.judgeIdentity(mesh, link, Session.Role.DIALLER).reason())
                .isEqualTo(RefuseReason.SHAPE);
        assertThat(Greeting.judgeIdentity(mesh, link, Session.Role.DIALLER).text())
                .contains("belongs to a mesh");
        assertThat(Greeting.judgeIdentity(link, mesh, ACCEPTOR).text()).contains("has links of their own");
    }

    @Test
    void shouldNotMindWindowsLimitsAndChecksThatDiffer() {
        Hello own = Hellos.of(1);
        Hello other = new Hello(
                1,
                9,
                own.mode(),
                7,
                5,
                2,
                3,
                2,
                1,
                9,
                own.heartbeatIntervalNs(),
                own.silenceTimeoutNs(),
                5_120,
                3 * 2 * 5_120,
                1,
                1_024,
                false,
                Former.NONE,
                "ropes",
                "",
                "");
        assertThat(Greeting.judgeIdentity(own, other, ACCEPTOR)).isNull();
        assertThat(Greeting.judgeSettings(own, other)).isNull();
    }
}
