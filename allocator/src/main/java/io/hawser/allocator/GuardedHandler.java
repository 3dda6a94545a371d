package io.hawser.allocator;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The engine's handler, with what it throws turned into answers and log lines.
 *
 * <p><em>Threading:</em> that of its caller.
 */
final class GuardedHandler implements AdmissionHandler {
    private static final Logger LOG = LoggerFactory.getLogger(AdmissionHandler.class);

    private final AdmissionHandler handler;

    GuardedHandler(final AdmissionHandler handler) {
        this.handler = handler;
    }

    @Override
    public Admission onStart(final StartRequest request) {
        try {
            final Admission admission = handler.onStart(request);
            return admission != null ? admission : Admission.rejectElsewhere("the admission handler gave no answer");
        } catch (final Throwable error) { // whatever it is: the work is refused, and the thread lives on
            LOG.warn("admission handler failed, the work is rejected: {}", request, error);
            return Admission.rejectElsewhere("the admission handler failed: " + textOf(error));
        }
    }

    @Override
    public void onGo(final StartRequest request) {
        try {
            handler.onGo(request);
        } catch (final Throwable error) { // the work has been accepted, and begins
            LOG.warn("admission handler failed as work began: {}", request, error);
        }
    }

    @Override
    public void onEnd(final StartRequest request, final boolean hasBegun) {
        try {
            handler.onEnd(request, hasBegun);
        } catch (final Throwable error) { // the work has ended
            LOG.warn("admission handler failed as work ended: {}", request, error);
        }
    }

    private static String textOf(final Throwable error) {
        try {
            return String.valueOf(error);
        } catch (final Throwable ofText) { // the engine's own class
            return error.getClass().getName();
        }
    }
}
