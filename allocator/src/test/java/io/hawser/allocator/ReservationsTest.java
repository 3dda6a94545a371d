package io.hawser.allocator;

import static io.hawser.allocator.StartRequests.WORKERS;
import static io.hawser.allocator.StartRequests.plan;
import static io.hawser.allocator.StartRequests.start;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** L9: before go-ahead nothing has happened. Cases 32, 34. */
class ReservationsTest {
    private static final long HOLD_NS = 1_000;
    private static final int LIMIT = 3;

    private final CapacityModel capacity = new CapacityModel(100, Duration.ofMillis(7));
    private final ReservationLog log = new ReservationLog();
    private final Reservations reservations = new Reservations(capacity, log, WORKERS, LIMIT, HOLD_NS);

    @Test
    void shouldStartOnceWhenGoFollowsAccept() {
        reservations.onStart(start(1, 5, 11, 2), 0);
        assertThat(capacity.reservationsOpen()).isOne();
        assertThat(capacity.permitsFree()).isEqualTo(98);
        go(1, 5, 11, 999);
        assertThat(log.take()).containsExactly("accept 1/5/11 1000", "start 11");
        assertThat(log.started.get(0).plan().getStringWithoutLengthUtf8(0, 4)).isEqualTo("plan");
        assertThat(capacity.tasksRunning()).isOne();
        assertThat(capacity.reservationsOpen()).isZero();

        go(1, 5, 11, 999);
        assertThat(log.take())
                .containsExactly("reject 1/5/11 NEVER 0 nothing has run: it has had its go-ahead already");
        reservations.onTaskEnded(1, 11);
        reservations.onTaskEnded(1, 11);
        go(1, 5, 11, 999);
        assertThat(log.take()).containsExactly("reject 1/5/11 NEVER 0 nothing has run: its task has run already");
        assertThat(log.started).hasSize(1);
        assertNothingIsHeld();
    }

    /** Case 34: GO for an unknown id. */
    @Test
    void shouldRefuseGoWhenNothingIsReserved() {
        go(1, 5, 11, 0);
        assertThat(log.take()).containsExactly("reject 1/5/11 NEVER 0 nothing has run: no such reservation");
        reservations.onStart(start(1, 5, 12, 1), 0);
        log.take();
        go(2, 5, 12, 0);
        go(1, 6, 12, 0);
        assertThat(log.take())
                .containsExactly(
                        "reject 2/5/12 NEVER 0 nothing has run: no such reservation",
                        "reject 1/6/12 NEVER 0 nothing has run: no such reservation");
        assertThat(reservations.openCount()).isOne();
        assertThat(log.started).isEmpty();
    }

    @Test
    void shouldRefuseGoWhenTheReservationHasExpired() {
        reservations.onStart(start(1, 5, 11, 2), -10);
        log.take();
        go(1, 5, 11, HOLD_NS - 10);
        assertThat(log.take())
                .containsExactly("reject 1/5/11 NEVER 0 nothing has run: the reservation has expired: holdNs=1000");
        assertNothingIsHeld();
    }

    @Test
    void shouldExpireInOrderWhenTimePassesAndOverflows() {
        final long nowNs = Long.MAX_VALUE - 400;
        reservations.onStart(start(1, 5, 11, 2), nowNs);
        reservations.onStart(start(1, 5, 12, 2), nowNs + 500);
        reservations.tick(nowNs + HOLD_NS - 1);
        assertThat(reservations.openCount()).isEqualTo(2);
        reservations.tick(nowNs + HOLD_NS);
        assertThat(reservations.openCount()).isOne();
        reservations.tick(nowNs + HOLD_NS + 500);
        assertNothingIsHeld();
    }

    @Test
    void shouldRefuseGoWhenItsPlanCannotBeRead() {
        reservations.onStart(start(1, 5, 11, 2), 0);
        log.take();
        reservations.onGo(1, 5, 11, new UnsafeBuffer(new byte[12]), 0, 12, 0);
        assertThat(log.take())
                .containsExactly("reject 1/5/11 NEVER 0 nothing has run: its go-ahead could not be read: length=12");
        assertNothingIsHeld();
    }

    @Test
    void shouldAnswerTheSameWhenAskedTwice() {
        reservations.onStart(start(1, 5, 11, 2), 0);
        reservations.onStart(start(1, 5, 11, 2), 400);
        assertThat(log.take()).containsExactly("accept 1/5/11 1000", "accept 1/5/11 600");
        assertThat(capacity.permitsFree()).isEqualTo(98);

        reservations.onStart(start(1, 5, 12, 99), 400);
        final List<String> rejected = log.take();
        reservations.onRelease(1, 5, 11, 400);
        log.take();
        reservations.onStart(start(1, 5, 12, 99), 400);
        assertThat(log.take()).isEqualTo(rejected);
        reservations.onStart(start(1, 5, 11, 2), 400);
        assertThat(log.take()).containsExactly("reject 1/5/11 NEVER 0 the reservation was released");
        assertNothingIsHeld();
    }

    @Test
    void shouldAnswerEachReleaseWhenItComesEarlyLateOrTwice() {
        reservations.onRelease(1, 5, 11, 0);
        reservations.onStart(start(1, 5, 11, 2), 0);
        reservations.onRelease(1, 6, 11, 0);
        reservations.onRelease(1, 5, 11, 0);
        reservations.onRelease(1, 5, 11, 0);
        reservations.onStart(start(1, 5, 12, 2), 0);
        go(1, 5, 12, 0);
        reservations.onRelease(1, 5, 12, 0);
        assertThat(log.take())
                .containsExactly(
                        "cancelled 1/5/11 UNKNOWN",
                        "accept 1/5/11 1000",
                        "cancelled 1/6/11 UNKNOWN",
                        "cancelled 1/5/11 CANCELLED",
                        "cancelled 1/5/11 ALREADY_DONE",
                        "accept 1/5/12 1000",
                        "start 12",
                        "cancelled 1/5/12 ALREADY_DONE");
        assertThat(capacity.tasksRunning()).isOne();
    }

    @Test
    void shouldRejectLaterHereWhenAsManyAreOpenAsMayBe() {
        final Reservations slow = new Reservations(capacity, log, WORKERS, 1, 5_000_000);
        slow.onStart(start(1, 5, 11, 1), 0);
        slow.onStart(start(1, 5, 12, 1), 1_500_000);
        assertThat(log.take())
                .containsExactly(
                        "accept 1/5/11 5000000",
                        "reject 1/5/12 LATER_HERE 4 as many reservations are open as may be: openLimit=1");
        assertThat(capacity.reservationsOpen()).isOne();
    }

    /** Case 34. */
    @Test
    void shouldFreeAllWhenTheAskingProcessIsLostCase34() {
        final CapacityModel large = new CapacityModel(20_000, Duration.ZERO);
        final Reservations many = new Reservations(large, log, WORKERS, 10_001, HOLD_NS);
        many.onStart(start(2, 6, 1, 1), 0);
        for (int attempt = 1; attempt <= 10_000; attempt++) {
            many.onStart(start(1, 5, attempt, 1), 0);
        }
        assertThat(many.openCount()).isEqualTo(10_001);
        assertThat(large.permitsFree()).isEqualTo(9_999);
        assertThat(many.onProcessLost(1)).isEqualTo(10_000);
        assertThat(many.openCount()).isOne();
        assertThat(large.permitsFree()).isEqualTo(19_999);
        log.take();
        many.onGo(1, 5, 77_777, plan("plan"), 0, plan("plan").capacity(), 0);
        many.onGo(1, 5, 1, plan("plan"), 0, plan("plan").capacity(), 0);
        many.onGo(1, 5, 10_000, plan("plan"), 0, plan("plan").capacity(), 0);
        assertThat(log.take())
                .containsExactly(
                        "reject 1/5/77777 NEVER 0 nothing has run: no such reservation",
                        "reject 1/5/1 NEVER 0 nothing has run: no such reservation", // forgotten by now
                        "reject 1/5/10000 NEVER 0 nothing has run: the asking process is lost");
        many.tick(HOLD_NS);
        assertThat(many.openCount()).isZero();
        assertThat(large.permitsFree()).isEqualTo(20_000);
        assertThat(log.started).isEmpty();
    }

    @Test
    void shouldLetTasksRunWhenTheAskingProcessIsLost() {
        reservations.onStart(start(1, 5, 11, 2), 0);
        go(1, 5, 11, 0);
        assertThat(reservations.onProcessLost(1)).isZero();
        assertThat(capacity.tasksRunning()).isOne();
    }

    @Test
    void shouldRejectAllOfADataflowWhenItIsCancelled() {
        reservations.onStart(start(1, 5, 11, 2), 0);
        reservations.onStart(start(1, 6, 12, 2), 0);
        assertThat(reservations.onDataflowCancelled(5, "too dear")).isOne();
        log.take();
        go(1, 5, 11, 0);
        reservations.onStart(start(1, 5, 13, 2), 0);
        go(1, 5, 14, 0);
        assertThat(log.take())
                .containsExactly(
                        "reject 1/5/11 NEVER 0 nothing has run: the dataflow was cancelled: too dear",
                        "reject 1/5/13 NEVER 0 the dataflow was cancelled: too dear",
                        "reject 1/5/14 NEVER 0 nothing has run: the dataflow was cancelled: too dear");
        assertThat(reservations.openCount()).isOne();
        assertThat(capacity.permitsFree()).isEqualTo(98);
    }

    @Test
    void shouldFinishWhatItHasAcceptedWhenItDrains() {
        reservations.onStart(start(1, 5, 11, 2), 0);
        reservations.drain();
        reservations.onStart(start(1, 5, 12, 2), 0);
        assertThat(reservations.isDrained()).isFalse();
        go(1, 5, 11, 0);
        assertThat(reservations.isDrained()).isFalse();
        reservations.onTaskEnded(1, 11);
        assertThat(reservations.isDrained()).isTrue();
        assertThat(log.take())
                .containsExactly(
                        "accept 1/5/11 1000",
                        "reject 1/5/12 ELSEWHERE 0 this process leaves and takes no new work",
                        "start 11");
    }

    /** L4: the same handler may serve the next generation. */
    @Test
    void shouldHoldNothingWhenTheClusterHasEnded() {
        reservations.onStart(start(1, 5, 11, 2), 0);
        reservations.onStart(start(1, 5, 12, 2), 0);
        go(1, 5, 11, 0);
        reservations.close();
        reservations.close();
        assertNothingIsHeld();
        reservations.onStart(start(1, 5, 13, 2), 0);
        reservations.onTaskEnded(1, 11);
        assertNothingIsHeld();
    }

    @Test
    void shouldRejectForGoodWhenTheQuestionCannotBe() {
        reservations.onStart(start(1, 0, 11, 2), 0);
        reservations.onStart(start(1, 5, 0, 2), 0);
        reservations.onStart(start(1, 5, 11, -1), 0);
        assertThat(log.take()).hasSize(3).allMatch(line -> line.contains(" NEVER 0 this asks for nothing that can be"));
    }

    /** Case 32: no code of the user's has run, and the answer is typed. */
    @Test
    void shouldRejectElsewhereWhenTheHandlerThrowsOrGivesNoAnswerCase32() {
        final AdmissionHandler broken = request -> {
            if (request.attemptId() == 11) {
                throw new IllegalStateException("out of order");
            }
            return null;
        };
        final Reservations open = new Reservations(broken, log, WORKERS, LIMIT, HOLD_NS);
        open.onStart(start(1, 5, 11, 1), 0);
        open.onStart(start(1, 5, 12, 1), 0);
        assertThat(log.take())
                .containsExactly(
                        "reject 1/5/11 ELSEWHERE 0 the admission handler failed: java.lang.IllegalStateException: out of order",
                        "reject 1/5/12 ELSEWHERE 0 the admission handler gave no answer");
        assertThat(open.openCount()).isZero();
    }

    @Test
    void shouldGoOnWhenTheHandlerThrowsAfterAccepting() {
        final List<String> calls = new ArrayList<>();
        final AdmissionHandler broken = new AdmissionHandler() {
            @Override
            public Admission onStart(final StartRequest request) {
                return Admission.accept();
            }

            @Override
            public void onGo(final StartRequest request) {
                calls.add("go");
                throw new IllegalStateException("out of order");
            }

            @Override
            public void onEnd(final StartRequest request, final boolean hasBegun) {
                calls.add("end " + hasBegun);
                throw new IllegalStateException("out of order");
            }
        };
        final Reservations open = new Reservations(broken, log, WORKERS, LIMIT, HOLD_NS);
        open.onStart(start(1, 5, 11, 1), 0);
        final DirectBuffer plan = plan("plan");
        open.onGo(1, 5, 11, plan, 0, plan.capacity(), 0);
        open.onTaskEnded(1, 11);
        open.onStart(start(1, 5, 12, 1), 0);
        open.tick(HOLD_NS);
        assertThat(calls).containsExactly("go", "end true", "end false");
        assertThat(log.started).hasSize(1);
    }

    @Test
    void shouldNotBeMadeWithoutLimits() {
        assertThatThrownBy(() -> new Reservations(capacity, log, WORKERS, 0, HOLD_NS))
                .hasMessageEndingWith("openLimit=0 holdNs=1000");
        assertThatThrownBy(() -> new Reservations(capacity, log, WORKERS, 1, 0)).hasMessageEndingWith("holdNs=0");
    }

    private void go(final int askingProcess, final long dataflowId, final long attemptId, final long nowNs) {
        final DirectBuffer plan = plan("plan");
        reservations.onGo(askingProcess, dataflowId, attemptId, plan, 0, plan.capacity(), nowNs);
    }

    private void assertNothingIsHeld() {
        assertThat(reservations.openCount()).isZero();
        assertThat(reservations.runningCount()).isZero();
        assertThat(capacity.permitsFree()).isEqualTo(100);
        assertThat(capacity.reservationsOpen()).isZero();
        assertThat(capacity.tasksRunning()).isZero();
    }
}
