import { expect, test } from 'vitest';
import type { Train } from '../house/train.ts';
import { aTrain } from '../house/testing/a-train.ts';
import { diagramOf } from './diagram-model.ts';

function diagram(trains: readonly Train[], idle: readonly string[] = []) {
  const panel = {
    trains: new Map(trains.map((train) => [train.id, train])),
    providers: [...new Set(trains.map(({ provider }) => provider)), ...idle],
    sessions: new Map(),
    tasks: new Map([
      ['ses_1', 'Release 2.4.0'],
      ['ses_2', null],
    ]),
  };
  return diagramOf({ panel, now: 1000, windowMs: 120_000, width: 500, selected: null, filter: null });
}

test('a lane tells what the session of its latest call is about, and nothing of an earlier one', () => {
  const first = aTrain({ id: 'first', sessionId: 'ses_1' });
  const same = aTrain({ id: 'same', sessionId: 'ses_1' });
  const other = aTrain({ id: 'other', sessionId: 'ses_2' });
  expect(diagram([first, same]).lanes[0]?.task).toBe('Release 2.4.0');
  expect(diagram([first, same, other]).lanes[0]?.task).toBe('3 calls');
});

test('lanes are roomy until nine of them are drawn, however many providers have never called', () => {
  const of = (lanes: number): readonly Train[] =>
    Array.from({ length: lanes }, (_, at) => aTrain({ id: `t${at}`, provider: `agent-${at}` }));
  const heights = [8, 9].map((lanes) => diagram(of(lanes), ['never-1', 'never-2']).lanes[0]?.height);
  expect(heights).toEqual([92, 56]);
});
