import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  type Stats,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Execution, ExecutionRequest } from '@signalbox/core';
import { aShellRequest } from '@signalbox/core/testing';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import type { ExecutorOptions } from '../executor-options.ts';
import { createHarness, type SandboxHarness } from '../testing/sandbox-harness.ts';

const MIB = 1024 ** 2;
const RUN_ONE = inject('runOne');
const AS_USER = ['--reuid=65534', '--regid=65534', '--clear-groups'];

let harness: SandboxHarness;
afterEach(() => harness.close());

type Bounds = Pick<ExecutionRequest['limits'], 'writtenBytes' | 'writtenFiles'>;

const run = (line: string, bounds: Bounds): Promise<Execution> =>
  harness.run(line, { limits: { ...aShellRequest('').limits, ...bounds } });

describe('a transaction that may write more than fits into memory', () => {
  beforeEach(() => {
    harness = createHarness({ transactions: 'required', filesInMemoryBytes: MIB });
  });

  /** The disk files of all commands. A standby has an empty folder. */
  const leftOnDisk = (uid: number): string[] => {
    const folder = join(harness.folder, `signalbox-${uid}`);
    const uppers = readdirSync(folder).map((name) => join(folder, name, 'upper'));
    return uppers.filter((path) => existsSync(path)).flatMap((path) => readdirSync(path));
  };

  test('writes to a disk and is committed like any other', async () => {
    writeFileSync(join(harness.workspace, 'old'), 'x');
    const line = 'rm old; mkdir d; head -c 8000000 /dev/zero >d/big; sync -f d';
    const done = await run(line, { writtenBytes: 64 * MIB });
    expect(done.ended).toEqual({ kind: 'exited', exitCode: 0 });
    expect(done.changes?.map(({ path, kind }) => `${kind} ${path}`)).toEqual([
      'created d/big',
      'deleted old',
    ]);
    expect(readFileSync(join(harness.workspace, 'd/big')).equals(Buffer.alloc(8_000_000))).toBe(true);
    expect(done.usage.writtenBytes).toBeGreaterThanOrEqual(8_000_000);
    expect(done.isolation.limits.disk).toEqual({
      strength: 'sampled',
      why: expect.stringContaining('64 MiB'),
    });
    await expect.poll(() => leftOnDisk(process.getuid?.() ?? 0)).toEqual([]);
  });

  test('is ended at its byte limit and leaves nothing', async () => {
    const done = await run('cat /dev/zero >f', { writtenBytes: 16 * MIB });
    expect(done.ended).toEqual({ kind: 'limited', limit: 'max_written_mb' });
    expect(done.limitsReached?.[0]).toMatchObject({ limit: 'max_written_mb', allowed: 16 });
    expect(done.limitsReached?.[0]?.used).toBeGreaterThanOrEqual(16);
    expect(existsSync(join(harness.workspace, 'f'))).toBe(false);
  });

  test('is ended at its name limit, while it runs or at its end', async () => {
    const limits = { writtenBytes: 16 * MIB, writtenFiles: 100 };
    const quick = await run('touch f{1..200}', limits);
    const endless = await run('i=0; while :; do i=$((i+1)); : >f$i; done', limits);
    for (const done of [quick, endless]) {
      expect(done.ended).toEqual({ kind: 'limited', limit: 'max_written_files' });
      expect(done.limitsReached?.[0]).toEqual({ limit: 'max_written_files', allowed: 100, used: null });
      expect(done.changes).toEqual([]);
    }
    expect(existsSync(join(harness.workspace, 'f1'))).toBe(false);
  });

  test('works for an ordinary user as for root, and leaves nothing on the disk', async ({ skip }) => {
    if (process.getuid?.() !== 0) skip('needs root');
    if (spawnSync('/usr/bin/setpriv', [...AS_USER, 'test', '-r', RUN_ONE]).status !== 0) skip('no access');
    spawnSync('chown', ['-R', '65534:65534', harness.folder]);
    const request = { limits: { ...aShellRequest('').limits, writtenBytes: 16 * MIB } };
    const asUser = (line: string): Execution => {
      const argv = [
        ...AS_USER,
        process.execPath,
        RUN_ONE,
        harness.optionsJson,
        line,
        JSON.stringify(request),
      ];
      return JSON.parse(spawnSync('/usr/bin/setpriv', argv, { encoding: 'utf8' }).stdout) as Execution;
    };
    const line = 'mkdir -p d/shut; echo one >d/shut/f; head -c 4000000 /dev/zero >d/big; chmod 700 d/shut';
    const done = asUser(line);
    expect(done.ended).toEqual({ kind: 'exited', exitCode: 0 });
    expect(readFileSync(join(harness.workspace, 'd/shut/f'), 'utf8')).toBe('one\n');
    expect(asUser('cat /dev/zero >f').ended).toEqual({ kind: 'limited', limit: 'max_written_mb' });
    expect(leftOnDisk(65_534)).toEqual([]);
  });

  test('removes paths from the disk that are too long for one call', async () => {
    const name = 'a'.repeat(200);
    const line = `for i in {1..30}; do mkdir ${name} && cd ${name} || exit; done`;
    const { ended } = await run(line, { writtenBytes: 16 * MIB });
    const why = [expect.stringMatching(/a…: its path is too long$/)];
    expect(ended).toMatchObject({ kind: 'refused', why });
    await expect.poll(() => leftOnDisk(process.getuid?.() ?? 0), { timeout: 60_000 }).toEqual([]);
    // Moved away first, then removed.
    const gone = (): string[] =>
      readdirSync(join(harness.folder, `signalbox-${process.getuid?.()}`)).filter((left) =>
        left.startsWith('gone'),
      );
    await expect.poll(gone, { timeout: 60_000 }).toEqual([]);
  });

  test('is rejected if others can access the folder on the disk', async () => {
    const folder = join(harness.folder, `signalbox-${process.getuid?.()}`);
    spawnSync('mkdir', ['-m', '777', folder]);
    await expect(run('true', { writtenBytes: 2 * MIB })).rejects.toMatchObject({
      code: 'command_not_confined',
      why: [expect.stringContaining('others have access to it')],
    });
  });
});

describe('a transaction whose files are smaller in its layers than in the workspace (R-B4)', () => {
  beforeEach(() => {
    harness = createHarness({ transactions: 'required' });
  });
  const bounds = { writtenBytes: 20 * MIB };
  const at = (path: string): Stats => lstatSync(join(harness.workspace, path));

  test('is limited by apparent sizes, and commits nothing when over', async () => {
    const done = await run('truncate -s 15M a b; echo x > c', bounds);
    expect(done.ended).toEqual({ kind: 'limited', limit: 'max_written_mb' });
    expect(done.limitsReached).toEqual([{ limit: 'max_written_mb', allowed: 20, used: 30 }]);
    expect(readdirSync(harness.workspace)).not.toContain('c');
  });

  test('commits holes as holes and hard links as hard links', async () => {
    const line =
      'truncate -s 12M hole; echo end >> hole; head -c 3000000 /dev/zero | tr "\\0" x > a; mkdir d; for i in {1..9}; do ln a d/$i; done';
    const done = await run(line, bounds);
    expect(done.ended).toEqual({ kind: 'exited', exitCode: 0 });
    const { size, blocks } = at('hole');
    expect([size, blocks * 512 < MIB]).toEqual([12 * MIB + 4, true]);
    expect(readFileSync(join(harness.workspace, 'hole')).subarray(-5).toString()).toBe('\0end\n');
    expect(['a', 'd/1', 'd/9'].map((path) => [at(path).ino, at(path).nlink, at(path).size])).toEqual(
      Array.from({ length: 3 }, () => [at('a').ino, 10, 3_000_000]),
    );
  });
});

const DIRECT: Partial<ExecutorOptions>[] = [{ transactions: 'off' }, { confinement: 'off-by-operator' }];

test.each(DIRECT)('a command without an overlay is ended when it has written too much (%j)', async (way) => {
  harness = createHarness(way);
  const done = await run('(cat /dev/zero >f) & wait', { writtenBytes: 16 * MIB });
  expect(done.ended).toEqual({ kind: 'limited', limit: 'max_written_mb' });
  expect(done.usage.writtenBytes).toBeGreaterThan(16 * MIB);
  expect(done.isolation.limits.disk.strength).toBe('sampled');
});

test.each(DIRECT)(
  'a command without an overlay is ended when it created too many names, not counting those of others (%j)',
  { timeout: 120_000 },
  async (way) => {
    harness = createHarness(way);
    for (let index = 0; index < 300; index++) writeFileSync(join(harness.workspace, `old${index}`), '');
    const bounds = { writtenBytes: 64 * MIB, writtenFiles: 200 };
    // Elsewhere on the same file system, which counts them.
    mkdirSync(join(harness.folder, 'elsewhere'));
    const others = setInterval(() => writeFileSync(join(harness.folder, 'elsewhere', randomUUID()), ''), 1);
    const few = await run('touch new{1..100}; sleep 1.2', bounds);
    const endless = { limits: { ...aShellRequest('').limits, ...bounds, timeoutMs: 100_000 } };
    const many = await harness.run('i=0; while :; do i=$((i+1)); : >f$i; done', endless);
    clearInterval(others);
    expect(few.ended).toEqual({ kind: 'exited', exitCode: 0 });
    expect(many.ended).toEqual({ kind: 'limited', limit: 'max_written_files' });
    expect(many.limitsReached?.[0]).toEqual({ limit: 'max_written_files', allowed: 200, used: null });
  },
);

test('a temporarily missing workspace ends neither its command nor us', async () => {
  harness = createHarness({ confinement: 'off-by-operator' });
  const line = 'at=$PWD; mv "$at" "$at.away" && sleep 1.2; mv "$at.away" "$at"; echo back';
  const done = await run(line, { writtenBytes: 16 * MIB });
  expect(done.ended).toEqual({ kind: 'exited', exitCode: 0 });
  expect(done.stdout.text).toBe('back\n');
});
