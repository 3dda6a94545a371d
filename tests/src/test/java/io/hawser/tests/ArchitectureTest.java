package io.hawser.tests;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaConstructorCall;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The walls between the modules, and between them and everybody else's code. Rules hold of production classes only, and
 * accept a package that is still empty.
 */
class ArchitectureTest {
    private static final String FRAMING = "io.hawser.framing..";
    private static final String FATE = "io.hawser.fate..";
    private static final String TRANSPORT = "io.hawser.transport..";
    private static final String ALLOCATOR = "io.hawser.allocator..";
    private static final String SPILL = "io.hawser.spill..";
    private static final String TESTKIT = "io.hawser.testkit..";
    private static final String TOOLS = "io.hawser.tools..";
    private static final String EXAMPLES = "io.hawser.examples..";

    /** The classes that bring clock, randomness and threads in from outside; all others are handed them. */
    private static final Set<String> OUTSIDE_WORLD = Set.of("io.hawser.fate.SystemClock", "io.hawser.transport.Nonce");

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.hawser");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "io.hawser.framing",
                "io.hawser.fate",
                "io.hawser.transport",
                "io.hawser.allocator",
                "io.hawser.spill",
                "io.hawser.testkit",
                "io.hawser.tools",
                "io.hawser.examples"
            })
    void shouldSeeEveryModule(final String name) {
        assertThat(CLASSES.containPackage(name)).as("package=%s", name).isTrue();
    }

    @Test
    void shouldKeepModulesInLayers() {
        check(layeredArchitecture()
                .consideringOnlyDependenciesInLayers()
                .withOptionalLayers(true)
                .layer("framing")
                .definedBy(FRAMING)
                .layer("fate")
                .definedBy(FATE)
                .layer("transport")
                .definedBy(TRANSPORT)
                .layer("allocator")
                .definedBy(ALLOCATOR)
                .layer("spill")
                .definedBy(SPILL)
                .layer("testkit")
                .definedBy(TESTKIT)
                .layer("tools")
                .definedBy(TOOLS)
                .layer("examples")
                .definedBy(EXAMPLES)
                .whereLayer("framing")
                .mayOnlyBeAccessedByLayers("transport", "allocator", "testkit", "tools")
                .whereLayer("fate")
                .mayOnlyBeAccessedByLayers("transport", "allocator", "testkit", "tools", "examples")
                .whereLayer("transport")
                .mayOnlyBeAccessedByLayers("allocator", "spill", "testkit", "tools", "examples")
                .whereLayer("allocator")
                .mayOnlyBeAccessedByLayers("spill", "testkit", "tools", "examples")
                .whereLayer("spill")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("testkit")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("tools")
                .mayOnlyBeAccessedByLayers("examples")
                .whereLayer("examples")
                .mayNotBeAccessedByAnyLayer());
    }

    @Test
    void shouldHaveNoCycleBetweenPackages() {
        check(slices().assignedFrom(new PackageWithItsInternals()).should().beFreeOfCycles());
    }

    @ParameterizedTest
    @ValueSource(strings = {"io.hawser.transport", "io.hawser.allocator"})
    void shouldHideInternalsFromOtherModules(final String name) {
        check(noClasses()
                .that()
                .resideOutsideOfPackage(name + "..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage(name + ".internal.."));
    }

    @Test
    void shouldKnowOnlyAgronaInFraming() {
        check(classes()
                .that()
                .resideInAPackage(FRAMING)
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(FRAMING, "java..", "org.agrona.."));
    }

    @Test
    void shouldKnowNoSocketThreadOrClockInFraming() {
        check(noClasses()
                .that()
                .resideInAPackage(FRAMING)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("java.net..", "java.nio.channels..", "java.time..")
                .orShould()
                .dependOnClassesThat(describe("are threads or executors", ArchitectureTest::isThreadOrExecutor))
                .orShould()
                .accessTargetWhere(readsClock()));
    }

    @Test
    void shouldKnowOnlyLoggingInFate() {
        check(classes()
                .that()
                .resideInAPackage(FATE)
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(FATE, "java..", "org.slf4j.."));
    }

    @Test
    void shouldKnowNoSocketInFate() {
        check(noClasses()
                .that()
                .resideInAPackage(FATE)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("java.net..", "java.nio.channels..", "org.agrona..", FRAMING));
    }

    @Test
    void shouldKnowOnlyAgronaAndLoggingInTransportAndAllocator() {
        check(classes()
                .that()
                .resideInAnyPackage(TRANSPORT, ALLOCATOR)
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage("io.hawser..", "java..", "jdk.net..", "org.agrona..", "org.slf4j.."));
    }

    @Test
    void shouldKnowOnlyAgronaAndChronicleInSpill() {
        check(classes()
                .that()
                .resideInAPackage(SPILL)
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        SPILL,
                        ALLOCATOR,
                        "io.hawser.transport",
                        "java..",
                        "org.agrona..",
                        "net.openhft.chronicle.bytes",
                        "net.openhft.chronicle.core.."));
    }

    @Test
    void shouldKnowChronicleInSpillOnly() {
        check(noClasses()
                .that()
                .resideOutsideOfPackage(SPILL)
                .should()
                .dependOnClassesThat()
                .resideInAPackage("net.openhft.."));
    }

    @Test
    void shouldKnowOnlyAgronaAndJUnitInTestkit() {
        check(classes()
                .that()
                .resideInAPackage(TESTKIT)
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        TESTKIT,
                        ALLOCATOR,
                        "io.hawser.transport",
                        FATE,
                        FRAMING,
                        "java..",
                        "org.agrona..",
                        "org.junit.jupiter.api..",
                        "org.junit.platform.commons.."));
    }

    /** What an engine ships must not drag in what it is tested with. */
    @Test
    void shouldKnowTestkitAndJUnitInTestkitOnly() {
        check(noClasses()
                .that()
                .resideOutsideOfPackage(TESTKIT)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(TESTKIT, "org.junit.."));
    }

    @Test
    void shouldTakeClockFromOutside() {
        check(noClasses().that(areHandedTheWorld()).should().accessTargetWhere(readsClock()));
    }

    @Test
    void shouldTakeRandomnessFromOutside() {
        check(noClasses().that(areHandedTheWorld()).should().accessTargetWhere(drawsRandomness()));
    }

    private static void check(final ArchRule rule) {
        rule.allowEmptyShould(true).check(CLASSES);
    }

    private static boolean isThreadOrExecutor(final JavaClass type) {
        return type.isAssignableTo(Thread.class)
                || type.isAssignableTo("java.util.concurrent.Executor")
                || type.isEquivalentTo(java.util.concurrent.Executors.class);
    }

    private static DescribedPredicate<JavaClass> areHandedTheWorld() {
        return describe("belong to the library and are not of the outside world", type -> {
            final boolean isLibrary =
                    type.getPackageName().matches("io\\.hawser\\.(framing|fate|transport|allocator|spill).*");
            return isLibrary && !OUTSIDE_WORLD.contains(outermost(type).getFullName());
        });
    }

    private static JavaClass outermost(final JavaClass type) {
        return type.getEnclosingClass().map(ArchitectureTest::outermost).orElse(type);
    }

    private static DescribedPredicate<JavaAccess<?>> readsClock() {
        return describe("the target reads a clock", access -> {
            final String owner = access.getTargetOwner().getFullName();
            final String name = access.getName();
            return (owner.equals("java.lang.System")
                            && Set.of("nanoTime", "currentTimeMillis").contains(name))
                    || (owner.startsWith("java.time.") && (name.equals("now") || name.startsWith("system")));
        });
    }

    private static DescribedPredicate<JavaAccess<?>> drawsRandomness() {
        final Set<String> sources = Set.of(
                "java.util.Random",
                "java.util.SplittableRandom",
                "java.security.SecureRandom",
                "java.util.concurrent.ThreadLocalRandom");
        return describe("the target makes or draws randomness of its own", access -> {
            final String owner = access.getTargetOwner().getFullName();
            final String name = access.getName();
            return (sources.contains(owner)
                            && (isUnseeded(access)
                                    || Set.of("current", "getInstanceStrong").contains(name)))
                    || (owner.equals("java.lang.Math") && name.equals("random"))
                    || (owner.equals("java.util.UUID") && name.equals("randomUUID"));
        });
    }

    /** A generator that was given its seed repeats itself: its randomness has come from outside. */
    private static boolean isUnseeded(final JavaAccess<?> access) {
        return access instanceof JavaConstructorCall call
                && call.getTarget().getRawParameterTypes().isEmpty();
    }

    /** A package and its internal sub-package count as one: the first is the face of the second. */
    private static final class PackageWithItsInternals implements SliceAssignment {
        @Override
        public SliceIdentifier getIdentifierOf(final JavaClass type) {
            return SliceIdentifier.of(type.getPackageName().replaceFirst("\\.internal$", ""));
        }

        @Override
        public String getDescription() {
            return "packages with their internals";
        }
    }
}
