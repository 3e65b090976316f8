import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ProviderId } from '@signalbox/core';
import { expect, test } from 'vitest';
import { clientAt } from '../client-at.ts';
import { backgroundWorld } from '../testing/background-world.ts';
import { openTestServer, type TestServer } from '../../testing/open-test-server.ts';
import { createTestTerminal } from '../../testing/test-context.ts';

const ASKING = { settings: { approval: { prompt_on_warning: true } } } as const;

/** A terminal in an empty folder: it has only an address and an access token. */
function openElsewhere(url: string, token: string, onSay?: (text: string) => void) {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-elsewhere-'));
  const terminal = createTestTerminal(folder, {
    env: { SIGNALBOX_TOKEN: token },
    user: 'somebody',
    ...(onSay === undefined ? {} : { onSay }),
  });
  return {
    signalbox: (...argv: readonly string[]) => terminal.signalbox(...argv, '--server', url),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

const tokenOf = async (
  { of }: TestServer,
  role: 'viewer' | 'operator',
  { name }: Readonly<{ name: string }>,
): Promise<string> =>
  (await of.tokens.create({ kind: 'made', name, role, provider: null, lifetimeMs: null })).token;

/** Waiting times grow between two reads. */
const withoutTimes = (out: string): string => out.replaceAll(/\d+:\d\d\.\d/g, 'm:ss.t');

function documents(out: string): readonly unknown[] {
  return out
    .trimEnd()
    .split('\n')
    .map((row): unknown => JSON.parse(row));
}

test('every view is the same from a server elsewhere as from local records', async () => {
  await using own = await openTestServer(ASKING);
  const ended = own.of.submit('openai', 'bash', { args: { line: 'echo ended; echo aside >&2' } });
  await ended.result;
  await own.of.submit('anthropic', 'bash', { args: { line: 'touch asked' } }).resting;
  await own.of.runtime.coordinator.setMode('ALERT', { by: 'ana', reason: 'to be told of' });
  using elsewhere = openElsewhere(own.url, await tokenOf(own, 'viewer', { name: 'mira' }));
  const beside = createTestTerminal(own.of.workspace);
  for (const argv of [
    ['history'],
    ['history', '--export', '-', '--limit', '1'],
    ['queue'],
    ['leases'],
    ['stats'],
    ['stats', '--by', 'tool', '--slowest', '1'],
    ['stats', '--by', 'file', '--since', '1h'],
    ['mode'],
    ['diff'],
    ['output', ended.commandId.slice(0, 8)],
  ]) {
    const [there, here] = [
      await elsewhere.signalbox('--json', ...argv),
      await beside.signalbox('--json', ...argv),
    ];
    expect({ argv, exit: there.exit, reported: documents(there.out) }).toEqual({
      argv,
      exit: 0,
      reported: documents(here.out),
    });
  }
  const { out } = await elsewhere.signalbox('commands');
  expect(out).toMatch(/needs approval .*touch asked/);
  const besideToo = await beside.signalbox('commands');
  expect(withoutTimes(out)).toBe(withoutTimes(besideToo.out));
  const status = await elsewhere.signalbox('status', '--exit-code');
  expect(status).toMatchObject({
    exit: 4,
    out: expect.stringMatching(/ALERT · 127\.0\.0\.1:\d+ · serves\n0 of 3 running .* 1 approval   1 done /),
  });
  expect(status.out).toContain(` --server ${own.url}`);
  const named = ['status', ended.commandId.slice(0, 8)];
  expect((await elsewhere.signalbox(...named)).out).toBe((await beside.signalbox(...named)).out);
});

test('actions at a server elsewhere are made in the name of the access token', async () => {
  await using own = await openTestServer(ASKING);
  using elsewhere = openElsewhere(own.url, await tokenOf(own, 'operator', { name: 'mira' }));
  const { signalbox } = elsewhere;
  const ask = async (line: string) => {
    const submitted = own.of.submit('openai', 'bash', { args: { line } });
    await submitted.resting;
    const hash = (await own.of.runtime.store.get(submitted.commandId))?.approval;
    return { ...submitted, hash: hash?.callHash.slice(0, 8) ?? '' };
  };
  const wrote = await ask('echo one > a.txt');
  expect(await signalbox('approve', wrote.commandId, '--expect', 'ffffffff')).toMatchObject({ exit: 5 });
  expect(await signalbox('approve', wrote.commandId, '--expect', wrote.hash)).toMatchObject({ exit: 0 });
  expect((await wrote.result).outcome.kind).toBe('completed');
  expect(own.of.auditLines().at(-1)).toMatchObject({ approved_by: 'mira' });
  const diff = await signalbox('diff', wrote.commandId);
  expect(diff.out).toContain('+one');

  const refused = await ask('touch b.txt');
  expect(await signalbox('deny', refused.commandId, '-m', 'not there')).toMatchObject({ exit: 0 });
  expect((await refused.result).content).toContain('not there');

  const instead = await ask('touch c.txt');
  const modified = await signalbox(
    'approve',
    instead.commandId,
    '--modify',
    'echo hi',
    '--expect',
    instead.hash,
  );
  expect(modified).toMatchObject({ exit: 0 });
  expect((await instead.result).stdout).toBe('hi\n');

  const always = await ask('mkdir d');
  const rule = await signalbox('--json', 'approve', always.commandId, '--always', '--expect', always.hash);
  expect(documents(rule.out)).toMatchObject([{ answer: 'granted', rule: { counts: true } }]);

  const runs = own.of.submit('openai', 'bash', { args: { line: 'sleep 60' } });
  await own.of.event('command_started', ({ commandId }) => commandId === runs.commandId);
  expect(documents((await signalbox('--json', 'cancel', runs.commandId)).out)).toMatchObject([
    { stopping: [runs.commandId] },
  ]);
  expect((await runs.result).outcome.kind).toBe('cancelled');

  expect(await signalbox('undo', wrote.commandId)).toMatchObject({ exit: 0 });
  await expect(async () => own.of.read('a.txt')).rejects.toThrow('ENOENT');
  expect(await signalbox('mode', 'LOCKDOWN', '-m', 'strange pushes')).toMatchObject({ exit: 0 });
  expect(await own.of.runtime.coordinator.mode()).toMatchObject({ mode: 'LOCKDOWN', by: 'mira' });
});

test('a missing token, one without the right, and an unreachable server are reported, and nothing is done', async () => {
  await using own = await openTestServer(ASKING);
  const waits = own.of.submit('openai', 'bash', { args: { line: 'touch a.txt' } });
  await waits.resting;
  using nobody = openElsewhere(own.url, '');
  expect(await nobody.signalbox('queue')).toMatchObject({
    exit: 2,
    talk: expect.stringContaining('error[no-token]'),
  });
  using stranger = openElsewhere(own.url, 'sbx_of_somebody_else');
  expect((await stranger.signalbox('queue')).talk).toContain('access token is not valid here');
  using viewer = openElsewhere(own.url, await tokenOf(own, 'viewer', { name: 'mira' }));
  const denied = await viewer.signalbox('deny', waits.commandId);
  expect(denied).toMatchObject({ exit: 3, talk: expect.stringContaining('error[not-allowed]') });
  expect((await own.of.runtime.store.get(waits.commandId))?.state).toBe('awaiting_approval');
  const unseen = await viewer.signalbox('approve');
  expect(unseen).toMatchObject({ exit: 4, talk: expect.stringMatching(/approve \w{4} --expect \w{8}/) });
  await own.of.runtime.coordinator.cancel(waits.commandId, { by: 'ana' });
  expect((await viewer.signalbox('approve')).talk).toContain('No approvals pending');
  await own.close();
  const gone = await viewer.signalbox('commands');
  expect(gone).toMatchObject({ exit: 6, talk: expect.stringContaining('error[no-answer]') });
});

test('output --follow survives a restart of the server: it reports it, and resumes where it broke', async () => {
  await using own = await openTestServer();
  const token = await tokenOf(own, 'viewer', { name: 'mira' });
  const { port } = new URL(own.url);
  const runs = own.of.submit('openai', 'bash', { args: { line: 'echo one; sleep 60' } });
  await own.of.event('command_output', ({ commandId }) => commandId === runs.commandId);
  const [lost, back] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  using elsewhere = openElsewhere(own.url, token, (text) => {
    if (text.includes('openai')) void own.close();
    if (text.includes('connection lost')) lost.resolve();
    if (text.includes('reconnected')) back.resolve();
  });
  const followed = elsewhere.signalbox('output', runs.commandId, '--follow');
  await lost.promise;
  await own.reopen(Number(port));
  await back.promise;
  await own.of.runtime.coordinator.cancel(runs.commandId, { by: 'ana' });
  expect(await followed).toMatchObject({ exit: 0, out: 'one\n', talk: expect.stringContaining('cancelled') });
});

test('output --follow ends with the workspace’s coordinator, and says so', async () => {
  const world = backgroundWorld();
  const access = await world.connect();
  const { id } = await clientAt(access).submitCommand({
    tool: 'bash',
    args: { line: 'echo one; sleep 600' },
    provider: ProviderId.parse('openai'),
  });
  const { signalbox } = createTestTerminal(world.directory, {
    onSay(text) {
      if (text.includes('openai')) process.kill(access.pid, 'SIGKILL');
    },
  });
  const followed = await signalbox('output', id, '--follow');
  expect(followed).toMatchObject({ exit: 6, talk: expect.stringContaining('error[coordinator-gone]') });
  // Its stored records are readable all the same.
  expect(await signalbox('commands')).toMatchObject({ exit: 0, out: expect.stringContaining('sleep 600') });
});
