import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Submitted, verifyAudit } from '@signalbox/coordinator';
import { type CommandId, createId, ProviderId, type Tool } from '@signalbox/core';
import { createMemoryLogger, createSeededRandom } from '@signalbox/core/testing';
import { createSystemClock } from '@signalbox/embedded';
import { startRedisServer, startTcpProxy, type TcpProxy } from '@signalbox/redis/testing';
import { expect, test, type TestContext } from 'vitest';
import { openRuntime } from '../../runtime/compose.ts';
import type { Runtime } from '../../runtime/contract/runtime.ts';
import { ownWorkspace } from '../../testing/own-workspace.ts';
import { testProgram } from '../../testing/programs/test-program.ts';
import { beat, BEATS, createHold, writeUnsaid } from './testing/beating-tools.ts';
import { type ContentionTest, contestLimits, contestSettings } from './testing/contention-test.ts';

const SKEWED_CLOCK = new URL('./testing/skewed-clock.ts', import.meta.url).pathname;

const LEASE_TTL_MS = 2000;
/** Clock skew of the workers: trusting their clocks would stop nothing in time. */
const SKEW_MS = -3_600_000;
const ENDINGS = new Set(['command_completed', 'command_failed', 'command_denied', 'command_cancelled']);
/**
 * On a busy machine a worker may be taken for dead before we freeze it; then it reports that it stopped its command.
 */
const UNFINISHED = /^(lost|cancelled)$/;
/** On the same file. */
const [ENDLESS, SHORT] = [
  { file: 'a', until: 'never' },
  { file: 'a', until: 'now' },
];
const PATIENCE = { timeout: 60_000, interval: 20 };

type AtEnd = TestContext['onTestFinished'];

// Each spends most of its time waiting for leases to end.
test.concurrent('a worker frozen past its lease has no command left when the next one starts, and reports nothing twice when it wakes', async ({
  onTestFinished,
}) => {
  const fixture = await prepare(onTestFinished);
  const runtime = await fixture.runtime();
  const frozen = await fixture.worker();
  const first = await runtime.until(fixture.beats, () => runtime.submit('beat', ENDLESS));
  const other = await fixture.worker();

  frozen.child.kill('SIGSTOP');
  const next = await runtime.untilCompleted('beat', SHORT);
  expect((await first.result).outcome.kind).toMatch(UNFINISHED);
  fixture.expectApart(first.commandId, next);
  const reported = await runtime.reportedBy(first.commandId);

  await other.leave();
  frozen.child.kill('SIGCONT');
  await runtime.untilCompleted('beat', SHORT);
  expect(await runtime.reportedBy(first.commandId)).toEqual(reported);
  expect(reported.endings).toHaveLength(1);
  expect(await fixture.auditedTimes(first.commandId)).toBe(1);
  fixture.expectApart(first.commandId, next);
  await frozen.leave();
}, 240_000);

test.concurrent('a worker with a silent link stops its command before the next one starts, and works again when the link does', async ({
  onTestFinished,
}) => {
  const fixture = await prepare(onTestFinished);
  const runtime = await fixture.runtime();
  const link = await fixture.link();
  const cut = await fixture.worker(link.url);
  const first = await runtime.until(fixture.beats, () => runtime.submit('beat', ENDLESS));
  const other = await fixture.worker();

  link.cut();
  const next = await runtime.untilCompleted('beat', SHORT);
  expect((await first.result).outcome.kind).toMatch(UNFINISHED);
  fixture.expectApart(first.commandId, next);

  await other.leave();
  link.mend();
  await runtime.untilCompleted('beat', SHORT);
  expect((await runtime.reportedBy(first.commandId)).endings).toHaveLength(1);
  expect(await fixture.auditedTimes(first.commandId)).toBe(1);
  await cut.leave();
}, 240_000);

test.concurrent('commands of a coordinator with a silent link are dead before another one starts the next, and end once for both', async ({
  onTestFinished,
}) => {
  const fixture = await prepare(onTestFinished);
  const link = await fixture.link();
  const [cut, living] = [await fixture.runtime({ url: link.url }), await fixture.runtime()];
  await fixture.worker();
  const first = await cut.until(fixture.beats, () => cut.submit('beat', ENDLESS));
  // A slot for the next one, should the first one survive.
  await fixture.worker();

  link.cut();
  const next = await living.untilCompleted('beat', SHORT);
  fixture.expectApart(first.commandId, next);

  link.mend();
  expect((await first.result).outcome.kind).toMatch(UNFINISHED);
  expect((await living.reportedBy(first.commandId)).endings).toHaveLength(1);
  expect(await fixture.auditedTimes(first.commandId)).toBe(1);
}, 240_000);

test.concurrent('a worker frozen while it waits for permission to commit commits nothing when it wakes, and continues working', async ({
  onTestFinished,
}) => {
  const fixture = await prepare(onTestFinished);
  const { hold, letGo } = createHold();
  const runtime = await fixture.runtime({ tools: [hold, writeUnsaid], transactional: true });
  const frozen = await fixture.worker();
  const writing = await runtime.until(runtime.waits, () => {
    runtime.submit('hold', { file: 'a' });
    return runtime.submit('write_unsaid', { file: 'a' });
  });

  frozen.child.kill('SIGSTOP');
  expect((await writing.result).outcome.kind).toMatch(UNFINISHED);
  letGo();

  frozen.child.kill('SIGCONT');
  // It runs one command at a time: that one is over for it too.
  const next = await runtime.untilCompleted('write_unsaid', { file: 'b' });
  expect(fixture.read('b')).toBe(`${next}\n`);
  expect(fixture.read('a')).not.toContain(writing.commandId);
  await frozen.leave();
}, 240_000);

/** A workspace with a Redis, and the requested processes on it. */
async function prepare(onTestFinished: AtEnd) {
  const server = await startRedisServer(['--appendonly', 'yes']);
  onTestFinished(() => server.close());
  const workspace = ownWorkspace({ now: '' }, onTestFinished);
  const read = (name: string): string =>
    existsSync(join(workspace, name)) ? readFileSync(join(workspace, name), 'utf8') : '';
  const beats = (): readonly string[] => read(BEATS).split('\n').slice(0, -1);

  return {
    read,
    async runtime(options: Partial<Wanted> = {}) {
      const { close, ...runtime } = await open({ workspace, url: server.url, ...options });
      onTestFinished(close);
      return runtime;
    },
    async worker(url = server.url) {
      const worker = await startWorker({ workspace, url });
      onTestFinished(() => void worker.child.kill('SIGKILL'));
      return worker;
    },
    async link(): Promise<TcpProxy & { readonly url: string }> {
      const proxy = await startTcpProxy(server.url);
      onTestFinished(() => proxy.close());
      return { ...proxy, url: `redis://127.0.0.1:${proxy.port}` };
    },
    beats: (id: CommandId): boolean => beats().includes(id),
    /** The first wrote nothing after the second started. */
    expectApart(first: CommandId, next: CommandId): void {
      expect(beats().lastIndexOf(first)).toBeLessThan(beats().indexOf(next));
    },
    /** In all audit logs together, whose chains are intact. */
    async auditedTimes(id: CommandId): Promise<number> {
      const folder = join(workspace, '.signalbox', 'audit');
      const files = readdirSync(folder).map((name) => join(folder, name));
      for (const file of files) expect((await verifyAudit(file)).problems).toEqual([]);
      const text = files.map((file) => readFileSync(file, 'utf8')).join('');
      return text.split(`"command_id":"${id}"`).length - 1;
    },
  };
}

type Wanted = Readonly<{
  workspace: string;
  url: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- tools of every kind of arguments, as in a registry
  tools?: readonly Tool<any>[];
  transactional?: boolean;
}>;

async function open({ workspace, url, tools = [beat], transactional = false }: Wanted) {
  const runtime: Runtime = await openRuntime({
    workspace,
    settings: contestSettings({ transactional }),
    unconfined: false,
    user: 'ana',
    subcommand: 'test',
    apiKeys: { PATH: process.env['PATH'] },
    clock: createSystemClock(),
    log: createMemoryLogger(),
    redis: { url, volatile: false },
    workersOnly: true,
    limits: contestLimits({ leaseTtlMs: LEASE_TTL_MS }),
    tools,
  });
  const random = createSeededRandom(url.length);
  const context = {
    sessionId: createId('session', random),
    provider: ProviderId.parse('test'),
    // It ends because of its lease, however long a busy machine takes.
    timeoutMs: 3_600_000,
  };
  let calls = 0;
  const submit = (tool: string, args: Record<string, unknown>): Submitted => {
    calls += 1;
    return runtime.coordinator.submit({ callId: `call-${calls}`, tool, args }, context);
  };
  return {
    submit,
    close: runtime.close,
    async waits(id: CommandId): Promise<boolean> {
      return (await runtime.coordinator.queue()).waiting.some(({ commandId }) => commandId === id);
    },
    /** Until one is as expected: on a busy machine it may lose its lease first, and another is sent. */
    async until(isThere: (id: CommandId) => boolean | Promise<boolean>, send: () => Submitted) {
      for (;;) {
        const sent = send();
        let hasEnded = false;
        void sent.result.then(() => (hasEnded = true));
        await expect.poll(async () => hasEnded || isThere(sent.commandId), PATIENCE).toBe(true);
        if (!hasEnded) return sent;
      }
    },
    async untilCompleted(tool: string, args: Record<string, unknown>): Promise<CommandId> {
      for (;;) {
        const next = submit(tool, args);
        if ((await next.result).outcome.kind === 'completed') return next.commandId;
      }
    },
    async reportedBy(id: CommandId) {
      const record = await runtime.store.get(id);
      const replay = await runtime.events.since(null, 10_000);
      const events = replay.kind === 'events' ? replay.events : [];
      const endings = events
        .filter((event) => 'commandId' in event && event.commandId === id && ENDINGS.has(event.type))
        .map(({ type }) => type);
      return { record, endings };
    },
  };
}

async function startWorker(where: { readonly workspace: string; readonly url: string }) {
  const contest: ContentionTest = {
    ...where,
    leaseTtlMs: LEASE_TTL_MS,
    evidence: '',
    seed: 1,
    concurrency: 1,
  };
  const program = await testProgram('contending-worker');
  const child = spawn(process.execPath, ['--import', SKEWED_CLOCK, program, JSON.stringify(contest)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, SIGNALBOX_SKEW_MS: String(SKEW_MS) },
  });
  const ended = once(child, 'exit');
  const opened = once(createInterface({ input: child.stdout }), 'line');
  await Promise.race([opened, ended.then(([code]) => Promise.reject(new Error(`a worker ended: ${code}`)))]);
  return {
    child,
    /** As soon as nothing runs in it. */
    async leave(): Promise<void> {
      child.kill('SIGTERM');
      expect(await ended).toEqual([0, null]);
    },
  };
}
