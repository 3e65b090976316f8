import type { Level, OutcomeKind } from '@signalbox/core';
import type { CommandSummary } from '@signalbox/api';
import { aspectOf } from '../house/train.ts';
import type { IconName } from './icon.tsx';

/** Shape, word and colour of a state: no one of the three stands alone. */
export type Look = Readonly<{
  icon: IconName;
  word: string;
  tone: 'run' | 'wait' | 'ask' | 'stop' | 'ok' | '';
}>;

const OUTCOMES: Readonly<Record<OutcomeKind, Look>> = {
  completed: { icon: 'check', word: 'Completed', tone: '' },
  failed: { icon: 'cross', word: 'Failed', tone: 'stop' },
  denied: { icon: 'slash', word: 'Denied', tone: 'stop' },
  blocked: { icon: 'octagon', word: 'Blocked', tone: 'stop' },
  conflict: { icon: 'clash', word: 'Conflict', tone: 'stop' },
  cancelled: { icon: 'bar', word: 'Cancelled', tone: '' },
  timed_out: { icon: 'history', word: 'Timed out', tone: 'stop' },
  lost: { icon: 'question', word: 'Lost', tone: 'stop' },
};

/** All there are: the type of the table above demands each. */
export const OUTCOME_KINDS = Object.keys(OUTCOMES) as readonly OutcomeKind[];

const STALE: Look = { icon: 'stale', word: 'Stale write', tone: 'stop' };

export function lookOf(train: Pick<CommandSummary, 'state' | 'outcome' | 'rule'>): Look {
  if (train.outcome !== null) {
    return train.outcome === 'conflict' && train.rule === 'stale-write' ? STALE : OUTCOMES[train.outcome];
  }
  switch (aspectOf(train)) {
    case 'running':
      return { icon: 'play', word: 'Running', tone: 'run' };
    case 'waiting':
      return { icon: 'hold', word: 'Waiting', tone: 'wait' };
    case 'person':
      return { icon: 'diamond', word: 'Needs approval', tone: 'ask' };
    case 'judged':
    case 'done':
      return { icon: 'ring', word: 'Judged', tone: '' };
  }
}

export const LEVELS: Readonly<Record<Level, Look>> = {
  safe: { icon: 'ring', word: 'safe', tone: '' },
  warning: { icon: 'triangle', word: 'warning', tone: 'wait' },
  dangerous: { icon: 'danger', word: 'dangerous', tone: 'stop' },
  blocked: { icon: 'octagon', word: 'blocked', tone: 'stop' },
};

/** From harmless to forbidden. */
export const LEVEL_KINDS = Object.keys(LEVELS) as readonly Level[];
