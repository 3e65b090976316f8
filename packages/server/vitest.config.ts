import { defineConfig } from 'vitest/config';

/** With real connections, on a machine that may be busy: a test waits for what happens, not for a time. */
export default defineConfig({
  test: { isolate: false, testTimeout: 60_000, hookTimeout: 60_000, expect: { poll: { timeout: 20_000 } } },
});
