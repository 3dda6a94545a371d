package io.hawser.tests.harness;

import io.hawser.testkit.ChildProcess;
import io.hawser.testkit.Signal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * A child that tells what happens to it by {@link Event}s, and takes commands in the same form.
 *
 * <p><em>Threading:</em> any thread.
 *
 * @param process the child; what it prints besides events is log
 */
public record EventChild(ChildProcess process) {
    /** Whether the process exists, frozen or not, and has not been killed. */
    public boolean isAlive() {
        return process.isAlive();
    }

    /** The process id. */
    public long pid() {
        return process.pid();
    }

    /** Gives it a command. A child that is gone hears nothing. */
    public void send(final Event command) {
        process.send(command.toLine());
    }

    /** Sends a signal. */
    public void signal(final Signal signal) {
        process.signal(signal);
    }

    /** Waits for its end; the exit status. */
    public int awaitExit(final Duration allowed) {
        return process.awaitExit(allowed);
    }

    /** What it wrote to its error output, which is where its logger writes. */
    public List<String> errorLines() {
        return process.errorLines();
    }

    /** All events so far, in order. */
    public List<Event> events() {
        return process.lines().stream().filter(Event::isEvent).map(Event::parse).toList();
    }

    /** The first event so far that is as asked. */
    public Optional<Event> find(final Predicate<Event> wanted) {
        return events().stream().filter(wanted).findFirst();
    }

    /** Waits for the first event of this name and run. */
    public Event await(final String event, final long run) {
        return await(event, run, ChildProcess.PATIENCE);
    }

    /** Waits for the first event of this name and run, within a time. */
    public Event await(final String event, final long run, final Duration allowed) {
        // what is certainly another is not parsed: latencies are measured while this waits
        final String start = Event.MARK + event + " ";
        return Event.parse(process.awaitLine(
                "event=" + event + " run=" + run,
                allowed,
                line -> line.startsWith(start) && Event.parse(line).has("run", run)));
    }

    /** Waits for the first event, of all that it ever sent, that is as wanted. */
    public Event await(final String what, final Duration allowed, final Predicate<Event> wanted) {
        return Event.parse(
                process.awaitLine(what, allowed, line -> Event.isEvent(line) && wanted.test(Event.parse(line))));
    }

    @Override
    public String toString() {
        return process.toString();
    }
}
