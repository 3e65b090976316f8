import { expect, test } from 'vitest';
import type { Train } from '../house/train.ts';
import { aTrain } from '../house/testing/a-train.ts';
import { diagramOf } from './diagram-model.ts';

function taskShown(...trains: readonly Train[]): string | undefined {
  const panel = {
    trains: new Map(trains.map((train) => [train.id, train])),
    providers: ['anthropic'],
    sessions: new Map(),
  };
  const look = { now: 1000, windowMs: 120_000, width: 500, selected: null, filter: null };
  return diagramOf({ panel, ...look }).lanes[0]?.task;
}

test('a lane tells what the session of its latest call is about, and nothing of an earlier one', () => {
  const first = aTrain({ id: 'first', sessionId: 'ses_1', task: 'Release 2.4.0' });
  const same = aTrain({ id: 'same', sessionId: 'ses_1' });
  const other = aTrain({ id: 'other', sessionId: 'ses_2' });
  expect(taskShown(first, same)).toBe('Release 2.4.0');
  expect(taskShown(first, same, other)).toBe('3 calls');
});
