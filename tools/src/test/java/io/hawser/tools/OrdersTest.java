package io.hawser.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 20, unit = TimeUnit.SECONDS)
class OrdersTest {
    private final Orders orders = new Orders();

    @Test
    void shouldTellWhatItWasTold() throws Exception {
        orders.accept(Orders.form(null));
        orders.awaitForm();
        assertThat(orders.stop()).isNull();
        orders.accept(Orders.form(FormingStep.STARTED));
        orders.awaitForm();
        assertThat(orders.stop()).isEqualTo(FormingStep.STARTED);
        orders.accept(Orders.go(3, null));
        assertThat(orders.awaitGo(3, () -> {})).isNull();
        final Fault fault = new Fault(Fault.Kind.PANIC, 7, 2);
        orders.accept(Orders.go(4, fault));
        assertThat(orders.awaitGo(4, () -> {})).isEqualTo(fault);
        assertThatThrownBy(() -> orders.accept("sink")).hasMessageContaining("sink");
    }

    @Test
    void shouldWaitUntilItIsTold() throws Exception {
        final Thread teller = new Thread(() -> {
            orders.accept(Orders.form(null));
            orders.accept(Orders.go(1, null));
        });
        teller.start();
        orders.awaitForm();
        assertThat(orders.awaitGo(1, () -> {})).isNull();
        teller.join();
    }

    /** Of a generation that was lost before all had formed it. */
    @Test
    void shouldLeaveTheWaitWhenWhoeverWaitsIsToStop() {
        orders.accept(Orders.go(1, null));
        assertThatThrownBy(() -> orders.awaitGo(2, () -> {
                    throw new IllegalStateException("lost");
                }))
                .hasMessage("lost");
    }
}
