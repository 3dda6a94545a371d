package io.hawser.tests.harness;

import io.hawser.testkit.ChildProcess;
import io.hawser.testkit.Deadline;
import io.hawser.testkit.FaultProxy;
import io.hawser.testkit.Nursery;
import io.hawser.testkit.ProcessCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A cluster of real JVMs whose main class takes commands and sends events. A process lives through many
 * runs; one that was killed is replaced.
 *
 * <p><em>Threading:</em> one thread at a time.
 */
public final class ChildCluster {
    private static final String CHILD_MAIN = "io.hawser.tests.child.ChildMain";

    /** Smaller than usual: case by case many are started, and one fills its heap. */
    private static final String[] FLAGS = {
        "-Xmx96m", "-Dorg.slf4j.simpleLogger.defaultLogLevel=info",
    };

    private static long lastRun;

    private final Nursery nursery;
    private final ProcessCluster processes;
    private final int workersPerProcess;
    private final Map<String, Object> settings = new LinkedHashMap<>();
    private ChildProcess spare;

    /** A cluster whose processes are not yet launched. */
    public ChildCluster(final Nursery nursery, final int processCount, final int workersPerProcess) {
        this.nursery = nursery;
        this.workersPerProcess = workersPerProcess;
        // each run has addresses of its own, so they come by commands
        this.processes =
                new ProcessCluster(nursery, processCount, CHILD_MAIN, (process, addresses) -> List.of()).flags(FLAGS);
    }

    /** How many processes it has. */
    public int processCount() {
        return processes.processCount();
    }

    /** How many workers each process has. */
    public int workersPerProcess() {
        return workersPerProcess;
    }

    /** A setting that was given in milliseconds. */
    public Duration duration(final String field) {
        return Duration.ofMillis(((Number) settings.get(field)).longValue());
    }

    /** The indexes of all processes but one. */
    public List<Integer> allBut(final int process) {
        return processes.allBut(process);
    }

    /** The indexes of all processes. */
    public List<Integer> all() {
        return processes.all();
    }

    /** The port that a process listens on. */
    public int port(final int process) {
        return processes.port(process);
    }

    /** The JVM of a process. */
    public EventChild child(final int process) {
        return new EventChild(processes.child(process));
    }

    /** A setting of the runs to come: a field of the run command. */
    public ChildCluster set(final String field, final Object value) {
        settings.put(field, value);
        return this;
    }

    /** From the next run on, a process dials another at this port. */
    public void detour(final int from, final int to, final int port) {
        processes.detour(from, to, port);
    }

    /** From the next run on, all dial each other directly. */
    public void clearDetours() {
        processes.clearDetours();
    }

    /** A proxy between two processes; the higher index dials. */
    public FaultProxy proxyBetween(final int lower, final int higher) {
        return processes.proxyBetween(lower, higher);
    }

    /** Whether a process was never launched, or is gone. */
    public boolean isMissing(final int process) {
        return processes.child(process) == null || !processes.child(process).isAlive();
    }

    /** Sees to it that every process is there: launches those that are missing or gone. */
    public void launchMissing() {
        for (final int process : all()) {
            if (isMissing(process)) {
                launch(process);
            }
        }
        all().forEach(process -> child(process).await("up", 0));
    }

    /** Launches a process, or its successor if it has been ended. */
    public void launch(final int process, final String... flags) {
        if (spare != null && flags.length == 0) {
            processes.replace(process, spare);
            spare = null;
        } else {
            processes.launch(process, flags);
        }
    }

    /** Leaves a process alone, frozen perhaps, and lets its successor live at a new port. */
    public void moveAway(final int process) {
        processes.moveAway(process);
    }

    /** Leaves a process alone, and lets its successor live at this port. */
    public void moveAway(final int process, final int port) {
        processes.moveAway(process, port);
    }

    /** Launches a JVM that will take the place of the next process to be launched. */
    public void prepareSpare() {
        if (spare == null) {
            spare = nursery.launch("spare", List.of(FLAGS), CHILD_MAIN);
        }
    }

    /** Ends all processes. */
    public void destroy() {
        processes.close();
    }

    /** A run that no process has been told of yet. */
    public Run newRun() {
        return new Run(nextRun());
    }

    /** All processes are told to form a cluster and to do the same deeds, and have formed it. */
    public Run form(final String deeds) {
        final Run run = newRun();
        all().forEach(process -> run.start(process, deeds));
        run.awaitFormed(all());
        return run;
    }

    /** What a process holds at the moment. */
    public Event inspect(final int process, final boolean isCollecting) {
        final long request = nextRun();
        child(process).send(Event.of("inspect", "run", request, "collect", isCollecting));
        return child(process).await("inspected", request);
    }

    private static synchronized long nextRun() {
        return ++lastRun;
    }

    /** The addresses that a process is told: its own, and how it dials the others. */
    public String addressesFor(final int process) {
        return ProcessCluster.join(processes.addresses(process));
    }

    /**
     * One cluster from forming to joining.
     *
     * <p><em>Threading:</em> one thread at a time.
     */
    public final class Run {
        private final long id;

        private Run(final long id) {
            this.id = id;
        }

        /** The number that the events of this run carry. It serves as the generation too. */
        public long id() {
            return id;
        }

        /** Tells one process to take part. */
        public void start(final int process, final String deeds, final Object... fieldsAndValues) {
            child(process).send(command(process, deeds, fieldsAndValues));
        }

        /** What would tell a process to take part. */
        public Event command(final int process, final String deeds, final Object... fieldsAndValues) {
            final Event command = Event.of("run", "run", id, "generation", id, "index", process);
            settings.forEach((field, value) -> command.fields().put(field, String.valueOf(value)));
            command.fields().put("workers", String.valueOf(workersPerProcess));
            command.fields().put("addresses", addressesFor(process));
            command.fields().put("deeds", deeds);
            command.fields().putAll(Event.of("", fieldsAndValues).fields());
            return command;
        }

        /** Waits until these processes have formed the cluster. */
        public void awaitFormed(final List<Integer> processes) {
            processes.forEach(this::formed);
        }

        /** Waits until a process has formed the cluster. */
        public Event formed(final int process) {
            return child(process)
                    .await("formed run=" + id, ChildProcess.PATIENCE, event -> event.has("run", id) && !isEarly(event));
        }

        /** Waits until all workers of these processes have begun their deeds. */
        public void awaitAtWork(final List<Integer> processes) {
            for (final int process : processes) {
                for (int local = 0; local < workersPerProcess; local++) {
                    final int worker = process * workersPerProcess + local;
                    child(process)
                            .await(
                                    "at-work run=" + id + " worker=" + worker,
                                    ChildProcess.PATIENCE,
                                    event -> event.name().equals("at-work")
                                            && event.has("run", id)
                                            && event.has("worker", worker));
                }
            }
        }

        /** Waits until what these processes push is taken no more. */
        public void awaitBlocked(final List<Integer> processes) {
            processes.forEach(process -> child(process).await("blocked", id));
        }

        /** Gives a process a command about its latest run. */
        public void tell(final int process, final String command, final Object... fieldsAndValues) {
            child(process).send(Event.of(command, fieldsAndValues));
        }

        /** How the cluster ended for a process, as told by it within a time. */
        public Event joined(final int process, final Duration allowed) {
            return child(process).await("joined", id, allowed);
        }

        /** How the cluster ended for these processes, within a time for all together. */
        public List<Event> joined(final List<Integer> processes, final Duration allowed) {
            final Deadline deadline = Deadline.in(allowed);
            final List<Event> all = new ArrayList<>();
            for (final int process : processes) {
                all.add(joined(process, Duration.ofMillis(Math.max(1, deadline.remainingMs()))));
            }
            return all;
        }

        /** The outcomes of the workers of a process that has joined, in the order of their indexes. */
        public List<Event> outcomes(final int process) {
            return child(process).events().stream()
                    .filter(event -> event.name().equals("worker") && event.has("run", id))
                    .toList();
        }

        private boolean isEarly(final Event event) {
            if (event.name().equals("not-formed") || event.name().equals("broken")) {
                throw new AssertionError("instead of formed: " + event);
            }
            return !event.name().equals("formed");
        }
    }
}
