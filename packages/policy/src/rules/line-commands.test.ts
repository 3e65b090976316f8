import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { commandsOf } from './line-commands.ts';

function words(line: string): readonly string[] | null {
  const found = commandsOf(line);
  return found === null
    ? null
    : found.commands.map(({ program, args }) => [program, ...args].map((word) => word ?? '?').join(' '));
}

describe('commandsOf', () => {
  test.for<[string, readonly string[]]>([
    ['npm publish', ['npm publish']],
    [`n"p"m 'publish'`, ['npm publish']],
    ['npm test && git push -f; ls | wc -l', ['npm test', 'git push -f', 'ls', 'wc -l']],
    ['echo $(npm publish) "$(rm a)"', ['echo ? ?', 'npm publish', 'rm a']],
    ['if true; then npm publish; fi', ['true', 'npm publish']],
    ['f() { npm publish; }; f', ['npm publish', 'f']],
    ['diff <(npm publish) a', ['diff ? a', 'npm publish']],
    ['$X publish *.ts {a,b}', ['? publish ? ?']],
    ['A=1 npm publish', ['npm publish']],
    [String.raw`\npm pub\lish`, ['npm publish']],
    ["npm $'pub\\x6cish'", ['npm publish']],
    ['npm pub""lish # not this', ['npm publish']],
    ['! time npm publish', ['npm publish']],
    ['coproc npm publish', ['npm publish']],
    ['cat <<E\n$(npm publish)\nE', ['cat', 'npm publish']],
    ['echo $((1 + $(npm publish)))', ['echo ?', 'npm publish']],
    ['echo ${A:-$(npm publish)}', ['echo ?', 'npm publish']],
    ['for x in $(npm publish); do :; done', ['npm publish', ':']],
    ['[[ -n $(npm publish) ]]', ['npm publish']],
    ['A=$(npm publish)', [' ', 'npm publish']],
    ['ls > "$(npm publish)"', ['ls', 'npm publish']],
  ])('finds the commands of %j at any depth', ([line, expected]) => {
    expect(words(line)?.map((text) => text.trim())).toEqual(expected.map((text) => text.trim()));
  });

  test.for([
    'timeout 5 npm publish',
    'sudo -u x env A=1 npm publish',
    "bash -c 'cd x && npm publish'",
    'find . -exec npm publish {} ;',
    "eval 'npm publish'",
    'eval npm publish',
    'xargs npm publish',
    `sh -c "timeout 1 sh -c 'npm publish'"`,
  ])('finds what a wrapper starts: %j', (line) => {
    const inner = commandsOf(line)?.inner ?? [];
    expect(inner.some(({ program, args }) => program === 'npm' && args[0] === 'publish')).toBe(true);
  });

  test.for([
    'sh',
    'echo npm publish | bash -s',
    'bash <<< "npm publish"',
    'sh <<E\nnpm publish\nE',
    'eval "$X"',
    'sh -c "$X"',
  ])('treats the input of a shell as anything: %j', (line) => {
    expect(commandsOf(line)?.inner).toContainEqual(expect.objectContaining({ program: null }));
  });

  test('a wrapper that reads words passes them to what it starts', () => {
    expect(commandsOf('echo publish | xargs npm')?.inner.at(-1)).toMatchObject({
      program: 'npm',
      args: [null],
    });
  });

  test.for<[string, boolean]>([
    ['npm install zod', true],
    ['npm install zod && npm test 2>&1 | tee', true],
    ['npm test > /dev/null 2>&1', true],
    ['npm install zod > a', false],
    ['A=1 npm install', false],
    ['npm install $(cat a)', false],
    ['npm install &', false],
    ['f() { ls; }; f', false],
    ['(npm install)', false],
    ['npm install $X', false],
    ['npm install {a,b}', false],
    ['cat <<E\nx\nE', false],
  ])('says whether a line has only simple commands: %j', ([line, isPlain]) => {
    expect(commandsOf(line)?.isPlain).toBe(isPlain);
  });

  test.for(['npm "', 'ls ( x', 'a'.repeat(20_000), 'if true', 'ls \u0007'])(
    'is null for a line that can’t be parsed for certain: %j',
    (line) => {
      expect(commandsOf(line)).toBeNull();
    },
  );

  test('never throws', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (line) => {
        commandsOf(line);
      }),
    );
  });
});

test.for<[line: string, words: readonly (readonly (string | null)[])[] | null]>([
  ['export A=b B+=c C[1]=2 D=(1 2) E=$X', [['export', 'A=b', null, null, null, null]]],
  ['>/dev/null', [['']]],
  ['[[esac(', null],
  ['ls < a 2>&1 | cat <(b) $(c)', [['ls'], ['cat', null, null], ['b'], ['c']]],
  ['echo "a \'b\'" "$X" $\'c\\x00d\'', [['echo', "a 'b'", null, 'c']]],
])('the words of %j are %j', ([line, expected]) => {
  const read = commandsOf(line);
  expect(read?.commands.map(({ program, args }) => [program, ...args]) ?? null).toEqual(expected);
});

test('nested lines are read down to the fourth, and none deeper', () => {
  const nested = (depth: number): string =>
    depth === 0 ? 'rm a' : `sh -c ${JSON.stringify(nested(depth - 1))}`;
  const programs = (depth: number) => commandsOf(nested(depth))?.inner.map(({ program }) => program);
  expect(programs(3)).toContain('rm');
  expect(programs(6)).toContain(null);
});

test('a wrapper with hundreds of words may start anything', () => {
  const inner = commandsOf(`xargs ${'a '.repeat(600)}`)?.inner ?? [];
  expect(inner.at(-1)?.program).toBeNull();
  expect(inner.length).toBeLessThan(510);
});

test('a nested line that can’t be parsed may start anything', () => {
  expect(commandsOf("sh -c 'a; ('")?.inner.map(({ program }) => program)).toContain(null);
});
