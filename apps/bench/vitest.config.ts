import { defineConfig } from 'vitest/config';

/** On a machine that may be busy, tests wait for an event, not for a time. */
export default defineConfig({ test: { isolate: false, testTimeout: 60_000, hookTimeout: 60_000 } });
