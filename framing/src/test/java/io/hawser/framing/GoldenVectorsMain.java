package io.hawser.framing;

/**
 * Prints the hex blocks of PROTOCOL.md. To be run by hand when a vector is added; a vector that is there already
 * never changes.
 */
final class GoldenVectorsMain {

    private GoldenVectorsMain() {}

    public static void main(final String[] args) {
        for (final GoldenVector vector : GoldenVectors.all()) {
            System.out.println(vector.render(vector.encode()));
        }
    }
}
