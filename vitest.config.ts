import { defineConfig } from 'vitest/config';

const ci = process.env['CI'] !== undefined;

/** Packages without a configuration of their own. */
const PLAIN = ['api', 'coordinator', 'core', 'embedded', 'providers', 'tools'];
/**
 * For every project: loading the tested code takes most of the time of a small file, so files of one worker share a
 * process. A test restores what it changes there. On a busy machine it waits for events, not for a time.
 */
const SHARED = { isolate: false, testTimeout: 60_000, hookTimeout: 60_000 };

export default defineConfig({
  test: {
    globalSetup: ['scripts/no-coordinator-left.ts'],
    projects: [
      ...PLAIN.map((name) => ({
        root: `packages/${name}`,
        test: { name: `@signalbox/${name}`, ...SHARED },
      })),
      `packages/!(${PLAIN.join('|')})`,
      'apps/*',
      {
        test: {
          name: 'repository',
          include: ['*.test.ts', 'scripts/**/*.test.ts'],
          benchmark: { include: ['scripts/**/*.bench.ts'] },
          // They read every source: 15 s were seen at a load of 25.
          ...SHARED,
        },
      },
    ],
    reporters: ['default', './scripts/closing-line-reporter.ts', ...(ci ? ['junit' as const] : [])],
    outputFile: { junit: 'reports/junit.xml' },
    coverage: {
      provider: 'v8',
      include: ['packages/*/src/**/*.ts', 'apps/{bench,cli}/src/**/*.ts'],
      reporter: ['text-summary', 'lcov', 'html'],
      reportsDirectory: 'reports/coverage',
    },
  },
});
