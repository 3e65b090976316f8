import type { CheckDecision } from '@signalbox/core';
import type { RunCheck } from '../operations/run.ts';

/** What follows a failed check, or why it is the last one. */
const NEXT_TEXTS: Readonly<Record<CheckDecision, string>> = {
  again: 'the sessions continue',
  passed: '',
  rounds: 'no check is left (run --rounds N)',
  repeated: 'it failed in the same way as the check before',
  budget: 'the budget is used up',
  stopped: 'the run was stopped',
  refused: 'it was not allowed to run',
  ended: 'no session is left to continue',
};

/** `npm test failed (exit 1): the sessions continue`. */
export function runCheckText({ result, next }: Pick<RunCheck, 'result' | 'next'>): string {
  if (result.passed) return `${result.line} passed`;
  const exit = result.exitCode === null ? '' : ` (exit ${result.exitCode})`;
  return `${result.line} failed${exit}: ${NEXT_TEXTS[next]}`;
}
