import type { Level, OutcomeKind } from '@signalbox/core';
import {
  type CommandSummary,
  endingWord,
  isStaleWrite,
  OUTCOME_WORDS,
  STATE_WORDS,
  stateWord,
} from '@signalbox/api';
import { phaseOf } from '../workspace/command-text.ts';
import type { IconName } from './icon.tsx';

/** Shape, word and colour of a state: none is used alone. */
export type StatusBadge = Readonly<{
  icon: IconName;
  word: string;
  tone: 'run' | 'wait' | 'ask' | 'stop' | 'ok' | '';
}>;

const SHAPES: Readonly<Record<OutcomeKind, Pick<StatusBadge, 'icon' | 'tone'>>> = {
  completed: { icon: 'check', tone: '' },
  failed: { icon: 'cross', tone: 'stop' },
  denied: { icon: 'slash', tone: 'stop' },
  blocked: { icon: 'octagon', tone: 'stop' },
  conflict: { icon: 'clash', tone: 'stop' },
  cancelled: { icon: 'bar', tone: '' },
  timed_out: { icon: 'history', tone: 'stop' },
  lost: { icon: 'question', tone: 'stop' },
};

/** Complete: the type of the words requires each. */
export const OUTCOME_KINDS = Object.keys(OUTCOME_WORDS) as readonly OutcomeKind[];

export function badgeOf(
  summary: Pick<CommandSummary, 'state' | 'tool' | 'outcome' | 'rule' | 'message'>,
): StatusBadge {
  const { outcome, rule } = summary;
  if (outcome !== null) {
    const word = endingWord(summary);
    // Its message is its exit code.
    if (outcome === 'completed' && summary.message !== null) return { icon: 'unequal', tone: 'wait', word };
    const shape = SHAPES[outcome];
    const icon = isStaleWrite(outcome, rule) ? 'stale' : shape.icon;
    return { ...shape, icon, word };
  }
  switch (phaseOf(summary)) {
    case 'running':
      return { icon: 'play', word: STATE_WORDS.running, tone: 'run' };
    case 'waiting':
      return { icon: 'hold', word: STATE_WORDS.queued, tone: 'wait' };
    case 'person':
      return { icon: 'diamond', word: stateWord(summary), tone: 'ask' };
    case 'judged':
    case 'done':
      return { icon: 'ring', word: STATE_WORDS.submitted, tone: '' };
  }
}

export const LEVELS: Readonly<Record<Level, StatusBadge>> = {
  safe: { icon: 'ring', word: 'safe', tone: '' },
  warning: { icon: 'triangle', word: 'warning', tone: 'wait' },
  dangerous: { icon: 'danger', word: 'dangerous', tone: 'stop' },
  blocked: { icon: 'octagon', word: 'blocked', tone: 'stop' },
};

/** From harmless to forbidden. */
export const LEVEL_KINDS = Object.keys(LEVELS) as readonly Level[];
