import { defineConfig } from 'vitest/config';

const ci = process.env['CI'] !== undefined;

/** Packages whose tests change nothing that the tests of another file could see. */
const PURE = ['coordinator', 'core', 'policy', 'providers'];
/** Of which a test waits for what happens, however busy the machine is; the others say so in a file of their own. */
const PATIENT = ['api', 'embedded', 'tools'];
const PATIENCE = { testTimeout: 60_000, hookTimeout: 60_000 };

export default defineConfig({
  test: {
    globalSetup: ['scripts/no-coordinator-left.ts'],
    projects: [
      // Their files share a process for each core; every other file has one to itself, while no other test runs.
      ...PURE.map((name) => ({
        root: `packages/${name}`,
        test: {
          name: `@signalbox/${name}`,
          isolate: false,
          maxWorkers: '100%',
          sequence: { groupOrder: 1 },
          ...PATIENCE,
        },
      })),
      ...PATIENT.map((name) => ({
        root: `packages/${name}`,
        test: { name: `@signalbox/${name}`, ...PATIENCE },
      })),
      `packages/!(${[...PURE, ...PATIENT].join('|')})`,
      'apps/*',
      {
        test: {
          name: 'repository',
          include: ['*.test.ts', 'scripts/**/*.test.ts'],
          benchmark: { include: ['scripts/**/*.bench.ts'] },
          // They read every source: 15 s were seen at a load of 25.
          testTimeout: 60_000,
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
