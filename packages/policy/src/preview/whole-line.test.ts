import { expect, test } from 'vitest';
import { wholeLine } from './whole-line.ts';

const programsOf = (line: string): readonly string[] =>
  wholeLine(line, 'sub').map(({ at, program }) => `${at} ${program}`);

test.each([
  ['make', ['1 make']],
  ['(make)', ['1 make']],
  ['{ make; }', ['1 make']],
  ['make x; ninja y', ['1 make', '2 ninja']],
  ['(cd a && make) || echo no; exit 1', ['2 make']],
  ['make && ninja | cat', ['1 make', '2 ninja', '3 cat']],
  ['set -e; make 2>&1', ['2 make']],
  ['echo x > a; make', ['1 echo', '2 make']],
  ['set -n; make', ['1 set', '2 make']],
])('each effective command of %j', (line, programs) => {
  expect(programsOf(line)).toEqual(programs);
});

test.each([
  'make &',
  '(make) &',
  '! make',
  'time make',
  'f() { touch x; }; f',
  'if make; then ninja; fi',
  'for x in a; do make; done; ninja',
  'make "$(touch x)"',
  'PATH=bin make; ninja',
  'X=1; make',
  '"$X"; make',
  'make "',
  '',
  'true',
  'a; '.repeat(9),
])('%j is not recognised', (line) => {
  expect(programsOf(line)).toEqual([]);
});

test('a part knows its folder, unless the line changes it', () => {
  expect(wholeLine('(make x)', 'sub')).toEqual([
    { program: 'make', args: ['x'], inputs: [], text: 'make x', at: 1, isAlone: true, cwd: 'sub' },
  ]);
  expect(wholeLine('cd a; make', 'sub')).toMatchObject([
    { program: 'make', at: 2, isAlone: false, cwd: null },
  ]);
});
