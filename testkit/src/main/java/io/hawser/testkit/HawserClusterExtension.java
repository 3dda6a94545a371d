package io.hawser.testkit;

import java.lang.reflect.Method;
import java.util.Optional;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * What {@link HawserCluster} stands for. A cluster is made when a method asks for it, and lives in the store of its test.
 *
 * <p><em>Threading:</em> JUnit's.
 */
final class HawserClusterExtension implements ParameterResolver, AfterEachCallback {
    private static final ExtensionContext.Namespace NAMESPACE =
            ExtensionContext.Namespace.create(HawserClusterExtension.class);

    HawserClusterExtension() {}

    /** Constructors and {@code @BeforeAll} methods belong to no test, so that nothing could be closed after it. */
    @Override
    public boolean supportsParameter(final ParameterContext parameter, final ExtensionContext context) {
        return parameter.getParameter().getType() == LoopbackCluster.class
                && parameter.getDeclaringExecutable() instanceof Method
                && context.getTestMethod().isPresent();
    }

    @Override
    public Object resolveParameter(final ParameterContext parameter, final ExtensionContext context) {
        return store(context).getOrComputeIfAbsent(LoopbackCluster.class, key -> make(wanted(context)));
    }

    @Override
    public void afterEach(final ExtensionContext context) {
        final LoopbackCluster cluster = store(context).get(LoopbackCluster.class, LoopbackCluster.class);
        if (cluster == null) {
            return;
        }
        if (context.getExecutionException().isPresent()) {
            System.out.println(context.getDisplayName() + " failed; " + cluster.describe());
        }
        cluster.close();
    }

    private static LoopbackCluster make(final HawserCluster wanted) {
        final LoopbackCluster cluster = LoopbackCluster.of(wanted.processes(), wanted.workers());
        return wanted.proxies() ? cluster.withProxies() : cluster;
    }

    /** The nearest annotation: the method's, its class's, or that of a class around it. */
    private static HawserCluster wanted(final ExtensionContext context) {
        for (Optional<ExtensionContext> at = Optional.of(context);
                at.isPresent();
                at = at.get().getParent()) {
            final Optional<HawserCluster> found =
                    AnnotationSupport.findAnnotation(at.get().getElement(), HawserCluster.class);
            if (found.isPresent()) {
                return found.get();
            }
        }
        throw new IllegalStateException("no @HawserCluster around: test=" + context.getUniqueId());
    }

    private static ExtensionContext.Store store(final ExtensionContext context) {
        return context.getStore(NAMESPACE);
    }
}
