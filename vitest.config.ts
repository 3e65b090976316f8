import { configDefaults, defineConfig } from 'vitest/config';

const ci = process.env['CI'] !== undefined;

/**
 * Packages whose tests are one project. A worker serves one project at a time, and loading the tested code takes most of
 * the time of a small file: with one project each, as many times as there are packages.
 */
const TOGETHER = [
  'api',
  'coordinator',
  'core',
  'embedded',
  'filters',
  'mcp-tools',
  'providers',
  'server',
  'tools',
];
const FOLDERS = [...TOGETHER.map((name) => `packages/${name}`), 'apps/bench'];
/**
 * Folders of code that keeps secrets and strangers out. `npm run cover` runs their tests, with the branch coverage of that
 * code, and CI does not repeat them. The policy has its own, of 100 %.
 */
const COVERED = ['packages/core/src/redaction', 'packages/server/src/access'];
const LEAST_BRANCHES = 95;

/**
 * For every project: files of one worker share a process. A test restores what it changes there. On a busy machine it
 * waits for events, not for a time.
 */
const SHARED = { isolate: false, testTimeout: 60_000, hookTimeout: 60_000 };

/** Node strips the types, and caches the compiled code. */
const TOGETHER_OPTIONS = {
  ...SHARED,
  expect: { poll: { timeout: 20_000 } },
  experimental: { viteModuleRunner: false, nodeLoader: false },
};

export default defineConfig({
  test: {
    globalSetup: ['scripts/no-coordinator-left.ts'],
    projects: [
      {
        test: {
          name: 'packages',
          include: FOLDERS.map((folder) => `${folder}/src/**/*.test.ts`),
          exclude: [...configDefaults.exclude, ...COVERED.map((folder) => `${folder}/**`)],
          benchmark: { include: FOLDERS.map((folder) => `${folder}/src/**/*.bench.ts`) },
          ...TOGETHER_OPTIONS,
        },
      },
      {
        test: {
          name: 'covered',
          include: COVERED.map((folder) => `${folder}/**/*.test.ts`),
          benchmark: { include: [] },
          ...TOGETHER_OPTIONS,
        },
      },
      `packages/!(${TOGETHER.join('|')})`,
      'apps/!(bench)',
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
    reporters: [
      'default',
      './scripts/closing-line-reporter.ts',
      './scripts/requirements/shown-reporter.ts',
      ...(ci ? ['junit' as const] : []),
    ],
    outputFile: { junit: 'reports/junit.xml' },
    coverage: {
      provider: 'v8',
      include: COVERED.map((folder) => `${folder}/**/*.ts`),
      exclude: ['**/*.test.ts', '**/testing/**'],
      reporter: ['text-summary', 'json-summary'],
      reportsDirectory: 'reports/coverage',
      // Of each folder by itself.
      thresholds: Object.fromEntries(
        COVERED.map((folder) => [`${folder}/**/*.ts`, { branches: LEAST_BRANCHES }]),
      ),
    },
  },
});
