package io.hawser.transport;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.function.IntFunction;

/** Several meshes of one cluster in this JVM, formed over loopback. */
final class LoopbackMeshes implements AutoCloseable {
    /** Below the range from which the kernel takes ports for outgoing connections. */
    private static final AtomicInteger NEXT_PORT =
            new AtomicInteger(10_000 + (int) (ProcessHandle.current().pid() % 2_000) * 10);

    private final List<Mesh> meshes = new ArrayList<>();
    private final List<MeshReceiver> receivers = new ArrayList<>();

    static LoopbackMeshes form(int processes) {
        return form(processes, (process, config) -> config);
    }

    static LoopbackMeshes form(int processes, BiFunction<Integer, ClusterConfigBuilder, ClusterConfigBuilder> setting) {
        return form(processes, setting, process -> new CollectingReceiver());
    }

    static LoopbackMeshes form(
            int processes,
            BiFunction<Integer, ClusterConfigBuilder, ClusterConfigBuilder> setting,
            IntFunction<MeshReceiver> receivers) {
        LoopbackMeshes meshes = new LoopbackMeshes();
        List<Endpoint> addresses = freeEndpoints(processes);
        List<CompletableFuture<Mesh>> forming = new ArrayList<>();
        for (int i = 0; i < processes; i++) {
            int process = i;
            MeshReceiver receiver = receivers.apply(process);
            meshes.receivers.add(receiver);
            ClusterConfigBuilder config = ClusterConfig.builder()
                    .clusterId("loopback")
                    .processIndex(process)
                    .addresses(addresses)
                    .formationTimeout(Duration.ofSeconds(10));
            forming.add(formAsync(setting.apply(process, config).build(), receiver));
        }
        forming.forEach(future ->
                meshes.meshes.add(future.orTimeout(15, TimeUnit.SECONDS).join()));
        return meshes;
    }

    private static CompletableFuture<Mesh> formAsync(ClusterConfig config, MeshReceiver receiver) {
        CompletableFuture<Mesh> formed = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                formed.complete(Mesh.form(config, receiver));
            } catch (FormationException | InterruptedException | RuntimeException e) {
                formed.completeExceptionally(e);
            }
        });
        thread.setDaemon(true);
        thread.start();
        return formed;
    }

    List<Mesh> all() {
        return meshes;
    }

    Mesh mesh(int process) {
        return meshes.get(process);
    }

    CollectingReceiver receiver(int process) {
        return (CollectingReceiver) receivers.get(process);
    }

    static List<Endpoint> freeEndpoints(int count) {
        List<Endpoint> free = new ArrayList<>();
        while (free.size() < count) {
            int port = NEXT_PORT.getAndIncrement();
            try (ServerSocket probe = new ServerSocket(port, 1, InetAddress.getByName("127.0.0.1"))) {
                free.add(new Endpoint("127.0.0.1", probe.getLocalPort()));
            } catch (java.net.BindException e) {
                continue; // somebody else's
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return free;
    }

    static List<String> threadsNamed(String prefix) {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith(prefix))
                .toList();
    }

    @Override
    public void close() {
        meshes.forEach(Mesh::close);
    }
}
