import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createManualClock } from '@signalbox/core/testing';
import { createSystemClock } from '@signalbox/embedded';
import { expect, onTestFinished, test } from 'vitest';
import { makeOwnState } from '../workspace/state-folder.ts';
import { readRecord, writeRecord } from './coordinator-record.ts';
import { findCoordinator } from '../../client/find-coordinator.ts';
import { openSocket } from './open-socket.ts';

const clock = createSystemClock();

function aWorkspace(): string {
  const workspace = mkdtempSync(join(tmpdir(), 'signalbox-socket-'));
  onTestFinished(() => rmSync(workspace, { recursive: true, force: true }));
  return workspace;
}

/** Accepts connections and sends nothing. */
function aListener() {
  const servers: Server[] = [];
  onTestFinished(() => {
    for (const server of servers) server.close();
  });
  return {
    listenOn: async (path: string) => {
      const server = createServer();
      servers.push(server);
      await new Promise<void>((resolve) => void server.listen(path, resolve));
    },
    close: () => Promise.all(servers.map((server) => new Promise((resolve) => void server.close(resolve)))),
  };
}

const FORGED = { nonce: 'theirs', pid: process.pid, process: null, version: '0.1.0', startedAt: 0 };

const of = (workspace: string) => ({ workspace, env: { HOME: workspace }, user: 'ana', clock });

test('closing a replaced socket removes nothing of its successor', async () => {
  const workspace = aWorkspace();
  const displaced = aListener();
  const first = await openSocket(displaced, of(workspace));
  const path = readRecord(workspace)?.socket ?? '';
  rmSync(path);
  const second = await openSocket(aListener(), of(workspace));
  expect([first.isFound(), second.isFound()]).toEqual([false, true]);
  const record = readRecord(workspace);
  await first.remove();
  await displaced.close();
  expect(readRecord(workspace)).toEqual(record);
  expect(existsSync(path)).toBe(true);
  await second.remove();
  expect(existsSync(path)).toBe(false);
  expect(readdirSync(join(workspace, '.signalbox/run'))).toEqual([]);
});

test('the first of several keeps the socket while it accepts', async () => {
  const workspace = aWorkspace();
  await openSocket(aListener(), of(workspace));
  const record = readRecord(workspace);
  const second = await openSocket(aListener(), of(workspace));
  expect(readRecord(workspace)).toEqual(record);
  await second.remove();
  expect(readRecord(workspace)).toEqual(record);
});

test.for(['alive', 'unknown'] as const)(
  'a silent listener is reported after 5 s, with its process only if that is certain: %s',
  async (liveness) => {
    const workspace = aWorkspace();
    await openSocket(aListener(), of(workspace));
    const record = readRecord(workspace);
    if (liveness === 'unknown' && record !== null)
      writeRecord(workspace, { ...record, process: { ...Object(record.process), startTicks: '1' } });
    const manual = createManualClock();
    const found = findCoordinator({ directory: workspace, clock: manual }, 'work');
    await manual.advance(5000);
    const error = await found.catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'coordinator-hangs' });
    const said = JSON.stringify(error);
    expect(said.includes(`kill ${process.pid}`)).toBe(liveness === 'alive');
  },
);

test('a folder that other accounts may enter is restricted to its owner', async () => {
  const workspace = aWorkspace();
  const run = join(workspace, '.signalbox/run');
  makeOwnState(workspace);
  mkdirSync(run);
  chmodSync(run, 0o755);
  await openSocket(aListener(), of(workspace));
  expect(statSync(run).mode & 0o777).toBe(0o700);
  expect(statSync(readRecord(workspace)?.socket ?? '').mode & 0o777).toBe(0o600);
});

test.skipIf(process.getuid?.() !== 0)(
  'a folder of another account is neither listened in nor connected to',
  async () => {
    const workspace = aWorkspace();
    const run = join(workspace, '.signalbox/run');
    makeOwnState(workspace);
    mkdirSync(run, { mode: 0o700 });
    writeRecord(workspace, { ...FORGED, socket: join(run, 'coordinator.sock') });
    // Only root can change the owner.
    chownSync(run, 65_534, 65_534);
    const refused = { code: 'state-unsafe' };
    await expect(findCoordinator({ directory: workspace, clock }, 'work')).rejects.toMatchObject(refused);
    await expect(openSocket(aListener(), of(workspace))).rejects.toMatchObject(refused);
  },
);

test('a record that names another socket, as in an archive, is ignored and left unchanged', async () => {
  const workspace = aWorkspace();
  const other = aWorkspace();
  await openSocket(aListener(), of(other));
  const socket = readRecord(other)?.socket ?? '';
  chmodSync(other, 0o755);
  makeOwnState(workspace);
  mkdirSync(join(workspace, '.signalbox/run'), { mode: 0o700 });
  for (const named of [socket, join(other, 'x.sock'), join(other, 'signalbox/0123456789abcdef-1.sock')]) {
    writeRecord(workspace, { ...FORGED, socket: named });
    expect(await findCoordinator({ directory: workspace, clock }, 'work')).toBeNull();
  }
  expect(statSync(other).mode & 0o777).toBe(0o755);
  const opened = await openSocket(aListener(), of(workspace));
  expect(opened.isFound()).toBe(true);
  expect(readRecord(workspace)?.socket).toBe(join(workspace, '.signalbox/run/coordinator.sock'));
  expect(existsSync(socket)).toBe(true);
});

test('a torn record counts as none, and the next coordinator replaces it', async () => {
  const workspace = aWorkspace();
  const listener = aListener();
  const first = await openSocket(listener, of(workspace));
  const file = join(workspace, '.signalbox/run/coordinator.json');
  const whole = readFileSync(file);
  for (const bytes of [0, 1, whole.length - 3]) {
    writeFileSync(file, whole.subarray(0, bytes));
    expect(await findCoordinator({ directory: workspace, clock }, 'work')).toBeNull();
    expect(first.isFound()).toBe(false);
  }
  await listener.close();
  const second = await openSocket(aListener(), of(workspace));
  await first.remove();
  expect(second.isFound()).toBe(true);
});

test('a folder or a record that is a link is refused', async () => {
  const workspace = aWorkspace();
  makeOwnState(workspace);
  const elsewhere = aWorkspace();
  symlinkSync(elsewhere, join(workspace, '.signalbox/run'));
  await expect(openSocket(aListener(), of(workspace))).rejects.toMatchObject({ code: 'state-unsafe' });
  rmSync(join(workspace, '.signalbox/run'));
  mkdirSync(join(workspace, '.signalbox/run'));
  writeFileSync(join(elsewhere, 'record'), '{}');
  symlinkSync(join(elsewhere, 'record'), join(workspace, '.signalbox/run/coordinator.json'));
  await expect(findCoordinator({ directory: workspace, clock }, 'work')).rejects.toMatchObject({
    code: 'state-unsafe',
  });
});
