import { expect, test } from 'vitest';
import { neededParts } from './needed-parts.ts';

const programsOf = (line: string): readonly string[] =>
  neededParts(line, '.').map(({ at, program }) => `${at} ${program}`);

test.each([
  ['make x', ['1 make']],
  ['make "$X" > out.txt', ['1 make']],
  ['CI=1 make', ['1 make']],
  ['make <<< text', ['1 make']],
  ['make | head -5', ['1 make', '2 head']],
  ['make 2>&1 | "$PAGER" | wc', ['1 make', '3 wc']],
  ['make && touch x', ['1 make']],
  ['make || echo "failed: $?"; exit 1', ['1 make']],
  ['make | cat; echo done >/dev/null 2>&1', ['1 make', '2 cat']],
  ['cd a && make', ['1 cd', '2 make']],
  ['set -e; echo x | : && pwd; make', ['5 make']],
])('each command of %j is needed that is run whatever happens before', (line, needed) => {
  expect(programsOf(line)).toEqual(needed);
});

test.each([
  // Something is left that does its work, or the command may not be run.
  ['make; touch x', []],
  ['make || touch x', []],
  ['make | cat && touch x', ['2 cat']],
  ['make && touch x || touch y', []],
  ['true || make', []],
  ['exit; make', []],
  ['test -f a && make', ['1 test']],
  ['make &', []],
  ['! make', []],
  ['time make', []],
  // What comes before may bring it, name it or lead to it.
  ['touch x; make', []],
  ['f() { touch x; }; f', []],
  ['PATH=bin make', []],
  ['X=bin; make', []],
  ['> x; make', []],
  ['(make)', []],
  ['make "$(touch x)"', []],
  ['diff <(touch x) y', []],
  ['echo "${X:=y}"; make', []],
  ['echo x > bin/make; make', []],
  ['make | while read x; do touch "$x"; done', []],
  // What can't be read.
  ['make "', []],
  ['', []],
])('of %j only what is certain is needed', (line, needed) => {
  expect(programsOf(line)).toEqual(needed);
});

test('a part knows its folder, its words and that it is the only one', () => {
  expect(neededParts('make x "$Y"', 'sub')).toEqual([
    { program: 'make', args: ['x', null], text: 'make x "$Y"', at: 1, isAlone: true, cwd: 'sub' },
  ]);
  const folderOf = (line: string) => neededParts(line, 'sub').at(-1)?.cwd;
  expect(folderOf('cd a/../b && make')).toBe('sub/b');
  expect(folderOf('cd a && cd .. && make')).toBe('sub');
  expect(folderOf('cd a | cd b; make')).toBe('sub');
  for (const unknown of ['cd', 'cd "$X"', 'cd /x', 'cd ../..', 'cd ../.. && cd sub'])
    expect([unknown, folderOf(`${unknown} && make`)]).toEqual([unknown, null]);
  expect(neededParts('cd a && make', '.').map(({ text, isAlone }) => [text, isAlone])).toEqual([
    ['cd a', false],
    ['make', false],
  ]);
});

test('no more than eight parts are told of a line', () => {
  expect(programsOf('echo a; '.repeat(20))).toHaveLength(8);
  expect(programsOf(Array.from({ length: 20 }, () => 'cat').join(' | '))).toHaveLength(8);
});
