package io.hawser.transport;

import java.security.SecureRandom;

/** Where instance nonces come from: they tell a process from its predecessor, so they must not repeat after a restart. */
final class Nonce {
    private static final SecureRandom RANDOM = new SecureRandom();

    private Nonce() {}

    static long next() {
        return RANDOM.nextLong();
    }
}
