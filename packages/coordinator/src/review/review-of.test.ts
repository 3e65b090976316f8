import type { CommandRecord, JsonObject } from '@signalbox/core';
import { aCall, aCallContext, aCommandId, aCommandRecord, aProviderId } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { checksOf } from './checks-of.ts';
import { isOfGit, reviewOf, undosOf } from './review-of.ts';

const COMPLETED = { outcome: { kind: 'completed' }, files: [] } as unknown as CommandRecord['result'];

function command(
  id: string,
  provider: string,
  { endedAt, task = 'Repair the cart' }: Readonly<{ endedAt: number; task?: string }>,
): CommandRecord {
  return {
    ...aCommandRecord(),
    id: aCommandId(id),
    title: `edit_file ${id}`,
    context: aCallContext({ provider: aProviderId(provider), task }),
    endedAt,
    result: COMPLETED,
  };
}

function undo(id: string, args: JsonObject): CommandRecord {
  return { ...command(id, 'you', { endedAt: 99 }), call: aCall({ tool: 'undo', args }) };
}

const diff = (path: string, current = true) => ({
  path,
  added: 2,
  removed: 1,
  patch: `patch of ${path}`,
  current,
  byHand: false,
});

const a1 = command('a1', 'anthropic', { endedAt: 1 });
const b1 = command('b1', 'openai', { endedAt: 2 });
const a2 = command('a2', 'anthropic', { endedAt: 3 });
const changed = [
  { record: a2, changes: [diff('cart.ts'), diff('tax.ts'), diff('.git/index')] },
  { record: b1, changes: [diff('cart.ts', false), diff('readme.md')] },
  { record: a1, changes: [diff('cart.ts', false)] },
];

const none = { isIgnored: (): boolean => false, ignoredInHead: new Set<string>(), committedInGit: null };

test('files are grouped by provider, with sums, all changes, and other providers that changed them', () => {
  const { providers, message } = reviewOf([a2, b1, a1], changed, none);
  expect(message).toBe('Repair the cart');
  const shown = providers.map(({ provider, files }) => [
    provider,
    files.map(({ path, added, isCurrent, alsoChangedBy, changes }) => ({
      path,
      added,
      isCurrent,
      alsoChangedBy,
      by: changes.map((one) => one.command.slice(4, 6)),
    })),
  ]);
  expect(shown).toEqual([
    [
      'anthropic',
      [
        { path: 'cart.ts', added: 4, isCurrent: true, alsoChangedBy: ['openai'], by: ['a1', 'a2'] },
        { path: 'tax.ts', added: 2, isCurrent: true, alsoChangedBy: [], by: ['a2'] },
      ],
    ],
    [
      'openai',
      [
        { path: 'cart.ts', added: 2, isCurrent: false, alsoChangedBy: ['anthropic'], by: ['b1'] },
        { path: 'readme.md', added: 2, isCurrent: true, alsoChangedBy: [], by: ['b1'] },
      ],
    ],
  ]);
});

test('undone changes are left out, even of one file of a command; an undo that was undone does not count', () => {
  const first = undo('x1', { command: a2.id, paths: ['tax.ts'], part: true });
  const pathsOf = (all: readonly CommandRecord[]) =>
    reviewOf(all, changed, none).providers.flatMap(({ files }) => files.map(({ path }) => path));
  expect(pathsOf([first, a2, b1, a1])).toEqual(['cart.ts', 'cart.ts', 'readme.md']);
  const second = undo('x2', { command: first.id, paths: ['tax.ts'] });
  expect(pathsOf([second, first, a2, b1, a1])).toContain('tax.ts');
});

test('committed changes are left out; a later change of the same file is not', () => {
  const commit: CommandRecord = {
    ...command('y1', 'you', { endedAt: 2 }),
    call: aCall({ tool: 'git_commit', args: { message: 'Repair', paths: ['cart.ts', 'readme.md'] } }),
  };
  const filesOf = (all: readonly CommandRecord[]) =>
    reviewOf(all, changed, none).providers.map(({ provider, files }) => [
      provider,
      files.map(({ path, changes }) => `${path} ${changes.length}`),
    ]);
  expect(filesOf([a2, commit, b1, a1])).toEqual([['anthropic', ['cart.ts 1', 'tax.ts 1']]]);
  const failed = {
    ...commit,
    result: { outcome: { kind: 'completed' }, exitCode: 1, files: [] } as unknown as CommandRecord['result'],
  };
  expect(filesOf([a2, failed, b1, a1])).toHaveLength(2);
});

test('files of several commands are undone newest command first', () => {
  const [anthropic] = reviewOf([a2, b1, a1], changed, none).providers;
  expect(undosOf(anthropic?.files ?? [])).toEqual([
    { command: a2.id, paths: ['cart.ts', 'tax.ts'] },
    { command: a1.id, paths: ['cart.ts'] },
  ]);
});

test('files edited by hand since are marked, files changed by another command are not', () => {
  const change = { ...diff('x.ts', false), byHand: true };
  const shown = (all: readonly CommandRecord[]) =>
    reviewOf(all, [{ record: a1, changes: [change] }], none).providers[0]?.files[0];
  expect(shown([a1])).toMatchObject({ isCurrent: false, isByHand: true, changes: [{ byHand: true }] });
  const later = {
    ...command('w1', 'openai', { endedAt: 9 }),
    result: { files: [{ kind: 'modified', path: 'x.ts' }] },
  };
  expect(shown([later as unknown as CommandRecord, a1])).toMatchObject({ isByHand: false });
});

test('the proposed message is the task, or the number of changed files', () => {
  const other = command('c1', 'gemini', { endedAt: 4, task: 'Another task' });
  expect(reviewOf([other, a1], [...changed, { record: other, changes: [diff('x.ts')] }], none).message).toBe(
    'Change 4 files',
  );
  const long = command('d1', 'gemini', { endedAt: 4, task: 'x'.repeat(100) });
  expect(reviewOf([long], [{ record: long, changes: [diff('x.ts')] }], none).message).toHaveLength(72);
});

test('undone hunks are left out with their counts, and the others are undone one by one, the last first', () => {
  const patch = [
    '--- a/x',
    '+++ b/x',
    '@@ -1,1 +1,2 @@',
    ' a',
    '+b',
    '@@ -9,1 +10,1 @@',
    '-c',
    '+d',
    '@@ -20,1 +21,1 @@',
    '-e',
    '+f',
  ];
  const change = { path: 'x', added: 3, removed: 2, patch: patch.join('\n'), current: false, byHand: false };
  const hunk = '@@ -9,1 +10,1 @@';
  const first = undo('x1', { command: a1.id, paths: ['x'], part: true, hunk });
  const own = [
    { record: first, changes: [{ ...change, current: true }] },
    { record: a1, changes: [change] },
  ];
  const [file] = reviewOf([first, a1], own, none).providers[0]?.files ?? [];
  expect(file).toMatchObject({ added: 2, removed: 1, isCurrent: true });
  expect(file?.changes[0]).toMatchObject({
    hunks: ['@@ -1,1 +1,2 @@', '@@ -20,1 +21,1 @@'],
    isPartlyUndone: true,
    patch: [...patch.slice(0, 5), ...patch.slice(8)].join('\n'),
  });
  expect(undosOf(file === undefined ? [] : [file]).map((call) => call.hunk)).toEqual([
    '@@ -20,1 +21,1 @@',
    '@@ -1,1 +1,2 @@',
  ]);
  const again = undo('x2', { command: first.id, paths: ['x'] });
  expect(reviewOf([again, first, a1], own, none).providers[0]?.files[0]).toMatchObject({
    added: 3,
    removed: 2,
  });
  const rest = ['@@ -1,1 +1,2 @@', '@@ -20,1 +21,1 @@'].map((head, n) =>
    undo(`y${n}`, { command: a1.id, paths: ['x'], part: true, hunk: head }),
  );
  expect(reviewOf([...rest, first, a1], own, none).providers).toEqual([]);
});

test('the last run of each check is listed, with whether a command has changed files since it began', () => {
  const run = (
    id: string,
    startedAt: number,
    { exitCode, of = {} }: Readonly<{ exitCode: number; of?: Partial<CommandRecord> }>,
  ) => ({
    ...command(id, 'openai', { endedAt: startedAt + 1 }),
    title: 'run_tests',
    call: aCall({ tool: 'run_tests' }),
    startedAt,
    result: { outcome: { kind: 'completed' }, exitCode, files: [] } as unknown as CommandRecord['result'],
    ...of,
  });
  const change = (id: string, endedAt: number, { path = 'a.ts' }: Readonly<{ path?: string }> = {}) => ({
    ...command(id, 'openai', { endedAt }),
    result: { files: [{ kind: 'modified', path }] } as unknown as CommandRecord['result'],
  });
  const verifier = aCallContext({ phase: 'verifier' });
  const made = run('r3', 30, {
    exitCode: 1,
    of: {
      title: 'bash make check',
      call: aCall({ tool: 'bash' }),
      context: verifier,
      verdict: {
        level: 'safe',
        reasons: [],
        effects: [{ kind: 'repository-code' }],
        runsRepositoryCode: true,
        composed: false,
      },
    },
  });
  const shown = (all: readonly CommandRecord[]) =>
    checksOf(all, (path) => path !== 'cache' && !isOfGit(path)).map(({ title, passed, isOlder }) => [
      title,
      passed,
      isOlder,
    ]);
  const before = [made, run('r2', 20, { exitCode: 0 }), change('w1', 15), run('r1', 10, { exitCode: 1 })];
  expect(shown(before)).toEqual([
    ['bash make check', false, false],
    ['run_tests', true, false],
  ]);
  expect(
    shown([change('w2', 25, { path: 'cache' }), change('w3', 25, { path: '.git/index' }), ...before])[1],
  ).toEqual(['run_tests', true, false]);
  expect(shown([change('w4', 20), ...before])[1]).toEqual(['run_tests', true, true]);
  expect(shown([run('r4', 40, { exitCode: 0, of: { startedAt: null } }), ...before])).toHaveLength(2);
});
