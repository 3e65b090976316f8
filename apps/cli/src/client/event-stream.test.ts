import { aSubmittedEvent } from '@signalbox/core/testing';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createFrameReader } from './event-stream.ts';

const event = { ...aSubmittedEvent(), id: '5-1', at: 5 };
const STREAM = [
  'retry: 1000\nevent: hello\ndata: {"now":1,"lastId":null}',
  `id: 5-1\ndata: ${JSON.stringify(event)}`,
  ': still here',
  'id: 5-2\ndata: {"type":"of_a_newer_server","id":"5-2","at":5}',
  'data: no json',
  'event: reset\ndata: {"now":1,"lastId":"9-0"}',
  'event: away\ndata: {"since":7,"asOf":6,"why":"Redis does not answer"}',
  'event: away\ndata: {}',
  'event: hello\ndata: {"lastId":5}',
  'event: back\ndata: {}',
  '',
].join('\n\n');

test('events and resets are read however the stream is split; unknown ones are skipped', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: STREAM.length })), (cuts) => {
      const read = createFrameReader();
      const ends = [...cuts.toSorted((a, b) => a - b), STREAM.length];
      const frames = ends.flatMap((end, i) => read(STREAM.slice(i === 0 ? 0 : ends[i - 1], end)));
      expect(frames).toEqual([
        { kind: 'hello', lastId: null },
        { kind: 'event', event },
        { kind: 'reset', lastId: '9-0' },
        { kind: 'away', asOf: 6, why: 'Redis does not answer' },
        { kind: 'back' },
      ]);
    }),
  );
});

test('lines may end as any server ends them', () => {
  const read = createFrameReader();
  expect(read(`:\r\ndata:${JSON.stringify(event)}\r\n\r`)).toEqual([{ kind: 'event', event }]);
});

test.each([
  ['a line', `data: ${'x'.repeat(100)}`],
  ['an event', 'data: xxxxxxxxxx\n'.repeat(10)],
])('%s that is over the bound ends the reading before all of it is kept', (_what, text) => {
  const read = createFrameReader(99);
  expect(() => read(text)).toThrow('Cannot read the answer: it is larger than 99 bytes');
});
