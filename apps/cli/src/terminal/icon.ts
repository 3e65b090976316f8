import { type CommandSummary, exitCodeText, outcomeWord, STATE_WORDS } from '@signalbox/api';
import type { CommandRecord, OutcomeKind } from '@signalbox/core';
import { gap } from './cells.ts';
import { as, type Line, line, type Role } from './line.ts';

/** What a command looks like at a glance. The word stands beside it always: nothing depends on an icon. */
export type Glance = Readonly<{ icon: string; role: Role; word: string }>;

export const GLANCES = {
  running: { icon: '⚡', role: 'running', word: STATE_WORDS.running.toLowerCase() },
  waiting: { icon: '⏳', role: 'muted', word: STATE_WORDS.queued.toLowerCase() },
  asks: { icon: '!', role: 'asks', word: STATE_WORDS.awaiting_approval.toLowerCase() },
  completed: { icon: '✓', role: 'ok', word: 'completed' },
  /** Of a command that did its work and answered with another exit code than 0. */
  answered: { icon: '≠', role: 'warn', word: 'exit' },
  failed: { icon: '✗', role: 'danger', word: 'failed' },
  refused: { icon: '⊘', role: 'danger', word: 'denied' },
  cancelled: { icon: '○', role: 'muted', word: 'cancelled' },
  lost: { icon: '?', role: 'danger', word: 'lost' },
} as const satisfies Record<string, Glance>;

export function glanceOf(record: Pick<CommandRecord, 'state' | 'result'>): Glance {
  if (record.result === null) return glanceOfState(record.state);
  const { outcome } = record.result;
  if (outcome.kind !== 'completed') return glanceOfOutcome(outcome.kind, outcome.failure.code);
  return glanceOfAnswer(exitCodeText(record.result.exitCode));
}

/** Each word by which a filter may name that: the one that is shown, and the one of the API. */
export function stateWordsOf(record: Pick<CommandRecord, 'state' | 'result'>): readonly string[] {
  return [glanceOf(record).word, record.state];
}

/** Of a command that is done. */
export function glanceOfEnding({
  outcome,
  rule,
  message,
}: Pick<CommandSummary, 'outcome' | 'rule' | 'message'>): Glance {
  // Its message is the exit code by which it answered.
  return outcome === 'completed' ? glanceOfAnswer(message) : glanceOfOutcome(outcome ?? 'lost', rule);
}

/** @param exit `exit 1`; null where it was 0, or is not known */
export function glanceOfAnswer(exit: string | null): Glance {
  return exit === null ? GLANCES.completed : { ...GLANCES.answered, word: exit };
}

/** @param code of its failure */
function glanceOfOutcome(kind: OutcomeKind, code: string | null): Glance {
  switch (kind) {
    case 'completed':
      return GLANCES.completed;
    case 'failed':
    case 'timed_out':
    case 'conflict':
      return { ...GLANCES.failed, word: outcomeWord(kind, code).toLowerCase() };
    case 'denied':
    case 'blocked':
      return { ...GLANCES.refused, word: kind };
    case 'cancelled':
      return GLANCES.cancelled;
    case 'lost':
      return GLANCES.lost;
  }
}

/** Of a command that did not do what it should; one that is lost may have done it. */
export function glanceOfFailure(outcome: string): Glance {
  return outcome === 'lost' ? GLANCES.lost : GLANCES.failed;
}

/** Two cells and a blank, whatever the width of the icon. */
export function iconCell(glance: Glance): Line {
  return line(as(glance.role, glance.icon), gap(WIDE.has(glance.icon) ? 1 : 2));
}

const WIDE: ReadonlySet<string> = new Set([GLANCES.running.icon, GLANCES.waiting.icon]);

function glanceOfState(state: CommandRecord['state']): Glance {
  if (state === 'running') return GLANCES.running;
  if (state === 'awaiting_approval') return GLANCES.asks;
  return state === 'done' ? GLANCES.waiting : { ...GLANCES.waiting, word: STATE_WORDS[state].toLowerCase() };
}
