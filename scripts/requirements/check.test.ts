import { expect, test } from 'vitest';
import { contradictions } from './check.ts';
import { parseRequirements } from './data.ts';
import type { Mark } from './marks.ts';

const mark = (ids: readonly string[], state: Mark['state'] = 'runs'): Mark => ({
  file: 'a.test.ts',
  titles: ['works'],
  ids,
  state,
});

const requirements = (rows: string, demands = 'X-01…02') =>
  parseRequirements(`
demands: ${demands}
sections:
  - title: Decisions
    rows:
${rows}
capabilities:
  - { id: A1, title: tools, rows: X-01 }
`);

const TWO = `
      - { id: X-01, demand: One., state: done }
      - { id: X-02, demand: Two., state: open, note: Nothing yet. }
`;

test('rows, demands and marks that fit contradict nothing', () => {
  expect(contradictions(requirements(TWO), [mark(['X-01'])])).toEqual([]);
});

test('a done row needs a test that runs', () => {
  const fault = 'X-01: no test that runs names it, and a row that is "done" needs one';
  expect(contradictions(requirements(TWO), [])).toEqual([fault]);
  expect(contradictions(requirements(TWO), [mark(['X-01'], 'skipped'), mark(['X-01'], 'todo')])).toEqual([
    fault,
  ]);
});

test('a row that deviates needs a test of what is built instead', () => {
  const row = '      - { id: X-01, demand: One., state: deviates, reason: R., letter: L. }';
  const deviating = requirements(row, 'X-01');
  expect(contradictions(deviating, [])).toEqual([
    'X-01: no test that runs names it, and a row that is "deviates" needs one',
  ]);
  expect(contradictions(deviating, [mark(['X-01'])])).toEqual([]);
});

test('a test names only ids that have a row, and no row that is open', () => {
  expect(contradictions(requirements(TWO), [mark(['X-01', 'X-02', 'X-03'])])).toEqual([
    'a.test.ts › works: X-03 has no row',
    'X-02 is open, but a test names it: a.test.ts › works',
  ]);
});

test('every demand has one row, in the order of the list', () => {
  const marks = [mark(['X-01'])];
  expect(contradictions(requirements(TWO, 'X-01…03'), marks)).toEqual(['X-03 has no row']);
  expect(contradictions(requirements(TWO, 'X-01'), marks)).toEqual(['X-02 is not in the list of demands']);
  expect(contradictions(requirements(TWO, 'X-02, X-01'), marks)).toEqual(['X-01 stands before X-02']);
  const twice = `${TWO}      - { id: X-02, demand: Two., state: open, note: Again. }`;
  expect(contradictions(requirements(twice), marks)).toEqual(['X-02 has two rows']);
});

test('a capability covers only demands that have a row', () => {
  const only = '      - { id: X-02, demand: Two., state: open, note: Nothing yet. }';
  expect(contradictions(requirements(only, 'X-02'), [])).toEqual(['A1: covers X-01, which has no row']);
});

test('a row without what its state needs is refused', () => {
  expect(() => requirements('      - { id: X-01, demand: One., state: partly }', 'X-01')).toThrow('note');
  expect(() =>
    requirements('      - { id: X-01, demand: One., state: deviates, reason: R }', 'X-01'),
  ).toThrow('letter');
  expect(() => requirements(TWO, 'X-01, none')).toThrow('"none" is no id');
});
