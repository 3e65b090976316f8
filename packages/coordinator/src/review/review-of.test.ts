import type { CommandRecord, JsonObject } from '@signalbox/core';
import { aCall, aCallContext, aCommandId, aCommandRecord, aProviderId } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { reviewOf, undosOf } from './review-of.ts';

const COMPLETED = { outcome: { kind: 'completed' } } as unknown as CommandRecord['result'];

function command(id: string, provider: string, endedAt: number, task = 'Repair the cart'): CommandRecord {
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
  return { ...command(id, 'you', 99), call: aCall({ tool: 'undo', args }) };
}

const diff = (path: string, current = true) => ({
  path,
  added: 2,
  removed: 1,
  patch: `patch of ${path}`,
  current,
});

const a1 = command('a1', 'anthropic', 1);
const b1 = command('b1', 'openai', 2);
const a2 = command('a2', 'anthropic', 3);
const changed = [
  { record: a2, changes: [diff('cart.ts'), diff('tax.ts'), diff('.git/index')] },
  { record: b1, changes: [diff('cart.ts', false), diff('readme.md')] },
  { record: a1, changes: [diff('cart.ts', false)] },
];

test('files are grouped by provider, with their sums, all changes, and who else changed them', () => {
  const { providers, message } = reviewOf([a2, b1, a1], changed);
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

test('what was undone is left out, one file of a command alone too; an undo that was undone counts for nothing', () => {
  const first = undo('x1', { command: a2.id, paths: ['tax.ts'], part: true });
  const pathsOf = (all: readonly CommandRecord[]) =>
    reviewOf(all, changed).providers.flatMap(({ files }) => files.map(({ path }) => path));
  expect(pathsOf([first, a2, b1, a1])).toEqual(['cart.ts', 'cart.ts', 'readme.md']);
  const second = undo('x2', { command: first.id, paths: ['tax.ts'] });
  expect(pathsOf([second, first, a2, b1, a1])).toContain('tax.ts');
});

test('files of several commands are undone the newest command first', () => {
  const [anthropic] = reviewOf([a2, b1, a1], changed).providers;
  expect(undosOf(anthropic?.files ?? [])).toEqual([
    { command: a2.id, paths: ['cart.ts', 'tax.ts'] },
    { command: a1.id, paths: ['cart.ts'] },
  ]);
});

test('the proposed message is the task, or says how many files changed', () => {
  const other = command('c1', 'gemini', 4, 'Another task');
  expect(reviewOf([other, a1], [...changed, { record: other, changes: [diff('x.ts')] }]).message).toBe(
    'Change 4 files',
  );
  const long = command('d1', 'gemini', 4, 'x'.repeat(100));
  expect(reviewOf([long], [{ record: long, changes: [diff('x.ts')] }]).message).toHaveLength(72);
});
