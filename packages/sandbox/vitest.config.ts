import { defineConfig } from 'vitest/config';

/** A file system of a disk, where `scripts/run.mjs` has put the other tests' temporary files into memory. */
const onDisk = process.env['TESTS_ON_DISK'];

/** With real processes, on a machine that may be busy: a test waits for what happens, not for a time. */
export default defineConfig({
  test: {
    globalSetup: ['src/testing/build-run-one.ts'],
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
    env: onDisk === undefined ? {} : { TMPDIR: onDisk },
  },
});
