import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UnavailableError } from '@signalbox/core';
import { createManualClock, createSeededRandom } from '@signalbox/core/testing';
import { expect, onTestFinished, test } from 'vitest';
import { identityOf } from './process-identity.ts';
import { acquireWorkspaceLock, findWorkspaceHolder } from './workspace-lock.ts';

const HOST = 'box';
const random = createSeededRandom();
/** Elsewhere processes are distinguished by pid only. */
const LINUX = process.platform === 'linux';

test('a workspace has one coordinator until it releases the lock', async () => {
  const folder = await emptyFolder();
  const lock = await acquire(folder);
  expect(await findWorkspaceHolder(folder, HOST)).toEqual(lock.holder);
  await expect(acquire(folder)).rejects.toMatchObject({
    code: 'workspace-held',
    message: `Cannot coordinate the workspace of "${folder}": \`signalbox run\` holds it`,
    why: [`it is process ${process.pid}, started 2026-01-01T00:00:00.000Z`],
    next: ['Use that one, or wait until it stops', `Stop it: kill ${process.pid}`],
  });
  await lock.release();
  await lock.release();
  expect(await findWorkspaceHolder(folder, HOST)).toBeNull();
  await acquire(folder);
});

test('a late release does not remove the lock of the next coordinator', async () => {
  const folder = await emptyFolder();
  const first = await acquire(folder);
  await first.release();
  const second = await acquire(folder);
  await first.release();
  expect(await findWorkspaceHolder(folder, HOST)).toEqual(second.holder);
});

test('the lock of a killed coordinator is taken over', async () => {
  const folder = await emptyFolder();
  const [child, answer] = await startCoordinator(folder);
  expect(answer).toBe('taken');
  await expect(acquire(folder)).rejects.toThrow(UnavailableError);
  await kill(child);
  expect(await findWorkspaceHolder(folder, HOST)).toBeNull();
  const { holder } = await acquire(folder);
  expect(holder.process.pid).toBe(process.pid);
  expect(await readdir(folder)).toEqual(['coordinator.lock']);
});

test.runIf(LINUX)(
  'of many processes that find the lock of a dead coordinator exactly one takes it over',
  async () => {
    for (let round = 0; round < 40; round++) {
      const folder = await emptyFolder();
      await writeLock(folder, { startTicks: '1' });
      const answers = await Promise.allSettled(Array.from({ length: 12 }, () => acquire(folder)));
      const taken = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value.holder] : []));
      expect(taken).toEqual([await findWorkspaceHolder(folder, HOST)]);
      const refusals = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []));
      expect(refusals.every(({ code }: UnavailableError) => code === 'workspace-held')).toBe(true);
      expect(await readdir(folder)).toEqual(['coordinator.lock']);
    }
  },
);

test('of several processes started at once after a crash exactly one becomes coordinator', async () => {
  const folder = await emptyFolder();
  const [first] = await startCoordinator(folder);
  await kill(first);
  const started = await Promise.all(Array.from({ length: 4 }, () => startCoordinator(folder)));
  const answers = started.map(([, answer]) => answer);
  expect(answers.toSorted()).toEqual(['taken', 'workspace-held', 'workspace-held', 'workspace-held']);
  const winner = started[answers.indexOf('taken')]?.[0];
  expect((await findWorkspaceHolder(folder, HOST))?.process.pid).toBe(winner?.pid);
});

test.runIf(LINUX)('a takeover that died halfway is itself taken over', async () => {
  const folder = await emptyFolder();
  await writeLock(folder, { startTicks: '1' });
  await writeLock(
    folder,
    { startTicks: '2' },
    { name: `coordinator.lock.${'a'.repeat(24)}`, nonce: 'b'.repeat(24) },
  );
  const { holder } = await acquire(folder);
  expect(await findWorkspaceHolder(folder, HOST)).toEqual(holder);
  expect(await readdir(folder)).toEqual(['coordinator.lock']);
});

test('while one process takes over a dead lock, the others see it as held', async () => {
  const folder = await emptyFolder();
  await writeLock(folder, { startTicks: '1' });
  await writeLock(folder, {}, { name: `coordinator.lock.${'a'.repeat(24)}`, nonce: 'b'.repeat(24) });
  await expect(acquire(folder)).rejects.toMatchObject({ code: 'workspace-held' });
});

test.runIf(LINUX)('another process under the pid of a dead coordinator does not hold its lock', async () => {
  const folder = await emptyFolder();
  await writeLock(folder, { startTicks: '1' });
  expect(await findWorkspaceHolder(folder, HOST)).toBeNull();
  const { holder } = await acquire(folder);
  expect(await findWorkspaceHolder(folder, HOST)).toEqual(holder);
});

test.runIf(LINUX)('a lock from before a reboot of the machine is taken over', async () => {
  const folder = await emptyFolder();
  await writeLock(folder, { bootId: 'earlier' });
  const { holder } = await acquire(folder);
  expect(await findWorkspaceHolder(folder, HOST)).toEqual(holder);
});

test.runIf(LINUX).for([
  { where: 'on another machine', change: { host: 'elsewhere', startTicks: '1' } },
  { where: 'in another container', change: { pidNamespace: 'pid:[1]', startTicks: '1' } },
])('the lock of a coordinator $where is kept, since its liveness is unknown', async ({ change }) => {
  const folder = await emptyFolder();
  await writeLock(folder, change);
  const before = await readFile(join(folder, 'coordinator.lock'), 'utf8');
  await expect(acquire(folder)).rejects.toMatchObject({
    code: 'workspace-held',
    next: [
      'Use that one; whether it is still running can’t be checked from here',
      `If none is running, remove the file: rm "${join(folder, 'coordinator.lock')}"`,
    ],
  });
  expect(await readFile(join(folder, 'coordinator.lock'), 'utf8')).toBe(before);
});

test.for(['', '{', '{"pid": 1}'])('a lock file that holds %j is left alone', async (text) => {
  const folder = await emptyFolder();
  await writeFile(join(folder, 'coordinator.lock'), text);
  await expect(acquire(folder)).rejects.toMatchObject({
    code: 'workspace-held',
    message: `Cannot coordinate the workspace of "${folder}": its lock file is unreadable`,
  });
  expect(await readFile(join(folder, 'coordinator.lock'), 'utf8')).toBe(text);
});

async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-lock-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

function acquire(folder: string) {
  return acquireWorkspaceLock({
    folder,
    host: HOST,
    pid: process.pid,
    subcommand: 'run',
    clock: createManualClock(),
    random,
  });
}

/** Writes a lock as this process would, with the given changes. */
async function writeLock(
  folder: string,
  change: Partial<Awaited<ReturnType<typeof identityOf>>>,
  { name = 'coordinator.lock', nonce = 'a'.repeat(24) }: Readonly<{ name?: string; nonce?: string }> = {},
): Promise<void> {
  const identity = { ...(await identityOf(process.pid, HOST)), ...change };
  const holder = { nonce, process: identity, startedAt: 0, subcommand: 'run' };
  await writeFile(join(folder, name), JSON.stringify(holder));
}

/** Starts a process that becomes coordinator and stays, or reports why it could not. */
async function startCoordinator(folder: string): Promise<[ChildProcess, string]> {
  const program = `
    import { randomBytes } from 'node:crypto';
    import { acquireWorkspaceLock } from ${JSON.stringify(new URL('workspace-lock.ts', import.meta.url).href)};
    import { createSystemClock } from ${JSON.stringify(import.meta.resolve('@signalbox/core'))};
    const options = {
      folder: ${JSON.stringify(folder)}, host: '${HOST}', pid: process.pid, subcommand: 'run',
      clock: createSystemClock(), random: randomBytes,
    };
    console.log(await acquireWorkspaceLock(options).then(() => 'taken', (error) => error.code ?? error));
    process.stdin.resume();
  `;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => kill(child));
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return [child, String(line).trim()];
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}
