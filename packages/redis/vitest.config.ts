import { defineConfig } from 'vitest/config';

/** With real servers and processes, on a machine that may be busy: a test waits for what happens, not for a time. */
export default defineConfig({
  test: {
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
    // Node strips the types, and caches the compiled code.
    experimental: { viteModuleRunner: false, nodeLoader: false },
  },
});
