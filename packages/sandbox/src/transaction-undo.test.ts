import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CommandId, Execution, ExecutionHooks } from '@signalbox/core';
import { aCommandId } from '@signalbox/core/testing';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { undo } from './commit/undo.ts';
import { createStage, type Stage } from './fixtures/stage.ts';
import { snapshotOf } from './fixtures/tree-snapshot.ts';

describe('a transaction that is undone later', () => {
  let stage: Stage;
  beforeEach(() => {
    stage = createStage({ transactions: 'where-possible' });
  });
  afterEach(() => stage.close());

  const at = (path: string): string => join(stage.workspace, path);
  const put = (path: string, text: string): void => {
    mkdirSync(join(at(path), '..'), { recursive: true });
    writeFileSync(at(path), text);
  };
  const textAt = (path: string): string | null =>
    existsSync(at(path)) ? readFileSync(at(path), 'utf8') : null;
  const run = (
    line: string,
    hooks: Partial<ExecutionHooks> = {},
    commandId: CommandId = aCommandId(),
  ): Promise<Execution> => stage.run(line, { commandId }, hooks);
  const takeBack = (undone: CommandId, isForced = false) =>
    undo({
      workspace: stage.workspace,
      commits: at('.signalbox/commits'),
      undone,
      commandId: aCommandId('back'),
      isForced,
      signal: new AbortController().signal,
    });

  test('leaves the workspace as it was before it', async () => {
    put('changed', 'old');
    put('gone/deep/file', 'old');
    put('mode', 'x');
    const before = snapshotOf(stage.workspace);
    const id = aCommandId('u');
    await run(
      'echo new > changed; rm -r gone; echo f > gone; mkdir -p n/m; echo x > n/m/f; chmod 700 mode',
      {},
      id,
    );
    await run('echo newer > changed', {}, id);
    expect(await takeBack(id)).toMatchObject({ kind: 'undone' });
    expect(snapshotOf(stage.workspace)).toEqual(before);
    await expect(takeBack(aCommandId('other'))).rejects.toThrow('nothing is kept');
  });

  test('leaves git’s index as it is when git has written it anew since', async () => {
    put('a', 'old');
    await run('git init -q . && git add a && git commit -qm first');
    const id = aCommandId('u');
    await run('echo new > a; git add a', {}, id);
    const staged = readFileSync(at('.git/index'));
    writeFileSync(at('.git/index'), staged);
    expect(await takeBack(id)).toMatchObject({ kind: 'undone' });
    expect(textAt('a')).toBe('old');
    expect(readFileSync(at('.git/index')).equals(staged)).toBe(true);
  });

  test('is refused when somebody changed its files since, and changes nothing', async () => {
    put('a', 'old');
    const id = aCommandId('u');
    await run('echo new > a; echo new > b', {}, id);
    put('a', 'newer');
    expect(await takeBack(id)).toEqual({ kind: 'changed-since', paths: ['a'] });
    rmSync(at('b'));
    put('a', 'new\n');
    expect(await takeBack(id)).toEqual({ kind: 'changed-since', paths: ['a', 'b'] });
    expect([textAt('a'), textAt('b')]).toEqual(['new\n', null]);
    expect(await takeBack(id, true)).toMatchObject({ kind: 'undone' });
    expect([textAt('a'), textAt('b')]).toEqual(['old', null]);
  });
});
