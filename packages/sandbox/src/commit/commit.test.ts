import { mkdtempSync, readdirSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { changesBetween } from '../testing/changes-between.ts';
import { snapshotOf } from '../testing/tree-snapshot.ts';
import { writeTwoTrees } from '../testing/two-trees.ts';
import { commit, RollbackFailedError } from './commit.ts';
import { recoverCommits, takeBackCutOff } from './recover.ts';
import { undo } from './undo/undo.ts';

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-')));
  writeTwoTrees(root);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const at = (name: string): string => join(root, name);
const put = (onStep: (step: string) => void = () => undefined) =>
  commit({
    commandId: 'cmd_a',
    workspace: at('workspace'),
    commits: at('state/commits'),
    changes: changesBetween(at('workspace'), at('b')),
    since: 2n ** 62n,
    whyRefused: () => null,
    signal: new AbortController().signal,
    onStep,
  });

const undoOf = (undone: string, commandId: string) =>
  undo({
    workspace: at('workspace'),
    commits: at('state/commits'),
    undone,
    commandId,
    isForced: false,
    signal: new AbortController().signal,
  });

test('an undo restores what a commit changed, and can be undone itself (S001-108, S001-109)', async () => {
  const old = snapshotOf(at('workspace'));
  expect((await put()).kind).toBe('committed');
  expect(snapshotOf(at('workspace'))).toEqual(snapshotOf(at('b')));
  expect(await recoverCommits(at('state'), { workspace: at('workspace') })).toEqual([]);
  expect((await undoOf('cmd_a', 'cmd_b')).kind).toBe('undone');
  expect(snapshotOf(at('workspace'))).toEqual(old);
  expect((await undoOf('cmd_b', 'cmd_c')).kind).toBe('undone');
  expect(snapshotOf(at('workspace'))).toEqual(snapshotOf(at('b')));
});

test('a failed swap is rolled back at once', async () => {
  const old = snapshotOf(at('workspace'));
  const failing = put((step) => {
    if (step === 'entry 9') throw new Error('the disk is gone');
  });
  await expect(failing).rejects.toMatchObject({ code: 'sandbox_error', why: ['the disk is gone'] });
  expect(snapshotOf(at('workspace'))).toEqual(old);
  expect(readdirSync(at('state/commits'))).toEqual([]);
});

test('a failed swap that cannot be rolled back keeps its journal for a later rollback (S001-109, X-43)', async () => {
  const old = snapshotOf(at('workspace'));
  const failing = put((step) => {
    if (step !== 'entry 9') return;
    renameSync(at('workspace'), at('elsewhere'));
    throw new Error('the disk is gone');
  });
  await expect(failing).rejects.toBeInstanceOf(RollbackFailedError);
  renameSync(at('elsewhere'), at('workspace'));
  expect(snapshotOf(at('workspace'))).not.toEqual(old);
  expect(await recoverCommits(at('state'), { workspace: at('workspace') })).toEqual(['cmd_a']);
  expect(snapshotOf(at('workspace'))).toEqual(old);
  expect(await recoverCommits(at('state'), { workspace: at('workspace') })).toEqual([]);
});

test('a partly applied commit is rolled back once that is possible (X-43)', async () => {
  const old = snapshotOf(at('workspace'));
  const failing = put((step) => {
    if (step !== 'entry 9') return;
    renameSync(at('workspace'), at('elsewhere'));
    throw new Error('the disk is gone');
  });
  await expect(failing).rejects.toBeInstanceOf(RollbackFailedError);
  await expect(
    takeBackCutOff(at('state/commits'), { workspace: at('workspace'), commandId: 'cmd_a' }),
  ).rejects.toThrow('Cannot roll back the files of cmd_a');
  renameSync(at('elsewhere'), at('workspace'));
  await takeBackCutOff(at('state/commits'), { workspace: at('workspace'), commandId: 'cmd_other' });
  expect(snapshotOf(at('workspace'))).not.toEqual(old);
  await takeBackCutOff(at('state/commits'), { workspace: at('workspace'), commandId: 'cmd_a' });
  expect(snapshotOf(at('workspace'))).toEqual(old);
  expect(readdirSync(at('state/commits'))).toEqual([]);
});
