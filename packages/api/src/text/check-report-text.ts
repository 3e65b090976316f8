import { checkCounts, type CheckReport, type CommandResult, findingText, reportNote } from '@signalbox/core';

/** `2 failed, 41 passed (vitest JSON)`. */
export function reportText(report: CheckReport): string {
  return `${checkCounts(report)} (${report.source})`;
}

/**
 * The first failures or findings, a row each: `src/cart.ts:12: cart > adds: expected 3 to be 4`; before them, where the
 * exit code says otherwise.
 */
export function reportRows(
  { report, exitCode }: Pick<CommandResult, 'report' | 'exitCode'>,
  max: number,
): readonly string[] {
  if (report === undefined) return [];
  const note = reportNote(report, exitCode);
  return [...(note === null ? [] : [`note: ${note}`]), ...report.first.slice(0, max).map(findingText)];
}
