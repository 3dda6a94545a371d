package io.hawser.transport;

import java.nio.file.Files;
import java.nio.file.Path;

/** Throws in one thread of the transport once a file exists: fault injection for tests, see {@link AgentProbe}. */
record FaultProbe(String role, int peer, Class<? extends Throwable> error, Path trigger) implements AgentProbe {
    static AgentProbe parse(String text) {
        int colon = text.indexOf(':');
        int at = text.indexOf('@');
        if (colon < 0 || at < colon) {
            throw new IllegalArgumentException("expected role[-peer]:error@file but hawser.test.fault=" + text);
        }
        String who = text.substring(0, colon);
        int dash = who.indexOf('-');
        try {
            return new FaultProbe(
                    dash < 0 ? who : who.substring(0, dash),
                    dash < 0 ? -1 : Integer.parseInt(who.substring(dash + 1)),
                    Class.forName(text.substring(colon + 1, at)).asSubclass(Throwable.class),
                    Path.of(text.substring(at + 1)));
        } catch (ClassNotFoundException e) {
            throw new IllegalArgumentException("no such error class in hawser.test.fault=" + text, e);
        }
    }

    @Override
    public void onCycle(String cycleRole, int cyclePeer) {
        if (cycleRole.equals(role) && (peer < 0 || peer == cyclePeer) && Files.exists(trigger)) {
            throwUnchecked(instance());
        }
    }

    private Throwable instance() {
        try {
            return error.getConstructor(String.class).newInstance("injected by hawser.test.fault");
        } catch (ReflectiveOperationException e) {
            return new IllegalStateException("cannot make a " + error.getName(), e);
        }
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void throwUnchecked(Throwable error) throws T {
        throw (T) error;
    }
}
