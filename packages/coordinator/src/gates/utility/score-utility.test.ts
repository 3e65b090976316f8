import { CommandId } from '@signalbox/core';
import { aCommandId } from '@signalbox/core/testing';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type EarlierResult, scoreOf, scoreUtility, type UtilityTerms } from './score-utility.ts';
import { shinglesOf, similarity } from './shingles.ts';

function past(line: string, output: string, overrides: Partial<EarlierResult> = {}): EarlierResult {
  return {
    commandId: aCommandId(),
    key: `bash ${line}`,
    program: line.split(' ')[0] ?? '',
    words: shinglesOf(line),
    output: shinglesOf(output),
    isEmpty: output === '',
    isFresh: true,
    ...overrides,
  };
}

const LONG = Array.from({ length: 500 }, (_, at) => `line ${at} of a file`).join('\n');
const call = (line: string) => past(line, '');
const scored = (
  line: string,
  earlier: readonly EarlierResult[],
  { tokens = 200 }: { readonly tokens?: number | null } = {},
) => scoreUtility(call(line), { past: earlier, tokens });

test('a new call is useful, the same one on unchanged files is not, and on changed files it is again (S001-113)', () => {
  expect(scored('cat a.ts', [])).toEqual({
    terms: { gain: 0.9, cost: expect.closeTo(0.09, 2), redundancy: 0, exploration: 1 },
    score: 1,
    source: null,
  });
  const again = scored('cat a.ts', [past('ls', 'a.ts'), past('cat a.ts', LONG)]);
  expect(again.terms).toMatchObject({ gain: 0.5, redundancy: 0.9, exploration: 0.5 });
  expect(again.score).toBeLessThan(0);
  expect(again.source).toMatchObject({ callsAgo: 2 });
  const changed = scored('cat a.ts', [past('cat a.ts', LONG, { isFresh: false })]);
  expect(changed.terms).toMatchObject({ gain: 0.9, redundancy: 0 });
});

test('a third equal answer is certain, and a program that answers differently each time is not redundant', () => {
  const same = [past('cat a.ts', LONG), past('cat a.ts', LONG)];
  expect(scored('cat a.ts', same).terms.redundancy).toBe(1);
  const varying = [past('date', 'Fri 10:00:01'), past('date', 'Fri 10:00:07 other words here')];
  expect(scored('date', varying).terms.redundancy).toBe(0);
});

test('pages of one file are useful, and variations of a call whose answers are alike are not', () => {
  const pages = [1, 51, 101].map((from) =>
    past(
      `sed -n ${from},${from + 49}p a.ts`,
      LONG.split('\n')
        .slice(from, from + 50)
        .join('\n'),
    ),
  );
  expect(scored('sed -n 151,200p a.ts', pages).terms.redundancy).toBeLessThan(0.1);
  const alike = ['grep -rn total src lib web', 'grep -rn total src lib web .'].map((line) =>
    past(line, LONG),
  );
  const varied = scored('grep -rn total src lib web ./', alike);
  expect(varied.terms.redundancy).toBeGreaterThan(0.5);
});

test('only what was asked for before is a repetition, and the latest result that it would repeat is named (S001-113)', () => {
  const other = scored('cat b.ts', [past('cat a.ts', ''), past('ls', ''), past('ls', '')]);
  expect(other.terms).toMatchObject({ gain: 0.9, exploration: expect.closeTo(2 / 3, 5) });
  const line = 'grep -rn total src lib web';
  const equal = scored(line, [past(line, LONG), past(`${line} .`, LONG)]);
  expect([equal.terms.redundancy, equal.source?.callsAgo]).toEqual([0.9, 1]);
  expect(scored(line, [past(line, LONG), past(line, LONG)]).source?.callsAgo).toBe(1);
  const differs = [past('date', 'one'), past('date', 'one'), past('date', 'two other words')];
  expect(scored('date', differs).terms.redundancy).toBe(0);
});

test('similar words promise a similar answer only of one program, whose answers to other calls were alike (S001-113)', () => {
  const line = 'grep -rn total src lib web';
  const redundancy = (...earlier: readonly EarlierResult[]): number =>
    scored(`${line} ./`, earlier).terms.redundancy;
  const [one, other] = [past(line, LONG), past(`${line} .`, LONG)];
  expect(redundancy(one, other)).toBeGreaterThan(0.5);
  expect(redundancy(one)).toBe(0);
  expect(redundancy(one, past(line, LONG))).toBe(0);
  expect(redundancy(one, { ...other, isFresh: false })).toBe(0);
  expect(redundancy(one, { ...other, program: 'rg' })).toBe(0);
  expect(redundancy({ ...one, program: 'rg' }, { ...other, program: 'rg' })).toBe(0);
  expect(redundancy(one, other, past(`${line} app`, 'nothing of that'))).toBeLessThan(0.1);
  expect(redundancy(past('grep a', LONG), past('grep b', LONG))).toBe(0);
});

test('an empty answer promises less than any other, and a longer one costs more', () => {
  expect(scored('grep x a.ts', [past('grep x a.ts', '')]).terms.gain).toBe(0.2);
  expect(scored('cat a.ts', [], { tokens: 50_000 }).terms.cost).toBeGreaterThan(
    scored('cat a.ts', [], { tokens: 500 }).terms.cost,
  );
  expect(scored('cat a.ts', [], { tokens: null }).terms.cost).toBe(0);
});

const result: fc.Arbitrary<EarlierResult> = fc
  .record({
    line: fc.constantFrom('cat a.ts', 'cat b.ts', 'ls -l src', 'ls src', 'grep -n x a.ts'),
    output: fc.string({ maxLength: 80 }),
    isFresh: fc.boolean(),
  })
  .map(({ line, output, isFresh }) =>
    past(line, output, { isFresh, commandId: CommandId.parse(aCommandId()) }),
  );

test('property: every term is within 0…1 and the score within -1…1, whatever came before', () => {
  fc.assert(
    fc.property(fc.array(result, { maxLength: 20 }), fc.option(fc.nat(10_000_000)), (earlier, tokens) => {
      const { terms, score } = scored('cat a.ts', earlier, { tokens });
      for (const term of Object.values(terms)) {
        expect(term).toBeGreaterThanOrEqual(0);
        expect(term).toBeLessThanOrEqual(1);
      }
      expect(Math.abs(score)).toBeLessThanOrEqual(1);
    }),
  );
});

const term = fc.double({ min: 0, max: 1, noNaN: true });
const terms: fc.Arbitrary<UtilityTerms> = fc.record({
  gain: term,
  cost: term,
  redundancy: term,
  exploration: term,
});

test('property: more redundancy or cost never raises the score, more gain or exploration never lowers it', () => {
  fc.assert(
    fc.property(terms, term, (given, other) => {
      const [less, more] = [given.redundancy, other].toSorted((a, b) => a - b) as [number, number];
      expect(scoreOf({ ...given, redundancy: more })).toBeLessThanOrEqual(
        scoreOf({ ...given, redundancy: less }),
      );
      expect(scoreOf({ ...given, cost: more })).toBeLessThanOrEqual(scoreOf({ ...given, cost: less }));
      expect(scoreOf({ ...given, gain: more })).toBeGreaterThanOrEqual(scoreOf({ ...given, gain: less }));
      expect(scoreOf({ ...given, exploration: more })).toBeGreaterThanOrEqual(
        scoreOf({ ...given, exploration: less }),
      );
    }),
  );
});

test('property: similarity is symmetric, within 0…1, and 1 for equal texts', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (a, b) => {
      const [one, other] = [shinglesOf(a), shinglesOf(b)];
      expect(similarity(one, other)).toBe(similarity(other, one));
      expect(similarity(one, other)).toBeLessThanOrEqual(1);
      expect(similarity(one, shinglesOf(a))).toBe(1);
    }),
  );
});
