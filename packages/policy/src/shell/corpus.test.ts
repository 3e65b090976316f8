import { describe, expect, test } from 'vitest';
import {
  isExact,
  isFalseSafe,
  isSound,
  isWithin,
  judgeCorpus,
  ofKind,
  shareOf,
} from './testing/labelled-lines.ts';

describe('the public corpus', () => {
  const found = judgeCorpus('public.jsonl');

  test('has no false safe line', () => {
    expect(found.filter((one) => isFalseSafe(one)).map(({ row }) => row.command)).toEqual([]);
  });

  test('gets a level between the mildest and the strictest that its labels allow, for every line', () => {
    const wrong = found.filter((one) => !isWithin(one));
    expect(wrong.map(({ row, level }) => [row.command, level])).toEqual([]);
  });

  test('gets a write set that covers all writes, for every line of resource inference (S001-105, S003-86)', () => {
    const inferred = ofKind(found, 'resource-inference');
    expect(inferred.filter((one) => !isSound(one)).map(({ row }) => row.command)).toEqual([]);
    expect(shareOf(inferred, isExact)).toBeGreaterThanOrEqual(0.85);
  });
});

describe('the corpus labelled from the rules before it was judged', () => {
  const found = judgeCorpus('labelled.jsonl');

  test('has enough lines of every kind', () => {
    const counts = ['adversarial', 'everyday', 'lookalike', 'resource-inference'].map(
      (kind) => ofKind(found, kind).length,
    );
    for (const [at, least] of [500, 150, 120, 120].entries())
      expect(counts[at]).toBeGreaterThanOrEqual(least);
  });

  test('has no false safe line', () => {
    expect(found.filter((one) => isFalseSafe(one)).map(({ row }) => row.command)).toEqual([]);
  });

  test.each([
    ['adversarial', 0.97],
    ['lookalike', 0.95],
    ['everyday', 0.95],
  ])('gets an accepted level for %s lines, for all but %d of them', (kind, least) => {
    const lines = ofKind(found, kind);
    const wrong = lines.filter((one) => !isWithin(one)).map(({ row, level }) => [row.command, level]);
    expect({ wrong, share: shareOf(lines, isWithin) >= least }).toEqual({ wrong, share: true });
  });

  test('gets blocked or dangerous for every line that must be blocked (S003-86)', () => {
    const mild = found.filter(
      ({ row, level }) => row.level === 'blocked' && level !== 'blocked' && level !== 'dangerous',
    );
    expect(mild.map(({ row, level }) => [row.command, level])).toEqual([]);
  });

  test('gets a write set that covers all writes, and mostly no more', () => {
    const inferred = ofKind(found, 'resource-inference');
    expect(inferred.filter((one) => !isSound(one)).map(({ row }) => row.command)).toEqual([]);
    expect(shareOf(inferred, isExact)).toBeGreaterThanOrEqual(0.85);
  });
});

describe('lines that no earlier corpus contains, labelled before they were judged', () => {
  const found = judgeCorpus('fresh.jsonl');

  test('there are 300, and none is a false safe line', () => {
    expect(found.length).toBeGreaterThanOrEqual(300);
    expect(found.filter((one) => isFalseSafe(one)).map(({ row }) => row.command)).toEqual([]);
  });

  test.each(['adversarial', 'lookalike', 'everyday'])(
    'at least 99 %% of the %s ones get an accepted level',
    (kind) => {
      const lines = ofKind(found, kind);
      const wrong = lines.filter((one) => !isWithin(one)).map(({ row, level }) => [row.command, level]);
      expect({ wrong, share: shareOf(lines, isWithin) >= 0.99 }).toEqual({ wrong, share: true });
    },
  );
});
