import * as z from 'zod';

/** A failed test, or what a linter found. */
export const CheckFinding = z
  .strictObject({
    /** The test's full name, or the rule. */
    name: z.string(),
    /** Its first line. */
    message: z.string(),
    /** Relative to the workspace, if it is inside. */
    path: z.string().optional(),
    line: z.int().min(1).optional(),
  })
  .readonly();
export type CheckFinding = z.infer<typeof CheckFinding>;

const common = {
  /** What it was read from: `vitest JSON`, `JUnit XML`, `output of cargo test`. */
  source: z.string(),
  /** The first ones, at most 20. Redacted. */
  first: z.array(CheckFinding).readonly(),
};

/** What tests or linters reported to programs (M6). */
export const CheckReport = z.discriminatedUnion('kind', [
  z
    .strictObject({
      kind: z.literal('tests'),
      ...common,
      /** Null: not reported. */
      passed: z.int().min(0).nullable(),
      failed: z.int().min(0),
      skipped: z.int().min(0),
    })
    .readonly(),
  z
    .strictObject({
      kind: z.literal('findings'),
      ...common,
      errors: z.int().min(0),
      warnings: z.int().min(0),
    })
    .readonly(),
]);
export type CheckReport = z.infer<typeof CheckReport>;

/** `3 failed, 41 passed, 1 skipped`; `2 errors, 1 warning`. */
export function checkCounts(report: CheckReport): string {
  if (report.kind === 'findings') {
    const { errors, warnings } = report;
    return `${errors} ${errors === 1 ? 'error' : 'errors'}, ${warnings} ${warnings === 1 ? 'warning' : 'warnings'}`;
  }
  const { failed, passed, skipped } = report;
  return [
    `${failed} failed`,
    ...(passed === null ? [] : [`${passed} passed`]),
    ...(skipped === 0 ? [] : [`${skipped} skipped`]),
  ].join(', ');
}

/** `src/cart.ts:12: cart > adds: expected 3 to be 4`, without the parts that are unknown. */
export function findingText({ path, line, name, message }: CheckFinding): string {
  const place = path !== undefined && line !== undefined ? `${path}:${line}` : (path ?? '');
  return [place, name, message].filter((part) => part !== '').join(': ');
}

/** Whether the report says that nothing is wrong. Warnings don't count. */
export function isClean(report: CheckReport): boolean {
  return (report.kind === 'tests' ? report.failed : report.errors) === 0;
}

/**
 * Says where a report and the exit code of its run differ; null where they agree. Whoever reads the one must see the other:
 * tests can write a report themselves. Warnings alone may fail a linter.
 */
export function reportNote(report: CheckReport, exitCode: number | null): string | null {
  if (exitCode === 0) return isClean(report) ? null : 'the exit code is 0 although this report has failures';
  if (!isClean(report) || (report.kind === 'findings' && report.warnings > 0)) return null;
  return `nothing failed by this report, but the exit code is ${exitCode}: read the output`;
}
