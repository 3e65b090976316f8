import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { CommandId, createId } from '@signalbox/core';
import { admitDocumentedUser, startRedisServer } from '@signalbox/redis/testing';
import { expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { MAIN } from '../../testing/agent.ts';
import { hostGit } from '../../testing/host-git.ts';
import { configHomeOf } from '../../testing/own-settings.ts';
import { makeOwnState } from '../../runtime/workspace/state-folder.ts';
import { ownWorkspace } from '../../testing/own-workspace.ts';
import { traceIdOf } from '../../runtime/log/command-spans.ts';
import { startOtlpReceiver } from '../../runtime/log/testing/otlp-receiver.ts';

const Started = z.looseObject({ event: z.string(), url: z.string().optional(), id: z.string().optional() });
const Command = z.looseObject({
  id: z.string(),
  status: z.string(),
  approval: z.looseObject({ callHash: z.string() }).nullable(),
  result: z.looseObject({ outcome: z.looseObject({ kind: z.string() }), stdout: z.string() }).nullable(),
});
const Access = z.looseObject({ url: z.string(), token: z.string() });

test('two coordinators and two workers act as one and write one trace per command, as a Redis user with only the documented rights (setting: tools.*.sandbox.labels)', async () => {
  const server = await startRedisServer(['--appendonly', 'yes']);
  onTestFinished(() => server.close());
  const name = createId('workspace', randomBytes);
  const workspace = ownWorkspace({
    'signalbox.yaml': 'tools:\n  bash:\n    sandbox:\n      labels: [linux]\n',
    'told.txt': 'hello\n',
  });
  hostGit(workspace, 'remote', 'add', 'origin', 'https://git.example/a.git');
  makeOwnState(workspace);
  writeFileSync(join(workspace, '.signalbox', 'workspace-id'), `${name}\n`);
  const user = await admitDocumentedUser(server, name);
  onTestFinished(() => user.close());
  const receiver = await startOtlpReceiver();
  onTestFinished(receiver.close);
  const env = { SIGNALBOX_REDIS_URL: user.url, OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url };
  const first = await start(env, workspace, { argv: ['serve', '--no-local', '--port', '0'] });
  const second = await start(env, workspace, { argv: ['serve', '--no-local', '--port', '0'] });
  const [plain, labelled] = await Promise.all([
    start(env, workspace, { argv: ['worker', '--concurrency', '2'] }),
    start(env, workspace, { argv: ['worker', '--concurrency', '2', '--labels', 'linux,gpu'] }),
  ]);
  const [a, b] = [api(workspace, first.started.url), api(workspace, second.started.url)];
  const seen = await Promise.all([a.events(), b.events()]);

  const ran = await a.post('/api/commands', { tool: 'bash', args: { line: 'cat told.txt' }, wait: true });
  expect([ran.status, ran.result?.stdout]).toEqual(['completed', 'hello\n']);

  const asked = await a.post('/api/commands', { tool: 'bash', args: { line: 'git push origin main' } });
  expect(asked.status).toBe('pending');
  const waiting = b.get(`/api/commands/${asked.id}?wait=60000`);
  await b.post(`/api/approvals/${asked.id}/grant`, { callHash: asked.approval?.callHash });
  // There is no such remote: the attempt proves that a worker ran it.
  expect((await waiting).result?.outcome.kind).toBe('failed');

  for (const heard of seen) {
    await heard.until((text) => text.includes(asked.id) && text.includes('command_failed'));
    expect(heard.text()).toContain(ran.id);
  }
  const slow = await b.post('/api/commands', { tool: 'bash', args: { line: 'sleep 600' } });
  const stopped = a.get(`/api/commands/${slow.id}?wait=60000`);
  await a.post(`/api/commands/${slow.id}/cancel`, { reason: 'enough' }, z.looseObject({ kind: z.string() }));
  expect((await stopped).result?.outcome.kind).toBe('cancelled');

  const status = await run(env, workspace, { argv: ['status', '--json'] });
  const members = z
    .looseObject({ members: z.array(z.looseObject({ id: z.string(), kind: z.string() })) })
    .parse(JSON.parse(status));
  expect(members.members.map(({ kind }) => kind).toSorted()).toEqual([
    'coordinator',
    'coordinator',
    'worker',
    'worker',
  ]);
  expect(members.members.map(({ id }) => id)).toEqual(
    expect.arrayContaining([plain.started.id, labelled.started.id]),
  );

  expect(await user.refusals()).toEqual([]);
  const drained: unknown = JSON.parse(await run(env, workspace, { argv: ['worker', '--drain'] }));
  const ids = [plain.started.id, labelled.started.id];
  expect(drained).toEqual({ draining: expect.arrayContaining(ids), elsewhere: [] });
  await Promise.all([plain.ended, labelled.ended]);
  for (const { child } of [first, second]) child.kill('SIGTERM');
  await Promise.all([plain, labelled, first, second].map(({ ended }) => ended));
  expect([plain, labelled, first, second].map(({ child }) => child.exitCode)).toEqual([0, 0, 0, 0]);
  expect(readdirSync(join(workspace, '.signalbox', 'members'))).toEqual([]);

  // The queue's own spans are BullMQ's. Its work without a command is in no trace.
  const commands = [ran, asked, slow].map(({ id }) => traceIdOf(CommandId.parse(id)));
  expect(new Set(receiver.spans.map(({ traceId }) => traceId))).toEqual(new Set(commands));
  const spans = receiver.spans.filter(({ traceId }) => traceId === commands[1]);
  const nameOf = new Map(spans.map((span) => [span.spanId, span.name]));
  const parents = spans.map((span) => [span.name, nameOf.get(span.parentSpanId ?? '')] as const);
  expect(Object.fromEntries(parents)).toMatchObject({
    command: undefined,
    approve: 'command',
    queue: 'command',
    run: 'command',
    'add run+gpu+linux.run': 'run',
    'process run+gpu+linux': 'add run+gpu+linux.run',
    execute: 'process run+gpu+linux',
  });
  expect(JSON.stringify(spans)).not.toContain('git push');
}, 120_000);

test('a worker refuses a folder that is not the coordinators’ tree, whether empty or a copy', async () => {
  const server = await startRedisServer(['--appendonly', 'yes']);
  onTestFinished(() => server.close());
  const workspace = ownWorkspace();
  await start({ SIGNALBOX_REDIS_URL: server.url }, workspace, {
    argv: ['serve', '--foreground', '--port', '0'],
  });
  const empty = ownWorkspace();
  await expect(run({ SIGNALBOX_REDIS_URL: server.url }, empty, { argv: ['worker'] })).rejects.toThrow(
    /no coordinator uses this tree/,
  );
  const copy = ownWorkspace();
  makeOwnState(copy);
  mkdirSync(join(copy, '.signalbox', 'members'));
  const name = readFileSync(join(workspace, '.signalbox', 'workspace-id'), 'utf8');
  writeFileSync(join(copy, '.signalbox', 'workspace-id'), name);
  await expect(run({ SIGNALBOX_REDIS_URL: server.url }, copy, { argv: ['worker'] })).rejects.toThrow(
    /the others use a different tree/,
  );
}, 120_000);

type Environment = Readonly<{ SIGNALBOX_REDIS_URL: string; OTEL_EXPORTER_OTLP_ENDPOINT?: string }>;

function spawnSignalbox(
  env: Environment,
  workspace: string,
  { argv }: Readonly<{ argv: readonly string[] }>,
): ChildProcess {
  const child = spawn(process.execPath, [MAIN, '-C', workspace, ...argv, '--json'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      HOME: `${workspace}.home`,
      XDG_CONFIG_HOME: configHomeOf(workspace),
      ...env,
    },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

/** One that stays, from its first line on. */
async function start(env: Environment, workspace: string, { argv }: Readonly<{ argv: readonly string[] }>) {
  const child = spawnSignalbox(env, workspace, { argv });
  const ended = once(child, 'exit');
  const errors: string[] = [];
  child.stderr?.on('data', (text) => errors.push(String(text)));
  if (child.stdout === null) throw new Error('no output');
  const line = await Promise.race([
    once(createInterface({ input: child.stdout }), 'line').then(([text]) => String(text)),
    ended.then(() => {
      throw new Error(`${argv.join(' ')} ended: ${errors.join('')}`);
    }),
  ]);
  return { child, ended, started: Started.parse(JSON.parse(line)) };
}

/** One that exits by itself: its output or its error. */
async function run(
  env: Environment,
  workspace: string,
  { argv }: Readonly<{ argv: readonly string[] }>,
): Promise<string> {
  const child = spawnSignalbox(env, workspace, { argv });
  const texts = { out: '', talk: '' };
  child.stdout?.on('data', (text) => (texts.out += String(text)));
  child.stderr?.on('data', (text) => (texts.talk += String(text)));
  await once(child, 'close');
  if (child.exitCode !== 0) throw new Error(`${texts.out}${texts.talk}`);
  return texts.out;
}

/** The API of one coordinator, as its own account. */
function api(workspace: string, url: string | undefined) {
  const folder = join(workspace, '.signalbox', 'servers');
  const access = readdirSync(folder)
    .map((name) => Access.parse(JSON.parse(readFileSync(join(folder, name), 'utf8'))))
    .find((one) => one.url === url);
  if (access === undefined) throw new Error(`${String(url)} left no word`);
  const headers = { authorization: `Bearer ${access.token}`, 'content-type': 'application/json' };
  const ask = async <Answer>(path: string, init: RequestInit, answer: z.ZodType<Answer>): Promise<Answer> => {
    const response = await fetch(new URL(path, access.url), { ...init, headers });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path}: ${text}`);
    return answer.parse(JSON.parse(text));
  };
  return {
    get: (path: string) => ask(path, {}, Command),
    post<Answer = z.infer<typeof Command>>(
      path: string,
      body: unknown,
      answer: z.ZodType<Answer> = Command as unknown as z.ZodType<Answer>,
    ): Promise<Answer> {
      return ask(path, { method: 'POST', body: JSON.stringify(body) }, answer);
    },
    async events() {
      const response = await fetch(new URL('/api/events', access.url), { headers });
      const reader = response.body?.getReader();
      const decoder = new TextDecoder();
      let text = '';
      onTestFinished(() => reader?.cancel().catch(() => undefined));
      return {
        text: () => text,
        async until(isThere: (heard: string) => boolean): Promise<void> {
          while (!isThere(text)) {
            const { value, done } = (await reader?.read()) ?? { value: undefined, done: true };
            if (done) throw new Error(`the stream ended: ${text}`);
            text += decoder.decode(value, { stream: true });
          }
        },
      };
    },
  };
}
