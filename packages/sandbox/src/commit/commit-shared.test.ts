import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { snapshotOf } from '../testing/tree-snapshot.ts';
import { writeTwoTrees } from '../testing/two-trees.ts';
import { recoverCommits } from './recover.ts';
import type { CommitWriter } from './disk/writer.ts';

const COMMIT_AND_FREEZE = fileURLToPath(new URL('../testing/commit-and-freeze.ts', import.meta.url));

describe('several processes that commit into one workspace', () => {
  let root: string;
  let other: { child: ChildProcessByStdio<null, Readable, null>; lines: AsyncIterator<string> };
  beforeEach(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-')));
    writeTwoTrees(root);
  });
  afterEach(() => {
    other.child.kill('SIGKILL');
    rmSync(root, { recursive: true, force: true });
  });

  const stateFolder = (): string => join(root, 'workspace/.signalbox');
  const workspaceNow = () => snapshotOf(join(root, 'workspace'));
  const tree = (name: 'a' | 'b') => snapshotOf(join(root, name));

  /** Starts another process and freezes it during its commit. */
  async function freezeAt(step: string): Promise<void> {
    const child = spawn(process.execPath, [COMMIT_AND_FREEZE, root, step], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const lines: Interface = createInterface(child.stdout);
    other = { child, lines: lines[Symbol.asyncIterator]() };
    await other.lines.next();
    await vi.waitUntil(() => stateOf(child.pid) === 'T', { timeout: 60_000, interval: 5 });
  }

  /** Resumes it and returns how its commit ended. */
  async function resume(): Promise<string> {
    other.child.kill('SIGCONT');
    return ((await other.lines.next()) as IteratorYieldResult<string>).value;
  }

  const recover = (id: string, isGone: (writer: CommitWriter) => Promise<boolean> = isDead) =>
    recoverCommits(stateFolder(), { writer: { id, identity: { pid: process.pid } }, isGone });

  test('a starting process leaves the unfinished commit of a living one alone', async () => {
    await freezeAt('entry 9');
    expect(await recover('w_me')).toEqual([]);
    expect(await resume()).toBe('committed');
    expect(workspaceNow()).toEqual(tree('b'));
    expect(await recover('w_me')).toEqual([]);
    expect(workspaceNow()).toEqual(tree('b'));
  });

  test('a starting process leaves the staged files of a living one alone', async () => {
    await freezeAt('staged');
    expect(await recover('w_me')).toEqual([]);
    expect(await resume()).toBe('committed');
    expect(workspaceNow()).toEqual(tree('b'));
  });

  test('the unfinished commit of a dead process is rolled back by one of two starting processes', async () => {
    await freezeAt('entry 9');
    other.child.kill('SIGKILL');
    await once(other.child, 'exit');
    const takenBack = await Promise.all([recover('w_me'), recover('w_you')]);
    expect(takenBack.flat()).toEqual(['cmd_frozen']);
    expect(workspaceNow()).toEqual(tree('a'));
    expect(readdirSync(join(stateFolder(), 'commits'))).toEqual([]);
  });

  test('a process that resumes after it was considered dead commits nothing more', async () => {
    await freezeAt('entry 9');
    expect(await recover('w_me', async () => true)).toEqual(['cmd_frozen']);
    expect(await resume()).not.toBe('committed');
    expect(workspaceNow()).toEqual(tree('a'));
  });
});

async function isDead({ identity }: CommitWriter): Promise<boolean> {
  const { pid } = identity as { pid: number };
  return stateOf(pid) === null;
}

/** `T`: stopped. Null when it is gone. */
function stateOf(pid = 0): string | null {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.[0] ?? null;
  } catch {
    return null;
  }
}
