import { defineConfig } from 'vitest/config';

/** Steps of users wait for real processes on a possibly busy machine: they wait for events, not for a time. */
export default defineConfig({
  test: {
    globalSetup: ['src/testing/build-program.ts'],
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
