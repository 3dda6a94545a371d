package io.hawser.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Cases 18, 19, 20: where processes live is asked at each dial, by whatever name; an answer that makes no sense changes nothing. */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
class DirectoryTest {
    private static final List<Endpoint> TWO = List.of(new Endpoint("a", 1), new Endpoint("b", 2));
    private static final List<Endpoint> MOVED = List.of(new Endpoint("a", 1), new Endpoint("c", 3));

    @TempDir
    private Path directory;

    private static Listing listing(Directory asked) {
        return new Listing(
                ClusterConfig.builder().addresses(TWO).directory(asked).build());
    }

    private static Listing unknown(Directory asked) {
        return new Listing(ClusterConfig.builder()
                .addresses(List.of(TWO.get(0), new Endpoint("no-such-host.invalid", 7)))
                .directory(asked)
                .build());
    }

    @Test
    void shouldKeepTheAddressesOfTheConfigurationWithoutADirectory() {
        Listing listing = listing(null);

        assertThat(listing.isFixed()).isTrue();
        assertThat(listing.of(1)).isEqualTo(TWO.get(1));
        assertThat(listing.hasOtherShape()).isFalse();
    }

    @Test
    void shouldTakeOverWhatIsListedNow() throws Exception {
        AtomicReference<List<Endpoint>> listed = new AtomicReference<>(TWO);
        Listing listing = listing(listed::get);
        listed.set(MOVED);
        listing.refresh();
        assertThat(listing.of(1)).isEqualTo(MOVED.get(1));

        listed.set(List.of(TWO.get(0), TWO.get(0)));
        assertThatThrownBy(listing::refresh).hasMessageContaining("two processes have one address");
        listed.set(List.of(TWO.get(0), new Endpoint("0.0.0.0", 7)));
        assertThatThrownBy(listing::refresh).hasMessageContaining("nobody can dial a wildcard address");
        assertThat(listing.of(1)).isEqualTo(MOVED.get(1));
    }

    /** A list that is just being written is no smaller cluster. */
    @Test
    void shouldBelieveInAnotherShapeOnlyWhenItIsListedTwice() throws Exception {
        AtomicReference<List<Endpoint>> listed = new AtomicReference<>(TWO.subList(0, 1));
        Listing listing = listing(listed::get);
        assertThatThrownBy(listing::refresh).hasMessage("it lists 1 processes, not 2");
        assertThatThrownBy(listing::refresh).isInstanceOf(IOException.class);
        assertThat(listing.hasOtherShape()).as("dials do not count").isFalse();
        assertThatThrownBy(listing::review).isInstanceOf(IOException.class);
        assertThat(listing.hasOtherShape()).isFalse();
        listed.set(MOVED);
        listing.review();
        listed.set(TWO.subList(1, 2));
        assertThatThrownBy(listing::review).isInstanceOf(IOException.class);
        assertThat(listing.hasOtherShape()).isFalse();
        assertThat(listing.of(1)).isEqualTo(MOVED.get(1));
        assertThatThrownBy(listing::review).isInstanceOf(IOException.class);
        assertThat(listing.hasOtherShape()).isTrue();
        assertThat(listing.shapeChange()).contains("lists 1 processes, not 2");
        listed.set(List.of());
        assertThatThrownBy(listing::review).isInstanceOf(IOException.class);
        assertThatThrownBy(listing::review).isInstanceOf(IOException.class);
        assertThat(listing.hasOtherShape()).as("an empty list").isFalse();
    }

    /** L4: one that never answers costs one thread. */
    @Test
    void shouldNotAskASecondTimeBeforeTheFirstAnswer() throws Exception {
        CountDownLatch isAsked = new CountDownLatch(1);
        CountDownLatch answer = new CountDownLatch(1);
        Listing listing = listing(() -> {
            isAsked.countDown();
            try {
                answer.await();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            return MOVED;
        });
        Thread asking = new Thread(() -> {
            try {
                listing.refresh();
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
        asking.start();
        isAsked.await();
        listing.refresh(); // goes by what is known, at once
        assertThat(listing.of(1)).isEqualTo(TWO.get(1));
        answer.countDown();
        asking.join();
        assertThat(listing.of(1)).isEqualTo(MOVED.get(1));
    }

    @Test
    void shouldReadAFileAgainEachTime() throws Exception {
        Path file = directory.resolve("processes");
        FileDirectory processes = new FileDirectory(file);
        assertThatThrownBy(processes::list).isInstanceOf(IOException.class);
        Files.writeString(file, "# of the ropes\n\na:1\n  b:2  \n");
        assertThat(processes.list()).isEqualTo(TWO);
        Files.writeString(file, "a:1\n[fe80::1%eth0]:2\n");
        assertThat(processes.list()).containsExactly(new Endpoint("a", 1), new Endpoint("fe80::1%eth0", 2));
        Files.writeString(file, "a:1\nb:\n");
        assertThatThrownBy(processes::list)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("line 2 of " + file)
                .hasMessageContaining("b:");
        Files.writeString(file, "# nobody\n");
        assertThatThrownBy(processes::list).hasMessageContaining("no process is listed");
        Files.write(file, new byte[] {(byte) 0xC3, 0x28});
        assertThatThrownBy(processes::list).isInstanceOf(IOException.class).hasMessageContaining(file.toString());
        Files.writeString(file, "a:1\nb:2");
        assertThatThrownBy(processes::list).hasMessageContaining("the last line of " + file + " has no end");
    }

    @Test
    void shouldSayWhyADirectoryDoesNotTell() throws Exception {
        BlockingQueue<String> told = new LinkedBlockingQueue<>();
        List<Thread> threads = new ArrayList<>();
        Resolver resolver = new Resolver(
                body -> {
                    Thread thread = new Thread(body);
                    threads.add(thread);
                    return thread;
                },
                new Names("directory-test-"));
        resolver.locate(
                1,
                unknown(() -> {
                    throw new LinkageError("broken");
                }),
                found -> told.add("found " + found),
                told::add);
        assertThat(told.take())
                .isEqualTo(
                        "unknown host no-such-host.invalid; the directory does not tell (java.lang.LinkageError: broken)");
        resolver.locate(1, unknown(() -> null), found -> told.add("found " + found), told::add);
        assertThat(told.take()).startsWith("unknown host no-such-host.invalid; the directory does not tell (");
        for (Thread thread : threads) {
            thread.join();
        }
    }

    /** However a look-up is spelled, messages name the host as it was given; a scope id stays. */
    @Test
    void shouldResolveNamesWhateverCaseTheyAreAskedIn() throws Exception {
        BlockingQueue<List<InetSocketAddress>> found = new LinkedBlockingQueue<>();
        BlockingQueue<String> failed = new LinkedBlockingQueue<>();
        Resolver resolver = new Resolver(Thread::new, new Names("directory-test-"));
        for (int i = 0; i < 10; i++) {
            resolver.resolve(0, new Endpoint("localhost", 7), found::add, failed::add);
            List<InetSocketAddress> addresses = found.take();
            assertThat(addresses).isNotEmpty().allSatisfy(address -> {
                assertThat(address.getHostString()).isEqualTo("localhost");
                assertThat(address.getAddress().isLoopbackAddress()).isTrue();
                assertThat(address.getPort()).isEqualTo(7);
            });
        }
        resolver.resolve(0, new Endpoint("no-such-host.invalid", 7), found::add, failed::add);
        assertThat(failed.take()).isEqualTo("unknown host no-such-host.invalid");
        resolver.resolve(0, new Endpoint("::1", 7), found::add, failed::add);
        assertThat(found.take()).hasSize(1);
    }

    @Test
    void shouldSpellANameInManyWays() {
        List<String> spellings = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            String spelling = Resolver.respelled("node-17.example");
            assertThat(spelling).isEqualToIgnoringCase("node-17.example");
            spellings.add(spelling);
        }
        assertThat(spellings.stream().distinct().count()).isGreaterThan(400);
    }
}
