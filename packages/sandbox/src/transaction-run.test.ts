import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CommandId, Execution, ExecutionHooks } from '@signalbox/core';
import { aCommandId } from '@signalbox/core/testing';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hashOf } from './files/file-on-disk.ts';
import { renameUnderneath, type SeenName } from './testing/rename-underneath.ts';
import { createHarness, type SandboxHarness } from './testing/sandbox-harness.ts';
import { snapshotOf } from './testing/tree-snapshot.ts';

describe('a command that runs as a transaction', () => {
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

  describe('when others change files while it runs', () => {
    test('ends in a conflict that names both versions, and commits nothing', async () => {
      put('a', 'old');
      const onStart = (): void => put('a', 'theirs');
      const done = await run('echo mine > a; echo other > b; echo said', { hooks: { onStart } });
      expect(done.ended).toMatchObject({
        kind: 'conflict',
        exitCode: 0,
        conflicts: [{ path: 'a', ours: hashOf('mine\n'), theirs: hashOf('theirs') }],
        why: [expect.stringContaining(`it is now version ${hashOf('theirs').slice(0, 12)}`)],
      });
      expect(done).toMatchObject({ stdout: { text: 'said\n' }, changes: [] });
      expect([textAt('a'), textAt('b')]).toEqual(['theirs', null]);
      expect(readdirSync(at('.signalbox/commits'))).toEqual([]);
    });

    test.for([
      ['deletes what they changed', 'rm a', 'a'],
      ['deletes the folder of what they changed', 'rm -r d', 'd'],
      ['makes what they made', 'echo mine > new', 'new'],
      ['makes a folder where they made a file', 'mkdir new; echo mine > new/f', 'new'],
    ])('conflicts when it %s', async ([, line = '', path]) => {
      put('a', 'old');
      put('d/f', 'old');
      const theirs = (): void => {
        put('a', 'theirs');
        put('d/f', 'theirs');
        put('new', 'theirs');
      };
      // The last moment: the process is dead and its files are not committed yet.
      const mayCommit: ExecutionHooks['mayCommit'] = async () => (theirs(), { kind: 'ok' });
      const done = await run(line, { hooks: { mayCommit } });
      expect(done.ended).toMatchObject({ kind: 'conflict', conflicts: [{ path }] });
      expect([textAt('a'), textAt('d/f'), textAt('new')]).toEqual(['theirs', 'theirs', 'theirs']);
    });

    test('has no conflict when others changed other files, even in a folder both create', async () => {
      put('a', 'old');
      const onStart = (): void => {
        put('other', 'theirs');
        put('out/theirs', 'theirs');
      };
      const done = await run('echo mine > a; mkdir -p out; echo mine > out/mine', { hooks: { onStart } });
      expect(done.ended).toEqual({ kind: 'exited', exitCode: 0 });
      const texts = ['a', 'other', 'out/theirs', 'out/mine'].map(textAt);
      expect(texts).toEqual(['mine\n', 'theirs', 'theirs', 'mine\n']);
    });
  });

  test('has no conflict with a folder others created after it created the same one', async () => {
    const onOutput = (): void => put('out/theirs', 'theirs');
    const done = await run('mkdir out; echo mine > out/mine; echo ready', { hooks: { onOutput } });
    expect(done.ended).toEqual({ kind: 'exited', exitCode: 0 });
    expect([textAt('out/theirs'), textAt('out/mine')]).toEqual(['theirs', 'mine\n']);
  });

  test('commits to git only when it is committed itself', async () => {
    await run('git init -q . && echo x > a && git add a && git commit -qm first');
    const before = snapshotOf(harness.workspace);
    const done = await run('echo y > a && git commit -qam second && git log --format=%s && echo x > .env');
    expect(done).toMatchObject({ ended: { kind: 'refused' }, stdout: { text: 'second\nfirst\n' } });
    expect(snapshotOf(harness.workspace)).toEqual(before);
  });

  test('asks before it commits, with exactly what it changed', async () => {
    put('gone/deep', 'x');
    const asked: unknown[] = [];
    const answer = { kind: 'denied', why: ['not now'] } as const;
    const mayCommit: ExecutionHooks['mayCommit'] = async (changes) => (asked.push(changes), answer);
    const done = await run('rm -r gone; echo x > new', { hooks: { mayCommit } });
    expect(asked).toEqual([
      [
        { path: 'gone/deep', kind: 'deleted', hash: null },
        { path: 'new', kind: 'created', hash: hashOf('x\n'), bytes: 2 },
      ],
    ]);
    expect(done).toMatchObject({ ended: { kind: 'refused', exitCode: 0, why: ['not now'] }, changes: [] });
    expect([textAt('gone/deep'), textAt('new')]).toEqual(['x', null]);
  });

  test('commits many files like few', async () => {
    const done = await run('mkdir -p d/{1..80}; for i in {1..80}; do echo $i > d/$i/f; done; ln -s x l');
    expect(done.changes).toHaveLength(81);
    expect([textAt('d/1/f'), textAt('d/80/f')]).toEqual(['1\n', '80\n']);
  });

  test('that only reads gets the workspace itself, read-only, and reports it', async () => {
    const done = await harness.run('touch f; echo $?', { workspace: 'read' });
    expect(done).toMatchObject({
      stdout: { text: '1\n' },
      isolation: { layer: 'bind', tracking: { strength: 'enforced', why: 'It is read-only' } },
    });
  });

  test('does not ask before committing nothing', async () => {
    const mayCommit: ExecutionHooks['mayCommit'] = async () => ({ kind: 'denied', why: [] });
    expect((await run('ls', { hooks: { mayCommit } })).ended).toEqual({ kind: 'exited', exitCode: 0 });
  });

  test('commits nothing when it is stopped before its commit', async () => {
    const stop = new AbortController();
    const mayCommit: ExecutionHooks['mayCommit'] = async () => (stop.abort(), { kind: 'ok' });
    expect((await run('echo x > f', { hooks: { mayCommit, signal: stop.signal } })).ended).toEqual({
      kind: 'stopped',
    });
    expect(textAt('f')).toBeNull();
  });

  test.for([
    ['a secret', 'cp a .env', '.env'],
    ['a secret by a move', 'mv a sub/.env.local', 'sub/.env.local'],
    ['policy', 'echo "mode: auto" > signalbox.yaml', 'signalbox.yaml'],
    ['a hook of a repository below', 'echo evil > sub/.git/hooks/pre-commit', 'sub/.git/hooks/pre-commit'],
    ['configuration of a repository below', 'echo evil >> sub/.git/config', 'sub/.git/config'],
    ['a whole repository', 'mv sub/.git away', 'sub/.git'],
    [
      'a new repository with a hook',
      'git init -q n; echo evil > n/.git/hooks/pre-push',
      'n/.git/hooks/pre-push',
    ],
    ['a FIFO', 'mkfifo f', 'f'],
    ['a name that is not UTF-8', String.raw`touch $'bad\xff'`, 'bad\uFFFD'],
    ['such a name in a new folder', String.raw`mkdir d; touch $'d/bad\xff'`, 'd/bad\uFFFD'],
  ])('is rejected entirely when it writes %s', async ([, line = '', path]) => {
    put('a', 'x');
    for (const name of ['HEAD', 'config', 'hooks/x.sample']) put(`sub/.git/${name}`, 'x');
    const before = snapshotOf(harness.workspace);
    const done = await run(`echo y > b; ${line}; true`);
    expect(done.ended).toMatchObject({ kind: 'refused', why: [expect.stringMatching(`^${path}: `)] });
    expect(snapshotOf(harness.workspace)).toEqual(before);
  });

  test('lists the first paths it may not write, and counts the rest', async () => {
    const { ended } = await run('mkfifo f{1..30}');
    expect(ended).toMatchObject({ kind: 'refused', why: expect.arrayContaining(['and 10 more']) });
    expect(ended.kind === 'refused' ? ended.why : []).toHaveLength(21);
  });

  test('may create repositories, commit to them and install packages with unusual names', async () => {
    const git = 'git init -q . && git add a && git commit -qm first && git log --format=%s';
    const done = await run(`echo x > a; ${git}; mkdir -p node_modules/p; echo x > node_modules/p/.env`);
    expect(done).toMatchObject({ ended: { kind: 'exited', exitCode: 0 }, stdout: { text: 'first\n' } });
    const again = await run('echo y > a; git commit -qam second; git log --format=%s; git status --short');
    expect(again.stdout.text).toBe('second\nfirst\n?? node_modules/\n');
    expect(spawnSync('git', ['-C', harness.workspace, 'fsck', '--strict']).status).toBe(0);
  });

  test('is rolled back for a listed exit code, and reports it (S001-103, H5)', async () => {
    await harness.close();
    harness = createHarness({ transactions: 'required', transactionRules: { rollBackOn: [1, 2] } });
    const [back, kept] = [await run('echo x > f; exit 2'), await run('echo x > g; exit 3')];
    expect(back).toMatchObject({ ended: { kind: 'exited', exitCode: 2 }, changes: [], rolledBack: true });
    expect(kept.changes).toHaveLength(1);
    expect([textAt('f'), textAt('g')]).toEqual([null, 'x\n']);
  });

  test('does not run if transactions are required but unavailable, else runs without one (S001-106)', async () => {
    await harness.close();
    const elsewhere = mkdtempSync('/dev/shm/signalbox-');
    harness = createHarness({ transactions: 'required', stateFolder: elsewhere });
    await expect(run('echo x > f')).rejects.toMatchObject({
      code: 'sandbox_error',
      why: ['The state folder is on another file system than the workspace'],
    });
    await harness.close();
    harness = createHarness({ transactions: 'where-possible', stateFolder: elsewhere });
    const done = await run('echo x > f');
    rmSync(elsewhere, { recursive: true });
    expect(done.isolation).toMatchObject({
      layer: 'bind',
      tracking: { why: expect.stringContaining('is on another file system than the workspace') },
    });
    expect(textAt('f')).toBe('x\n');
  });
});

describe('masks in a transaction (finding 4)', () => {
  const HELD = { layer: 'overlay', config: 'new config\n', oldConfig: 'old config\n', env: 'leaked\n' };

  test('hold when the masked path is renamed from outside', async () => {
    const seen = await renameUnderneath();
    expect(seen).toMatchObject(HELD);
    expect(seen.said).toContain('Permission denied');
    expect(seen.said).not.toContain('leaked');
  });

  test('also hold for an ordinary user', ({ skip }) => {
    const script = fileURLToPath(new URL('./testing/rename-underneath.ts', import.meta.url));
    const as = ['--reuid=65534', '--regid=65534', '--clear-groups'];
    if (spawnSync('/usr/bin/setpriv', [...as, 'test', '-r', script]).status !== 0) skip('needs root');
    const child = spawnSync('/usr/bin/setpriv', [...as, process.execPath, script], { encoding: 'utf8' });
    const seen = JSON.parse(child.stdout || JSON.stringify({ said: child.stderr })) as SeenName;
    expect(seen).toMatchObject(HELD);
    expect(seen.said).toContain('Permission denied');
    expect(seen.said).not.toContain('leaked');
  });
});
