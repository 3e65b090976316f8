import { ASK_PERSON, type CommandState, type OutcomeKind } from '@signalbox/core';
import type { CommandSummary } from '../command-summary.ts';

/** State of a command that has not ended. A label; in a sentence lower case. */
export const STATE_WORDS: Readonly<Record<Exclude<CommandState, 'done'>, string>> = {
  submitted: 'Checking',
  classified: 'Checking',
  awaiting_approval: 'Needs approval',
  approved: 'Waiting',
  queued: 'Waiting',
  running: 'Running',
};

/** In place of {@link STATE_WORDS} while a model's question to a person is open. */
export const QUESTION_WORD = 'Asks you';

/** State of an unfinished command, from what events carry. */
export function stateWord({ state, tool }: Pick<CommandSummary, 'state' | 'tool'>): string {
  if (state === 'awaiting_approval' && tool === ASK_PERSON) return QUESTION_WORD;
  return state === 'done' ? 'Ended' : STATE_WORDS[state];
}

/** Outcome of a command. A label; in a sentence lower case. */
export const OUTCOME_WORDS: Readonly<Record<OutcomeKind, string>> = {
  completed: 'Completed',
  failed: 'Failed',
  denied: 'Denied',
  blocked: 'Blocked',
  conflict: 'Conflict',
  cancelled: 'Cancelled',
  timed_out: 'Timed out',
  lost: 'Lost',
};

/** @param code of the failure: a stale write is a conflict with its own word. */
export function outcomeWord(outcome: OutcomeKind, code: string | null): string {
  return isStaleWrite(outcome, code) ? 'Stale write' : OUTCOME_WORDS[outcome];
}

/** The same for a command that has ended, where an exit code other than 0 is shown: `Exit 1`. */
export function endingWord({
  outcome,
  rule,
  message,
}: Pick<CommandSummary, 'outcome' | 'rule' | 'message'>): string {
  if (outcome === null) return 'Ended';
  return outcome === 'completed' && message !== null ? asLabel(message) : outcomeWord(outcome, rule);
}

/** Turns a word of a sentence into a label. */
export function asLabel(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}

export function isStaleWrite(outcome: OutcomeKind, code: string | null): boolean {
  return outcome === 'conflict' && code === 'stale-write';
}

const SESSION_ENDINGS: ReadonlyMap<string | null, string> = new Map([
  ['finished', 'Finished'],
  ['max_iterations', 'Out of turns'],
  ['cancelled', 'Stopped'],
  ['failed', 'Failed'],
  // The model or its provider declined, not a person or a rule.
  ['refused', 'Declined'],
  ['budget', 'Over budget'],
  ['lost', 'Lost'],
]);

/** Ending of a session, by its `finish`. A label; in a sentence lower case. */
export function sessionEnding(finish: string | null): string {
  return SESSION_ENDINGS.get(finish) ?? 'Ended';
}
