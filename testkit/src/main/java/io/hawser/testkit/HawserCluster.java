package io.hawser.testkit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Gives a test, and the {@code @BeforeEach} and {@code @AfterEach} methods around it, a {@link LoopbackCluster} of its own as a parameter. It is closed after the test, which
 * fails if something of it is left then: threads, held ports, open connections. If the test fails, how its cluster stood is printed first.
 *
 * <pre>{@code
 * @Test
 * @HawserCluster(processes = 3, workers = 2)
 * void shouldCountWords(LoopbackCluster cluster) throws Exception {
 *     assertEquals(42L, cluster.run(worker -> count(worker)).values(Duration.ofSeconds(20)).get(0));
 * }
 * }</pre>
 *
 * <p>On a class it holds for each of its tests, those of nested classes included; one on a method goes before.
 *
 * <p><em>Threading:</em> tests may run at the same time, each has a cluster of its own.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
@ExtendWith(HawserClusterExtension.class)
public @interface HawserCluster {
    /**
     * How many processes it has.
     *
     * @return 1 or more
     */
    int processes() default 2;

    /**
     * How many workers each process has.
     *
     * @return 1 or more
     */
    int workers() default 1;

    /**
     * Whether a {@link FaultProxy} stands between every two processes.
     *
     * @return true for one
     */
    boolean proxies() default false;
}
