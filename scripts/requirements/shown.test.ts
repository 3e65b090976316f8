import { expect, test } from 'vitest';
import type { Mark } from './marks.ts';
import { notShown, type RunTest } from './shown.ts';

const ROWS = [
  { id: 'X-01', demand: 'One.', state: 'done' },
  { id: 'X-02', demand: 'Two.', state: 'open', note: 'Nothing yet.' },
] as const;

const mark = (titles: readonly string[], file = 'a.test.ts'): Mark => ({
  file,
  titles,
  ids: ['X-01'],
  state: 'runs',
});
const ran = (titles: readonly string[], more: Partial<RunTest> = {}): RunTest => ({
  file: 'a.test.ts',
  titles,
  passed: true,
  ...more,
});

test('a done row is shown when one of its tests passed', () => {
  const marks = [mark(['a (X-01)']), mark(['b (X-01)'])];
  expect(
    notShown([ran(['a (X-01)'], { passed: false }), ran(['b (X-01)'])], { rows: ROWS, marks: marks }),
  ).toEqual([]);
  expect(
    notShown([ran(['a (X-01)'], { passed: false }), ran(['b (X-01)'], { passed: false })], {
      rows: ROWS,
      marks: marks,
    }),
  ).toEqual(['X-01: none of its tests passed: a.test.ts › a (X-01), a.test.ts › b (X-01)']);
});

test('a test that was renamed or never registered does not show its row', () => {
  expect(notShown([ran(['another'])], { rows: ROWS, marks: [mark(['a (X-01)'])] })).toHaveLength(1);
});

test('a run without all files of a row says nothing about it', () => {
  const marks = [mark(['a (X-01)']), mark(['b (X-01)'], 'b.test.ts')];
  expect(notShown([ran(['a (X-01)'], { passed: false })], { rows: ROWS, marks: marks })).toEqual([]);
});

test('the title of a suite names its tests, and filled-in values match', () => {
  expect(notShown([ran(['outer (X-01)', 'inner'])], { rows: ROWS, marks: [mark(['outer (X-01)'])] })).toEqual(
    [],
  );
  expect(
    notShown([ran(['in a.b: c, d (X-01)'])], { rows: ROWS, marks: [mark(['in ${…}: %s, $name (X-01)'])] }),
  ).toEqual([]);
  expect(notShown([ran(['a (X-01)'])], { rows: ROWS, marks: [mark(['outer', 'a (X-01)'])] })).toHaveLength(1);
});

test('a contract is shown by any file that runs it, and by none it is not missing', () => {
  const contract = [mark(['${…} keeps:', 'a (X-01)'], 'x-contract.ts')];
  const inFile = ['Redis', 'Redis keeps:', 'a (X-01)'];
  expect(notShown([ran(inFile, { file: 'redis.test.ts' })], { rows: ROWS, marks: contract })).toEqual([]);
  expect(
    notShown([ran(inFile, { file: 'redis.test.ts', passed: false })], { rows: ROWS, marks: contract }),
  ).toHaveLength(1);
  expect(notShown([ran(['other'])], { rows: ROWS, marks: contract })).toEqual([]);
});
