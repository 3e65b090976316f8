import { defineConfig } from 'vitest/config';

/** Real connections on a machine that may be busy: tests wait for an event, not for a time. */
export default defineConfig({
  test: { isolate: false, testTimeout: 60_000, hookTimeout: 60_000, expect: { poll: { timeout: 20_000 } } },
});
