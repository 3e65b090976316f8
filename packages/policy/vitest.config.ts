import { defineConfig } from 'vitest/config';

/** Deciding code must have full branch coverage (Y2): `npm run cover`. */
export default defineConfig({
  test: {
    testTimeout: 60_000,
    isolate: false,
    // Node strips the types, and caches the compiled code.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    reporters: [
      'default',
      '../../scripts/closing-line-reporter.ts',
      '../../scripts/requirements/shown-reporter.ts',
    ],
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      // Previews are shown to people; nothing is decided by them.
      exclude: ['src/**/testing/**', 'src/preview/**', 'src/**/*.test.ts', 'src/**/*.bench.ts'],
      reporter: ['text-summary', 'json-summary'],
      reportsDirectory: '../../reports/coverage-policy',
      thresholds: { branches: 100 },
    },
  },
});
