import { expect, test } from 'vitest';
import { neededParts } from './needed-parts.ts';

const programsOf = (line: string): readonly string[] =>
  neededParts(line, '.').map(({ at, program }) => `${at} ${program}`);

test.each([
  ['make x', ['1 make']],
  ['make "$X" > out.txt', ['1 make']],
  ['CI=1 make', ['1 make']],
  ['make <<< text', ['1 make']],
  ['make | head -5', ['1 make']],
  ['cat x | head -5', ['1 cat', '2 head']],
  ['make 2>&1 | grep -v "$X" | wc', ['1 make']],
  ['cat x | make > out.txt', ['2 make']],
  ['make && touch x', ['1 make']],
  ['make || echo "failed: $?"; exit 1', ['1 make']],
  ['make | cat; echo done >/dev/null 2>&1', ['1 make']],
  ['cd a && make', ['1 cd', '2 make']],
  ['set -e; echo x | : && pwd; make', ['5 make']],
  ['set -euo pipefail; set +x; set -o errexit; make', ['4 make']],
  ['CI=1 NODE_ENV=test make', ['1 make']],
])('each command of %j that runs in any case is needed', (line, needed) => {
  expect(programsOf(line)).toEqual(needed);
});

test.each([
  // Another part does work, or the command may not run.
  ['make; touch x', []],
  ['make || touch x', []],
  ['make | cat && touch x', []],
  ['cat x | cat && touch x', ['2 cat']],
  ['make | touch x', []],
  ['make | "$PAGER"', []],
  ['make | cat > x', []],
  ['make | tee x | cat', []],
  ['make && touch x || touch y', []],
  ['true || make', []],
  ['exit; make', []],
  ['test -f a && make', ['1 test']],
  ['make &', []],
  ['! make', []],
  ['time make', []],
  // An earlier command may create it, name it or lead to it.
  ['touch x; make', []],
  ['f() { touch x; }; f', []],
  ['PATH=bin make', []],
  ['GIT_DIR=other/.git git push', []],
  ['GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=remote.x.url GIT_CONFIG_VALUE_0=y git fetch x', []],
  ['HOME=. git push x', []],
  ['XDG_CONFIG_HOME=. git push x', []],
  ['set -n; make', []],
  ['set -o noexec; make', []],
  ['set -en; make', []],
  ['set "$X"; make', []],
  ['X=bin; make', []],
  ['> x; make', []],
  ['(make)', []],
  ['make "$(touch x)"', []],
  ['diff <(touch x) y', []],
  ['echo "${X:=y}"; make', []],
  ['echo x > bin/make; make', []],
  ['make | while read x; do touch "$x"; done', []],
  // Lines that can't be parsed.
  ['make "', []],
  ['', []],
])('only certain commands of %j are needed', (line, needed) => {
  expect(programsOf(line)).toEqual(needed);
});

test('a part knows its folder, its words and whether it is the only one', () => {
  expect(neededParts('make x "$Y"', 'sub')).toEqual([
    { program: 'make', args: ['x', null], inputs: [], text: 'make x "$Y"', at: 1, isAlone: true, cwd: 'sub' },
  ]);
  const inputsOf = (line: string) => neededParts(line, 'sub').map(({ inputs }) => inputs);
  expect(inputsOf('2>&1 make < a 3< "b c" > x < d')).toEqual([['a', 'b c']]);
  expect(inputsOf('make <<< x < a; ')).toEqual([[]]);
  expect(inputsOf('make < "$a" < b')).toEqual([[]]);
  const folderOf = (line: string) => neededParts(line, 'sub').at(-1)?.cwd;
  expect(folderOf('cd a/../b && make')).toBe('sub/b');
  expect(folderOf('cd a && cd .. && make')).toBe('sub');
  expect(folderOf('cd a && echo x && make')).toBe('sub/a');
  expect(folderOf('cd a | cd b; make')).toBe('sub');
  expect(folderOf('cd .; make')).toBe('sub');
  expect(folderOf(`cd ${'a/'.repeat(2050)} && make`)).toBe(null);
  expect(neededParts('cd a && make', '.').map(({ text, isAlone }) => [text, isAlone])).toEqual([
    ['cd a', false],
    ['make', false],
  ]);
});

test.each([
  'cd && make',
  'cd "$X" && make',
  'cd /x && make',
  'cd ../.. && make',
  'cd ../.. && cd sub && make',
  'cd -- a && make',
  'cd -P a && make',
  'cd -L a && make',
  'cd a && cd - >/dev/null && make',
  'cd a b && make',
  // Bash stays in its folder if there is no such folder.
  'cd a; make',
  'cd a 2>/dev/null\nmake',
  'cd a b; make',
  'cd a && echo x; make',
  'cd a; echo x && make',
])('after %j the folder is unknown', (line) => {
  expect(neededParts(line, 'sub').at(-1)).toMatchObject({ program: 'make', cwd: null });
});

test('nothing is read after sixty-four commands', () => {
  expect(programsOf(`${':; '.repeat(63)}make`)).toEqual(['64 make']);
  expect(programsOf(`${':; '.repeat(64)}make`)).toEqual([]);
});

test('at most eight parts of a line are returned', () => {
  expect(programsOf('echo a; '.repeat(20))).toHaveLength(8);
  expect(programsOf(Array.from({ length: 20 }, () => 'cat').join(' | '))).toHaveLength(8);
});
