import { type CommandSummary, exitCodeText, outcomeWord, QUESTION_WORD, STATE_WORDS } from '@signalbox/api';
import type { CommandRecord, OutcomeKind } from '@signalbox/core';
import { gap } from './cells.ts';
import { as, type Line, line, type TextRole } from './line.ts';

/** The icon of a command's status. The word is always next to it: nothing depends on an icon alone. */
export type StatusIcon = Readonly<{ icon: string; role: TextRole; word: string }>;

export const STATUS_ICONS = {
  running: { icon: '⚡', role: 'running', word: STATE_WORDS.running.toLowerCase() },
  waiting: { icon: '⏳', role: 'muted', word: STATE_WORDS.queued.toLowerCase() },
  asks: { icon: '!', role: 'asks', word: STATE_WORDS.awaiting_approval.toLowerCase() },
  question: { icon: '?', role: 'asks', word: QUESTION_WORD.toLowerCase() },
  completed: { icon: '✓', role: 'ok', word: 'completed' },
  /** A command that did its work and exited with another code than 0. */
  answered: { icon: '≠', role: 'warn', word: 'exit' },
  failed: { icon: '✗', role: 'danger', word: 'failed' },
  refused: { icon: '⊘', role: 'danger', word: 'denied' },
  cancelled: { icon: '○', role: 'muted', word: 'cancelled' },
  lost: { icon: '?', role: 'danger', word: 'lost' },
} as const satisfies Record<string, StatusIcon>;

type Stated = Pick<CommandRecord, 'state' | 'result'> & Partial<Pick<CommandRecord, 'approval'>>;

export function statusIconOf(record: Stated): StatusIcon {
  if (record.result === null) {
    const isQuestion = record.approval?.question !== undefined;
    return isQuestion && record.state === 'awaiting_approval'
      ? STATUS_ICONS.question
      : iconOfState(record.state);
  }
  const { outcome } = record.result;
  if (outcome.kind !== 'completed') return iconOfOutcome(outcome.kind, outcome.failure.code);
  return iconOfAnswer(exitCodeText(record.result.exitCode));
}

/** Each word by which a filter may name it: the displayed one and the API's. */
export function stateWordsOf(record: Stated): readonly string[] {
  return [statusIconOf(record).word, record.state];
}

/** For a finished command. */
export function iconOfEnding({
  outcome,
  rule,
  message,
}: Pick<CommandSummary, 'outcome' | 'rule' | 'message'>): StatusIcon {
  // Its message is its exit code.
  return outcome === 'completed' ? iconOfAnswer(message) : iconOfOutcome(outcome ?? 'lost', rule);
}

/** @param exit `exit 1`; null if it was 0 or is unknown */
export function iconOfAnswer(exit: string | null): StatusIcon {
  return exit === null ? STATUS_ICONS.completed : { ...STATUS_ICONS.answered, word: exit };
}

/** @param code of its failure */
function iconOfOutcome(kind: OutcomeKind, code: string | null): StatusIcon {
  switch (kind) {
    case 'completed':
      return STATUS_ICONS.completed;
    case 'failed':
    case 'timed_out':
    case 'conflict':
      return { ...STATUS_ICONS.failed, word: outcomeWord(kind, code).toLowerCase() };
    case 'denied':
    case 'blocked':
      return { ...STATUS_ICONS.refused, word: kind };
    case 'cancelled':
      return STATUS_ICONS.cancelled;
    case 'lost':
      return STATUS_ICONS.lost;
  }
}

/** A command that did not do its work; a lost one may have done it. */
export function iconOfFailure(outcome: string): StatusIcon {
  return outcome === 'lost' ? STATUS_ICONS.lost : STATUS_ICONS.failed;
}

/** Two cells and a blank, whatever the width of the icon. */
export function iconCell(status: StatusIcon): Line {
  return line(as(status.role, status.icon), gap(WIDE.has(status.icon) ? 1 : 2));
}

const WIDE: ReadonlySet<string> = new Set([STATUS_ICONS.running.icon, STATUS_ICONS.waiting.icon]);

function iconOfState(state: CommandRecord['state']): StatusIcon {
  if (state === 'running') return STATUS_ICONS.running;
  if (state === 'awaiting_approval') return STATUS_ICONS.asks;
  return state === 'done'
    ? STATUS_ICONS.waiting
    : { ...STATUS_ICONS.waiting, word: STATE_WORDS[state].toLowerCase() };
}
