import { checkCounts, type CheckReport, findingText } from '@signalbox/core';

/** `2 failed, 41 passed (vitest JSON)`. */
export function reportText(report: CheckReport): string {
  return `${checkCounts(report)} (${report.source})`;
}

/** The first failures or findings, a row each: `src/cart.ts:12: cart > adds: expected 3 to be 4`. */
export function reportRows({ first }: CheckReport, max: number): readonly string[] {
  return first.slice(0, max).map(findingText);
}
