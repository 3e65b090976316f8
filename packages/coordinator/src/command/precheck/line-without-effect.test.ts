import type { Verdict } from '@signalbox/core';
import { createMemoryFiles } from '@signalbox/core/testing';
import { classifyLine } from '@signalbox/policy';
import { expect, test } from 'vitest';
import { lineWithoutEffect } from './line-without-effect.ts';

const files = createMemoryFiles({ files: { 'a.txt': '' }, root: '/workspace' });
const verdictOf = (line: string): Verdict => classifyLine(line, { cwd: '/workspace' });

async function lack(line: string, mayBeMade = false) {
  return lineWithoutEffect(
    { line, cwd: '.' },
    {
      executor: { lacks: async (program) => (program === 'frob' ? { meant: undefined, mayBeMade } : false) },
      inspector: { obstacle: async () => null },
      files,
      isDenied: () => false,
      clientEnv: undefined,
      verdict: verdictOf(line),
    },
  );
}

test('only a command that installs, has more rights or writes where programs are may provide a program', async () => {
  const found = await lack('frob x');
  const may = (line: string): boolean | undefined => found?.mayChange?.(verdictOf(line));
  for (const line of [
    'npm install x',
    'npm ci',
    'pip install x',
    'cp x bin/frob',
    'cp x node_modules/.bin/y',
    'touch frob',
  ])
    expect([line, may(line)]).toEqual([line, true]);
  for (const line of ['touch x', 'other y', 'npm test', 'rm -rf bin', 'git push', 'cp x binary/y'])
    expect([line, may(line)]).toEqual([line, false]);
  expect(found?.mayChange?.(null)).toBe(true);
});

test('a call of the same session may create a program if a folder of PATH is in the workspace', async () => {
  expect(await lack('frob x')).toMatchObject({ mayBePrepared: false });
  expect(await lack('frob x', true)).toMatchObject({ mayBePrepared: true });
});

test('only the first sixty-four parts of a very long line are checked', async () => {
  expect((await lack(`${'cd a; '.repeat(63)}frob`))?.failure.message).toContain('part 64 of this line');
  expect(await lack(`${'cd a; '.repeat(3000)}frob`)).toBe(undefined);
});

test.each([
  ['./run.sh', 'not-found'],
  ['cd web && ./run.sh', 'not-found'],
  ['cd web && ../run.sh', undefined],
  ['./link/../run.sh', undefined],
  ['web/../run.sh', undefined],
  ['cd web; ./run.sh', undefined],
  ['cd -- web && ./run.sh', undefined],
  ['xargs rm < list', 'not-found'],
  ['cd web && 2>/dev/null wc -l 0< "list"', 'not-found'],
  ['xargs rm < a.txt < list', 'not-found'],
  ['./run.sh < list', 'not-found'],
  ['xargs rm < list > out', 'not-found'],
  ['xargs rm > out < list', undefined],
  ['xargs rm <<< x < list', undefined],
  ['xargs rm < $list', undefined],
  ['xargs rm <> list', undefined],
  ['xargs rm < .', undefined],
  ['xargs rm < a.txt', undefined],
  ['xargs rm < ../list', undefined],
  ['cat < list | xargs rm', undefined],
  ['touch list; xargs rm < list', undefined],
  ['frob | touch x', undefined],
  ['frob | cat', 'no-program'],
])('%j is reported as: %s', async (line, code) => {
  expect((await lack(line))?.failure.code).toBe(code);
});
