import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { needsAttention } from '../workspace/command-text.ts';
import { aSummary } from '../workspace/testing/a-summary.ts';
import { laneNotes, layLane, MAX_ROWS } from './lane-items.ts';

const axis = { now: 120_000, windowMs: 120_000, width: 480 };

function done(
  id: string,
  startedAt: number,
  { endedAt, more = {} }: Readonly<{ endedAt: number; more?: object }>,
) {
  return aSummary({ id, state: 'done', startedAt, endedAt, outcome: 'completed', ...more });
}

test('a running command ends at Now, a long one that ended is a pill, a short one a dot', () => {
  const { items, rows } = layLane(
    [
      done('long', 10_000, { endedAt: 40_000 }),
      done('short', 50_000, { endedAt: 50_100 }),
      aSummary({ id: 'alive', state: 'running', startedAt: 60_000 }),
    ],
    axis,
  );
  expect(rows).toBe(1);
  expect(items).toMatchObject([
    { kind: 'pill', left: 40, width: 120, row: 0 },
    { kind: 'bead', left: 200, row: 0 },
    { kind: 'block', left: 240, row: 0 },
  ]);
});

test('overlapping dots become a number, and a failure never hides among successes', () => {
  const { items } = layLane(
    [
      done('a', 50_000, { endedAt: 50_010 }),
      done('b', 51_000, { endedAt: 51_010 }),
      done('bad', 52_000, { endedAt: 52_010, more: { outcome: 'failed' } }),
      done('c', 52_100, { endedAt: 52_110 }),
    ],
    axis,
  );
  const dots = items.flatMap((item) => (item.kind === 'bead' ? [item.summaries.map(({ id }) => id)] : []));
  expect(dots).toEqual([['a', 'b'], ['bad'], ['c']]);
});

test('concurrent commands are in separate rows, and those without one are counted', () => {
  const alive = Array.from({ length: 5 }, (_, at) =>
    aSummary({ id: `t${at}`, state: 'running', startedAt: 10_000 * (at + 1) }),
  );
  const { items, rows, more } = layLane(alive, axis);
  expect([items.length, rows, more.map(({ id }) => id)]).toEqual([3, MAX_ROWS, ['t3', 't4']]);
});

test('consecutive calls need one row: an ended command makes space for a running one', () => {
  const { items, rows } = layLane(
    [
      done('before', 117_000, { endedAt: 118_500 }),
      aSummary({ id: 'alive', state: 'running', startedAt: 119_000 }),
      done('beside', 119_200, { endedAt: 119_800 }),
    ],
    axis,
  );
  expect(rows).toBe(2);
  expect(items).toMatchObject([
    { kind: 'bead', row: 0, left: 356 },
    { kind: 'bead', row: 1 },
    { kind: 'block', row: 0, left: 368 },
  ]);
});

test('dots before a long command are left of it, and those after it right of it', () => {
  const { items } = layLane(
    [
      done('read', 40_000, { endedAt: 40_010 }),
      done('bad', 40_100, { endedAt: 40_200, more: { outcome: 'failed' } }),
      done('long', 40_400, { endedAt: 80_000 }),
      done('after', 80_200, { endedAt: 80_210 }),
    ],
    axis,
  );
  expect(items).toMatchObject([
    { kind: 'bead', left: 126 },
    { kind: 'bead', left: 150 },
    { kind: 'pill', left: 162, width: 158 },
    { kind: 'bead', left: 332 },
  ]);
});

test('no command is lost: each one of the window is drawn once or counted', () => {
  const any = fc
    .record({ start: fc.nat(120_000), took: fc.nat(60_000), isAlive: fc.boolean(), isBad: fc.boolean() })
    .map(({ start, took, isAlive, isBad }, at = 0) =>
      isAlive
        ? aSummary({ id: `${start} ${took} ${at}`, state: 'running', startedAt: start })
        : done(`${start} ${took} ${at}`, start, {
            endedAt: Math.min(120_000, start + took),
            more: {
              outcome: isBad ? 'failed' : 'completed',
            },
          }),
    );
  fc.assert(
    fc.property(fc.uniqueArray(any, { selector: ({ id }) => id, maxLength: 40 }), (summaries) => {
      const { items, more } = layLane(summaries, axis);
      const drawn = items.flatMap((item) => (item.kind === 'bead' ? item.summaries : [item.summary]));
      expect([...drawn, ...more].map(({ id }) => id).toSorted()).toEqual(
        summaries.map(({ id }) => id).toSorted(),
      );
      const mixed = items.filter(
        (item) =>
          item.kind === 'bead' &&
          item.summaries.some(needsAttention) &&
          !item.summaries.every(needsAttention),
      );
      expect(mixed).toEqual([]);
    }),
  );
});

test('notes never overlap, and failures keep their text first', () => {
  const summaries = Array.from({ length: 12 }, (_, at) =>
    done(`n${at}`, at * 9000, {
      endedAt: at * 9000 + 10,
      more: {
        title: 'bash a rather long command line',
        outcome: at === 5 ? 'failed' : 'completed',
      },
    }),
  );
  const notes = laneNotes(layLane(summaries, axis), axis.width).toSorted((a, b) => a.left - b.left);
  expect(notes.filter(({ isBad }) => isBad)).toHaveLength(1);
  const ends = notes.map(({ left, text }) => left + text.length * 5.9);
  expect(notes.slice(1).every(({ left }, at) => left >= (ends[at] ?? 0))).toBe(true);
});

test('however much happens at once, dots are side by side and left of Now', () => {
  const summaries = Array.from({ length: 300 }, (_, at) =>
    done(`b${at}`, 110_000 + at * 20, {
      endedAt: 110_010 + at * 20,
      more: { outcome: at % 3 === 0 ? 'failed' : 'completed' },
    }),
  );
  const lefts = layLane(summaries, axis).items.map(({ left }) => left);
  expect(Math.max(...lefts)).toBeLessThanOrEqual(axis.width - 12);
  expect(Math.min(...lefts)).toBeGreaterThanOrEqual(12);
  expect(lefts.slice(1).every((left, at) => left - (lefts[at] ?? 0) >= 24)).toBe(true);
});
