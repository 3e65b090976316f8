import type { CommandRecord, OutcomeKind } from '@signalbox/core';
import { aCommandRecord, ended } from '@signalbox/core/testing';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { timelineOf } from './timeline.ts';

function done(
  submittedAt: number,
  {
    outcome = 'completed',
    title = 'bash npm test',
  }: Readonly<{ outcome?: OutcomeKind; title?: string }> = {},
): CommandRecord {
  return ended({ ...aCommandRecord(), submittedAt, startedAt: submittedAt + 60, title }, { outcome });
}

test('commands are counted in the interval in which they were submitted', () => {
  const { bucketMs, buckets } = timelineOf(
    [
      done(0),
      done(99, { outcome: 'failed' }),
      done(100, { outcome: 'denied' }),
      done(299, { outcome: 'cancelled' }),
      done(300, { outcome: 'conflict' }),
    ],
    { from: 0, to: 300, buckets: 3 },
  );
  expect(bucketMs).toBe(100);
  expect(buckets.map(({ at, commands }) => [at, commands])).toEqual([
    [0, 2],
    [100, 1],
    [200, 2],
  ]);
  expect(buckets[0]).toMatchObject({ completed: 1, failed: 1, medianMs: 40, longestWaitMs: 60 });
  expect(buckets[2]).toMatchObject({ failed: 1, cancelled: 1, denied: 0 });
});

test('each ended command within the range counts once, and nothing else does', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: -50, max: 350 }), { maxLength: 40 }),
      fc.integer({ min: 1, max: 40 }),
      (times, count) => {
        const alive = aCommandRecord({ submittedAt: 10 });
        const { buckets } = timelineOf([alive, ...times.map((at) => done(at))], {
          from: 0,
          to: 300,
          buckets: count,
        });
        expect(buckets).toHaveLength(count);
        expect(buckets.reduce((sum, { commands }) => sum + commands, 0)).toBe(
          times.filter((at) => at >= 0 && at <= 300).length,
        );
      },
    ),
  );
});

test('the most frequent command comes first, with how often it did not succeed (S003-45, L-20)', () => {
  const { mostUsed } = timelineOf(
    [
      done(1, { outcome: 'completed', title: 'bash ls' }),
      done(2),
      done(3, { outcome: 'failed' }),
      done(4, { outcome: 'denied' }),
    ],
    { from: 0, to: 10, buckets: 1 },
  );
  expect(mostUsed).toEqual([
    { title: 'bash npm test', commands: 3, failed: 1, medianMs: 40 },
    { title: 'bash ls', commands: 1, failed: 0, medianMs: 40 },
  ]);
});
