import { expect, test } from 'vitest';
import { aSummary } from './testing/a-summary.ts';
import { ordinal, waitOf } from './waits.ts';

const holder = aSummary({
  id: 'holder',
  state: 'running',
  claims: [{ resource: 'tree:src', access: 'write' }],
});
const earlier = aSummary({
  id: 'earlier',
  state: 'queued',
  claims: [{ resource: 'path:src/a.ts', access: 'write' }],
});
const waiter = aSummary({
  id: 'waiter',
  state: 'queued',
  blockers: ['holder', 'earlier', 'gone'],
  claims: [
    { resource: 'path:README.md', access: 'read' },
    { resource: 'path:src/a.ts', access: 'write' },
  ],
});

function summariesIn(...summaries: readonly ReturnType<typeof aSummary>[]) {
  return new Map(summaries.map((summary) => [summary.id, summary]));
}

test('a waiter knows its place in line, the holders of what it wants, and the contested claim', () => {
  expect(waitOf(waiter, summariesIn(holder, earlier, waiter))).toEqual({
    position: 2,
    holders: [holder],
    claim: { resource: 'path:src/a.ts', access: 'write' },
  });
});

test('an ended command blocks no other', () => {
  const ended = summariesIn({ ...holder, state: 'done' }, { ...earlier, state: 'done' }, waiter);
  expect(waitOf(waiter, ended)).toEqual({ position: 1, holders: [], claim: null });
});

test('places in line are ordinal numbers', () => {
  expect([1, 2, 3, 4, 11, 12, 13, 21, 22, 101, 111].map(ordinal)).toEqual([
    '1st',
    '2nd',
    '3rd',
    '4th',
    '11th',
    '12th',
    '13th',
    '21st',
    '22nd',
    '101st',
    '111th',
  ]);
});
