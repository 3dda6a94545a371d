package io.hawser.tests;

/** Whether tests run at full length. */
final class Soak {
    private Soak() {}

    static boolean isOn() {
        return Boolean.getBoolean("hawser.soak");
    }

    /** One of two numbers: for every build, or for a soak. */
    static int times(final int usually, final int inSoak) {
        return isOn() ? inSoak : usually;
    }
}
