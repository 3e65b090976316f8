import { type CommandResult, matchesTool, type Settings } from '@signalbox/core';

/** No model can mend them, and each further call would fail or be refused in the same way. */
const CRITICAL_CODES: ReadonlySet<string> = new Set([
  'audit-unavailable',
  'disk-broken',
  'disk-full',
  'judge_unavailable',
  'read-only',
  'sandbox_error',
]);
/** The tool did not do its work; a refusal, a cancellation or a conflict is not its failure. */
const FAILED: ReadonlySet<string> = new Set(['failed', 'timed_out', 'lost']);
const MAX_TEXT = 300;

/** What is decided by a failure of a call (S000-68). */
export type FailurePolicy = Pick<
  Settings['agents']['tool_execution'],
  'critical_tools' | 'on_critical_failure'
>;

/** In one line, why the session can't continue by itself after this result; undefined: it can (S000-68, L-15). */
export function criticalFailureOf(
  { tool, outcome, failure }: Pick<CommandResult, 'tool' | 'outcome' | 'failure'>,
  { critical_tools, on_critical_failure }: FailurePolicy,
): string | undefined {
  if (failure === null || on_critical_failure === 'continue') return undefined;
  const isCritical =
    CRITICAL_CODES.has(failure.code) ||
    (FAILED.has(outcome.kind) && critical_tools.some((pattern) => matchesTool(pattern, tool)));
  if (!isCritical) return undefined;
  // A hidden failure may name what its model must not read.
  const what = failure.visibility === 'visible' ? failure.message : 'it failed inside Signalbox';
  return `${tool}: ${what.replaceAll(/\s+/g, ' ').slice(0, MAX_TEXT)}`;
}
