import { defineConfig } from 'vitest/config';

/** With real servers and processes, on a machine that may be busy: a test waits for what happens, not for a time. */
export default defineConfig({
  test: {
    globalSetup: ['src/testing/build-program.ts'],
    // Loading the program is two fifths of the work: the files of one core share a process.
    isolate: false,
    // Each program that a test starts costs the more the larger this process is, and V8 lets 1 GB of garbage lie.
    execArgv: ['--heap-growing-percent=50'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
    // Node strips the types, and keeps what it compiled.
    experimental: { viteModuleRunner: false, nodeLoader: false },
  },
});
