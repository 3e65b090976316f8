import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CommandId, Execution, ExecutionHooks } from '@signalbox/core';
import { aCommandId } from '@signalbox/core/testing';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { changesOf } from './commit/undo/changes-of.ts';
import { undo, type UndoRequest } from './commit/undo/undo.ts';
import { createHarness, type SandboxHarness } from './testing/sandbox-harness.ts';
import { snapshotOf } from './testing/tree-snapshot.ts';

describe('a transaction that is undone later', () => {
  let harness: SandboxHarness;
  beforeEach(() => {
    harness = createHarness({ transactions: 'where-possible' });
  });
  afterEach(() => harness.close());

  const at = (path: string): string => join(harness.workspace, path);
  const put = (path: string, text: string): void => {
    mkdirSync(join(at(path), '..'), { recursive: true });
    writeFileSync(at(path), text);
  };
  const textAt = (path: string): string | null =>
    existsSync(at(path)) ? readFileSync(at(path), 'utf8') : null;
  const run = (
    line: string,
    {
      hooks = {},
      commandId = aCommandId(),
    }: Readonly<{ hooks?: Partial<ExecutionHooks>; commandId?: CommandId }> = {},
  ): Promise<Execution> => harness.run(line, { commandId }, hooks);
  const undoCommand = (undone: CommandId, isForced = false, more: Partial<UndoRequest> = {}) =>
    undo({
      workspace: harness.workspace,
      commits: at('.signalbox/commits'),
      undone,
      commandId: aCommandId('back'),
      isForced,
      signal: new AbortController().signal,
      ...more,
    });

  test('leaves the workspace as it was before it', async () => {
    put('changed', 'old');
    put('gone/deep/file', 'old');
    put('mode', 'x');
    const before = snapshotOf(harness.workspace);
    const id = aCommandId('u');
    await run('echo new > changed; rm -r gone; echo f > gone; mkdir -p n/m; echo x > n/m/f; chmod 700 mode', {
      hooks: {},
      commandId: id,
    });
    await run('echo newer > changed', { hooks: {}, commandId: id });
    expect(await undoCommand(id)).toMatchObject({ kind: 'undone' });
    expect(snapshotOf(harness.workspace)).toEqual(before);
    await expect(undoCommand(aCommandId('other'))).rejects.toThrow('no undo copy exists');
  });

  test('can be undone after a later one that changed the same files was undone', async () => {
    put('a', 'old');
    put('d/f', 'old');
    const start = snapshotOf(harness.workspace);
    const [first, second] = [aCommandId('a1'), aCommandId('a2')];
    await run('echo 1 > a; mkdir new; echo 1 > new/f; touch d/f; chmod 600 d/f', {
      hooks: {},
      commandId: first,
    });
    const middle = snapshotOf(harness.workspace);
    await run('echo 2 > a; rm -r new; touch d/f', { hooks: {}, commandId: second });
    expect(await undoCommand(first)).toMatchObject({ kind: 'changed-since' });
    expect(await undoCommand(second, false, { commandId: aCommandId('b1') })).toMatchObject({
      kind: 'undone',
    });
    expect(snapshotOf(harness.workspace)).toEqual(middle);
    const shown = await changesOf(harness.workspace, { commits: at('.signalbox/commits'), commandId: first });
    expect(shown?.map(({ path, isCurrent }) => [path, isCurrent])).toContainEqual(['a', true]);
    expect(await undoCommand(first, false, { commandId: aCommandId('b2') })).toMatchObject({
      kind: 'undone',
    });
    expect(snapshotOf(harness.workspace)).toEqual(start);
  });

  test('of several programs is undone entirely or not at all', async () => {
    put('a', 'old');
    const id = aCommandId('u');
    await run('echo 1 > a; mkdir d; echo 1 > d/f', { hooks: {}, commandId: id });
    await run('echo 2 > a; echo 2 > b; rm -r d', { hooks: {}, commandId: id });
    const before = snapshotOf(harness.workspace);
    let asked = 0;
    const mayCommit: UndoRequest['mayCommit'] = async () =>
      ++asked === 1 ? { kind: 'ok' } : { kind: 'denied', why: ['the lease is gone'] };
    const answer = await undoCommand(id, false, { mayCommit });
    expect(answer).toEqual({ kind: 'refused', why: ['the lease is gone'] });
    expect(asked).toBe(2);
    expect(snapshotOf(harness.workspace)).toEqual(before);
    expect(await undoCommand(id, false, { commandId: aCommandId('b2') })).toMatchObject({ kind: 'undone' });
    expect([textAt('a'), textAt('b')]).toEqual(['old', null]);
  });

  test('can be undone file by file, and a conflict concerns only its file', async () => {
    put('a', 'old');
    put('gone/deep/one', 'one');
    put('gone/deep/two', 'two');
    const [id, later] = [aCommandId('u1'), aCommandId('u2')];
    await run('echo new > a; echo new > b; rm -r gone', { hooks: {}, commandId: id });
    const only = (paths: readonly string[], by: string) =>
      undoCommand(id, false, { only: paths, commandId: aCommandId(by) });
    expect(await only(['gone/deep/one'], 'b1')).toMatchObject({
      kind: 'undone',
      changes: [{ path: 'gone/deep/one' }],
    });
    expect([textAt('gone/deep/one'), textAt('gone/deep/two'), textAt('a'), textAt('b')]).toEqual([
      'one',
      null,
      'new\n',
      'new\n',
    ]);
    await run('echo newer > a', { hooks: {}, commandId: later });
    expect(await only(['a'], 'b2')).toEqual({ kind: 'changed-since', paths: ['a'] });
    expect(await only(['gone/deep/two', 'b'], 'b3')).toMatchObject({ kind: 'undone' });
    expect([textAt('gone/deep/two'), textAt('b'), textAt('a')]).toEqual(['two', null, 'newer\n']);
    // The same file of both commands, the newest command first.
    expect(await undoCommand(later, false, { only: ['a'], commandId: aCommandId('b4') })).toMatchObject({
      kind: 'undone',
    });
    expect(await only(['a'], 'b5')).toMatchObject({ kind: 'undone' });
    expect(textAt('a')).toBe('old');
    // The undo of one file is a commit of its own.
    expect(await undoCommand(aCommandId('b5'), false, { commandId: aCommandId('b6') })).toMatchObject({
      kind: 'undone',
    });
    expect(textAt('a')).toBe('new\n');
  });

  test('leaves the git index alone if git has rewritten it since', async () => {
    put('a', 'old');
    await run('git init -q . && git add a && git commit -qm first');
    const id = aCommandId('u');
    await run('echo new > a; git add a', { hooks: {}, commandId: id });
    put('b', 'other');
    await run('git add b');
    const staged = readFileSync(at('.git/index'));
    expect(await undoCommand(id)).toMatchObject({ kind: 'undone' });
    expect(textAt('a')).toBe('old');
    expect(readFileSync(at('.git/index')).equals(staged)).toBe(true);
  });

  test('cannot be undone if its files have changed since, and nothing is written', async () => {
    put('a', 'old');
    const id = aCommandId('u');
    await run('echo new > a; echo new > b', { hooks: {}, commandId: id });
    put('a', 'newer');
    expect(await undoCommand(id)).toEqual({ kind: 'changed-since', paths: ['a'] });
    rmSync(at('b'));
    expect(await undoCommand(id)).toEqual({ kind: 'changed-since', paths: ['a', 'b'] });
    // The state the command left.
    put('a', 'new\n');
    expect(await undoCommand(id)).toEqual({ kind: 'changed-since', paths: ['b'] });
    expect([textAt('a'), textAt('b')]).toEqual(['new\n', null]);
    expect(await undoCommand(id, true)).toMatchObject({ kind: 'undone' });
    expect([textAt('a'), textAt('b')]).toEqual(['old', null]);
  });
});
