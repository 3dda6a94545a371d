package io.hawser.transport;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Somebody in the middle of a connection who loses, doubles, swaps, bends and invents pieces of it, once or again and again. */
final class HostileMiddle implements Wire.Spoiler {
    private final Random random;
    private int passing;
    private int strikes;
    private byte[] heldBack;
    private String done = "";

    /**
     * Leaves some pieces alone, then strikes.
     *
     * @param random  what it does
     * @param passing how many pieces it leaves alone before each strike
     * @param strikes how often it strikes
     */
    HostileMiddle(Random random, int passing, int strikes) {
        this.random = random;
        this.passing = passing;
        this.strikes = strikes;
    }

    @Override
    public List<byte[]> spoil(byte[] chunk) {
        List<byte[]> out = new ArrayList<>();
        if (strikes > 0 && chunk.length > 0 && passing-- == 0) {
            strikes--;
            passing = random.nextInt(4);
            strike(chunk, out);
        } else {
            out.add(chunk);
        }
        if (heldBack != null && !out.isEmpty()) {
            out.add(heldBack);
            heldBack = null;
        }
        return out;
    }

    private void strike(byte[] chunk, List<byte[]> out) {
        switch (random.nextInt(6)) {
            case 0 -> done += " lost " + chunk.length;
            case 1 -> {
                done += " doubled " + chunk.length;
                out.add(chunk);
                out.add(chunk.clone());
            }
            case 2 -> {
                done += " swapped " + chunk.length;
                heldBack = chunk;
            }
            case 3 -> {
                int flips = 1 + random.nextInt(3);
                done += " flipped " + flips;
                for (int i = 0; i < flips; i++) {
                    chunk[random.nextInt(chunk.length)] ^= (byte) (1 << random.nextInt(Byte.SIZE));
                }
                out.add(chunk);
            }
            case 4 -> {
                byte[] garbage = new byte[1 + random.nextInt(100)];
                random.nextBytes(garbage);
                done += " invented " + garbage.length;
                out.add(garbage);
                out.add(chunk);
            }
            default -> {
                done += " shortened " + chunk.length;
                out.add(Arrays.copyOf(chunk, random.nextInt(chunk.length)));
            }
        }
    }

    @Override
    public String toString() {
        return done;
    }
}
