import { defineConfig } from 'vitest/config';

/** Tests use real servers and processes on a possibly busy machine: they wait for events, not for a time. */
export default defineConfig({
  test: {
    globalSetup: ['src/testing/build-program.ts', 'src/testing/programs/provide-test-programs.ts'],
    // Loading the program is two fifths of the work, so files of one worker share a process.
    isolate: false,
    // Starting a program costs more the larger this process is, and V8 leaves up to 1 GB of garbage.
    execArgv: ['--heap-growing-percent=50'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
    // Node strips the types, and caches the compiled code.
    experimental: { viteModuleRunner: false, nodeLoader: false },
  },
});
