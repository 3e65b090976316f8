import { defineConfig } from 'vitest/config';

const ci = process.env['CI'] !== undefined;

export default defineConfig({
  test: {
    projects: [
      'packages/*',
      'apps/*',
      {
        test: {
          name: 'house',
          include: ['*.test.ts', 'scripts/**/*.test.ts'],
          benchmark: { include: ['scripts/**/*.bench.ts'] },
        },
      },
    ],
    reporters: ['default', './scripts/closing-line-reporter.ts', ...(ci ? ['junit' as const] : [])],
    outputFile: { junit: 'reports/junit.xml' },
    coverage: {
      provider: 'v8',
      include: ['packages/*/src/**/*.ts', 'apps/cli/src/**/*.ts'],
      reporter: ['text-summary', 'lcov', 'html'],
      reportsDirectory: 'reports/coverage',
    },
  },
});
