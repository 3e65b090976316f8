import type { OutcomeKind } from '@signalbox/core';
import { clockTime } from './duration-text.ts';
import { outcomeWord } from './status-words.ts';

const CHECKS: ReadonlyMap<string, string> = new Map([
  ['run_tests', 'test run'],
  ['run_linter', 'linter run'],
]);

/**
 * `test run` for a command that checks the workspace, by its title; null for all others.
 *
 * Other commands hold what they write for as long as that takes; a check can hold all of it for minutes.
 */
export function checkWord(title: string): string | null {
  return CHECKS.get(title.split(' ', 1)[0] ?? '') ?? null;
}

/** ` (test run, 0:12)`; empty for other commands. */
export function checkNote(title: string, ranMs: number): string {
  const word = checkWord(title);
  return word === null ? '' : ` (${word}, ${clockTime(ranMs)})`;
}

/** Why other commands wait for a check, and what to do about it: shown wherever one waits. */
export const WHY_CHECKS_HOLD =
  'Tests and linters hold the workspace while they run only with isolation: stable in signalbox.yaml, or where the sandbox has no transactions';

/** How the last run of a check ended: `passed`, `failed: exit 1`, `timed out`, and whether that is still current. */
export function checkResult({
  outcome,
  exitCode,
  passed,
  isOlder,
  isByHand,
}: Readonly<{
  outcome: OutcomeKind;
  exitCode: number | null;
  passed: boolean;
  isOlder: boolean;
  isByHand: boolean;
}>): string {
  const failed =
    outcome === 'completed' ? `failed: exit ${exitCode ?? '?'}` : outcomeWord(outcome, null).toLowerCase();
  const older = isByHand ? ', before later edits by hand' : ', before the last change';
  return `${passed ? 'passed' : failed}${isOlder ? older : ''}`;
}
