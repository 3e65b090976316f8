import { mkdirSync, mkdtempSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSystemClock } from '@signalbox/embedded';
import { expect, onTestFinished, test } from 'vitest';
import { entry } from '../program/runtime-entry.ts';
import { clientAt } from './client-at.ts';
import { openEvents } from './event-stream.ts';
import { openTestServer } from '../testing/open-test-server.ts';
import { createTestWorkspace, TEST_STATE } from '../testing/open-test-runtime.ts';
import { configHomeOf } from '../testing/own-settings.ts';
import { ownWorkspace } from '../testing/own-workspace.ts';
import { connectCoordinator } from './connect-coordinator.ts';
import { fetchAt } from './fetch-at.ts';
import { findCoordinator } from './find-coordinator.ts';

const clock = createSystemClock();

function worldOf(directory: string) {
  const env = {
    PATH: process.env['PATH'],
    XDG_CONFIG_HOME: configHomeOf(directory),
    XDG_STATE_HOME: TEST_STATE,
  };
  return { directory, env, clock, entry, user: 'ana' };
}

test('a client on the socket is the owner: no token, role operator, the name of the account', async () => {
  await using server = await openTestServer();
  const access = await connectCoordinator(worldOf(server.of.workspace), { what: 'look', start: false });
  const you = await clientAt(access).getYou();
  expect(you).toMatchObject({ role: 'operator' });
  expect(await server.ask('GET', '/api/you', { token: '' })).toMatchObject({ status: 401 });
  expect(statSync(access.socket ?? '').mode & 0o777).toBe(0o600);
  expect(statSync(join(server.of.workspace, '.signalbox/run')).mode & 0o777).toBe(0o700);
});

test('no request to the port can pass as one on the socket', async () => {
  await using server = await openTestServer();
  const headers = { host: 'localhost', 'x-forwarded-for': 'unix:', forwarded: 'for=unix' };
  const forged = await server.ask('GET', '/api/you', { token: '', headers });
  expect(forged.status).toBe(401);
  const foreign = await server.ask('GET', '/api/you', { headers: { origin: 'https://evil.example' } });
  expect(foreign.status).toBe(403);
});

test('events arrive over the socket as they happen', async () => {
  await using server = await openTestServer();
  const access = await connectCoordinator(worldOf(server.of.workspace), { what: 'look', start: false });
  const leave = new AbortController();
  const frames = await openEvents(access, { after: null, clock, signal: leave.signal });
  expect(await frames.next()).toMatchObject({ value: { kind: 'hello' } });
  void server.of.call('claude', 'read_file', { path: 'missing' });
  expect(await frames.next()).toMatchObject({ value: { kind: 'event' } });
  leave.abort();
  await frames.return();
});

test('a request over the socket ends when its signal aborts', async () => {
  await using server = await openTestServer();
  const access = await connectCoordinator(worldOf(server.of.workspace), { what: 'look', start: false });
  const reason = new Error('enough');
  await expect(fetchAt(access, '/api/hello', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
});

test('without a coordinator an error says so, and none is started unless requested', async () => {
  const workspace = ownWorkspace();
  await expect(
    connectCoordinator(worldOf(workspace), { what: 'list the approvals', start: false }),
  ).rejects.toMatchObject({ code: 'no-coordinator' });
});

test('a started coordinator is a process of its own, and accepts connections when the start settles', async () => {
  const workspace = ownWorkspace();
  const access = await connectCoordinator(worldOf(workspace), { what: 'work', start: true });
  expect(access.pid).not.toBe(process.pid);
  expect(await clientAt(access).getYou()).toMatchObject({ role: 'operator' });
  process.kill(access.pid, 'SIGTERM');
  await expect.poll(() => findCoordinator(worldOf(workspace), 'look'), { timeout: 20_000 }).toBeNull();
});

test('if the path is too long for a socket, it is in a private folder of the account', async () => {
  const deep = join(realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-deep-'))), 'x'.repeat(90));
  mkdirSync(deep);
  const workspace = createTestWorkspace({}, deep);
  const cache = mkdtempSync(join(tmpdir(), 'sb-'));
  onTestFinished(() => {
    for (const folder of [deep, cache]) rmSync(folder, { recursive: true, force: true });
  });
  await using server = await openTestServer({ workspace, apiKeys: { HOME: cache } });
  const access = await connectCoordinator(worldOf(server.of.workspace), { what: 'look', start: false });
  expect(access.socket).toContain(cache);
  expect(statSync(join(cache, '.cache/signalbox')).mode & 0o777).toBe(0o700);
});
