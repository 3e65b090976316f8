import { expect, test } from 'vitest';
import { marksIn } from './marks.ts';

const marks = (text: string) =>
  marksIn({ path: 'a.test.ts', text }).map(
    ({ titles, ids, state }) => `${titles.join(' › ')} = ${ids.join(' ')}: ${state}`,
  );

test('a title names ids in brackets, one by one or as a range', () => {
  expect(
    marks(`
      test('one waits (S003-72)', () => {});
      it('several (S003-14, X-15), (U-01)', () => {});
      test('short range (S000-49…52)', () => {});
      test('long range (S003-25 to S003-27)', () => {});
      test('none (see above)', () => {});
    `),
  ).toEqual([
    'one waits (S003-72) = S003-72: runs',
    'several (S003-14, X-15), (U-01) = S003-14 X-15 U-01: runs',
    'short range (S000-49…52) = S000-49 S000-50 S000-51 S000-52: runs',
    'long range (S003-25 to S003-27) = S003-25 S003-26 S003-27: runs',
  ]);
});

test('other brackets name no requirement', () => {
  expect(marks(`test('a (F5), (U-B1), (see X-01), b(1)', () => {});`)).toEqual([]);
});

test('skipped and unwritten tests are told from those that run', () => {
  expect(
    marks(`
      test.skip('a (X-01)', () => {});
      test.todo('b (X-02)');
      test.skipIf(noBrowser)('c (X-03)', () => {});
      test.concurrent('d (X-04)', () => {});
    `),
  ).toEqual([
    'a (X-01) = X-01: skipped',
    'b (X-02) = X-02: todo',
    'c (X-03) = X-03: runs',
    'd (X-04) = X-04: runs',
  ]);
});

test('the title of a suite holds for its tests, and nothing in a skipped suite runs', () => {
  expect(
    marks(`
      describe('outer (X-01)', () => {
        describe('inner', () => { test('a (X-02)', () => {}); });
      });
      describe('only skipped (X-03)', () => { test.skip('b', () => {}); });
      describe.skip('skipped', () => { test('c (X-04)', () => {}); });
    `),
  ).toEqual([
    'outer (X-01) = X-01: runs',
    'outer (X-01) › inner › a (X-02) = X-02: runs',
    'only skipped (X-03) = X-03: skipped',
    'skipped › c (X-04) = X-04: skipped',
  ]);
});

test('values of the run stand as ${…} in template titles, and tests of a table count once', () => {
  expect(
    marks(
      [
        "test.each([1, 2])('%d (X-01)', () => {});",
        'test.each`a | b`("$a (X-02)", () => {});',
        'for (const n of [1]) test(`n ${n} (X-03)`, () => {});',
        'test("joined " + "title (X-04)", () => {});',
        "describe.each(ALL)('$name', () => { test('in (X-05)', () => {}); });",
      ].join('\n'),
    ),
  ).toEqual([
    '%d (X-01) = X-01: runs',
    '$a (X-02) = X-02: runs',
    'n ${…} (X-03) = X-03: runs',
    'joined title (X-04) = X-04: runs',
    '$name › in (X-05) = X-05: runs',
  ]);
});

test('another name for a test is followed, and other calls and plain text are not', () => {
  expect(
    marks(`
      const inBrowser = test.skipIf(noBrowser);
      inBrowser('a (X-01)', () => {});
      const withParts = test.extend({ parts: async ({}, use) => { await use('(X-02)'); } });
      withParts('b (X-03)', () => {});
      expect('c (X-04)').toBe(1);
      // test('d (X-05)', () => {});
      const page = \`test('e (X-06)', () => {})\`;
      export function contract() { test('f (X-07)', () => {}); }
    `),
  ).toEqual(['a (X-01) = X-01: runs', 'b (X-03) = X-03: runs', 'f (X-07) = X-07: runs']);
});
