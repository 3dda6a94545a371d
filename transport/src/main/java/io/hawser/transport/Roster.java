package io.hawser.transport;

import java.util.List;

/**
 * Who the members of a generation are, and where each comes from: the same on all of them, newcomers included, since everybody has learnt it from the same greetings.
 *
 * <p>A process that still holds what it has kept of the cluster's former generation is a <em>survivor</em> of it. All others are newcomers to it, also if they hold something of another one.
 *
 * <p><em>Threading:</em> immutable.
 */
public final class Roster {
    /**
     * One process of the generation.
     *
     * <p><em>Threading:</em> immutable.
     *
     * @param process its index
     * @param pid     its process id, for messages
     * @param host    its host name, for messages
     * @param address where it says that it can be reached
     * @param nonce   drawn at random for this process and this generation
     * @param former  what it has been part of before
     */
    public record Member(int process, long pid, String host, String address, long nonce, Former former) {}

    private final List<Member> members;
    private final Former former;

    /**
     * Looks for the former generation.
     *
     * @param members of the generation, by index
     */
    Roster(final List<Member> members) {
        this.members = List.copyOf(members);
        Former best = Former.NONE;
        for (final Member member : members) {
            best = better(best, member.former());
        }
        this.former = best;
    }

    /** What most have been part of; of several the highest, then the one of the greater incarnation. */
    private Former better(final Former a, final Former b) {
        if (!a.isPresent() || !b.isPresent() || a.isOfSame(b)) {
            return a.isPresent() ? a : b;
        }
        int order = Integer.compare(countOf(a), countOf(b));
        order = order != 0 ? order : Long.compare(a.generation(), b.generation());
        order = order != 0 ? order : Long.compareUnsigned(a.incarnation(), b.incarnation());
        return order >= 0 ? a : b;
    }

    private int countOf(final Former place) {
        int count = 0;
        for (final Member member : members) {
            count += member.former().isOfSame(place) ? 1 : 0;
        }
        return count;
    }

    /**
     * Tells this generation from any other of the same number: the same for all members.
     *
     * @return the sum of all nonces
     */
    public long incarnation() {
        long sum = 0;
        for (final Member member : members) {
            sum += member.nonce();
        }
        return sum;
    }

    /**
     * All processes of the generation.
     *
     * @return by index, unmodifiable
     */
    public List<Member> members() {
        return members;
    }

    /**
     * The cluster's former generation: the one that most members still hold something of; of several the highest.
     *
     * @return its number; 0 if all members are new
     */
    public long formerGeneration() {
        return former.generation();
    }

    /**
     * How many processes the former generation had.
     *
     * @return the count; 0 if all members are new
     */
    public int formerProcessCount() {
        return former.processCount();
    }

    /**
     * How many workers each process of the former generation had.
     *
     * @return the count; 0 if all members are new
     */
    public int formerWorkersPerProcess() {
        return former.workersPerProcess();
    }

    /**
     * Whether a process has been part of the former generation.
     *
     * @param process its index in this generation
     * @return true if it still has what it kept there
     * @throws IndexOutOfBoundsException if there is no such process
     */
    public boolean isSurvivor(final int process) {
        return former.isPresent() && members.get(process).former().isOfSame(former);
    }

    /**
     * Who has what a process of the former generation had.
     *
     * @param formerProcess its index in the former generation
     * @return its index in this one; −1 if it is gone, so that what it had has to be loaded anew
     */
    public int heirOf(final int formerProcess) {
        for (final Member member : members) {
            if (isSurvivor(member.process()) && member.former().processIndex() == formerProcess) {
                return member.process();
            }
        }
        return -1;
    }

    /**
     * The members, each with where it comes from.
     *
     * @return one line
     */
    @Override
    public String toString() {
        final StringBuilder text =
                new StringBuilder(64).append("former generation ").append(formerGeneration());
        for (final Member member : members) {
            text.append("; process ").append(member.process()).append(" at ").append(member.address());
            text.append(
                    isSurvivor(member.process())
                            ? " was process " + member.former().processIndex()
                            : " is new");
        }
        return text.toString();
    }
}
