package io.hawser.allocator;

import java.util.Random;

/** Randomness that a failure can be repeated with: the seed is printed, and hawser.seed sets it. */
final class Seed {
    private Seed() {}

    static long print(final String name) {
        final long seed = Long.getLong("hawser.seed", new Random().nextLong());
        System.out.println(name + " hawser.seed=" + seed);
        return seed;
    }
}
