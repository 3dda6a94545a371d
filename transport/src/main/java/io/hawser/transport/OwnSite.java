package io.hawser.transport;

/** The site of a mesh that shares nothing with another one. */
final class OwnSite implements Site {
    private final ClusterConfig config;
    private final long nonce = Nonce.next();
    private final MemoryAccount memory = new MemoryAccount();
    private final WindowPool windows;
    private volatile ExitHook exitHook;

    OwnSite(ClusterConfig config) {
        this.config = config;
        this.windows = new WindowPool(config.floatingWindow(), config.channelWindowMax(), config.clock());
    }

    @Override
    public long nonce() {
        return nonce;
    }

    @Override
    public String address() {
        return config.addresses().isEmpty()
                ? ""
                : config.addresses().get(config.processIndex()).toString();
    }

    @Override
    public Names names(long generation) {
        return Names.of(config, generation);
    }

    @Override
    public MemoryAccount memory() {
        return memory;
    }

    @Override
    public WindowPool windows() {
        return windows;
    }

    @Override
    public String consequence(long generation) {
        return "all workers of generation " + generation + " stop";
    }

    @Override
    public boolean isNeededThread() {
        return false;
    }

    @Override
    public void onStarting(MeshCore mesh) {
        exitHook = new ExitHook(mesh, config.abortTimeoutNs());
        exitHook.register();
    }

    @Override
    public void onOver(MeshCore mesh) {
        ExitHook hook = exitHook;
        if (hook != null) {
            hook.unregister();
        }
    }
}
