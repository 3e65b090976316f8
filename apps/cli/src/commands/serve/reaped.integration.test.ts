import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { verifyAudit } from '@signalbox/coordinator';
import { CommandId, createId, ProviderId } from '@signalbox/core';
import { createMemoryLogger, createSeededRandom } from '@signalbox/core/testing';
import { createSystemClock } from '@signalbox/embedded';
import { startRedisServer } from '@signalbox/redis/testing';
import { test, type TestContext } from 'vitest';
import { openRuntime } from '../../runtime/compose.ts';
import { ownWorkspace } from '../../testing/own-workspace.ts';
import type { TestProgramName } from '../../testing/programs/build-test-programs.ts';
import { testProgram } from '../../testing/programs/test-program.ts';
import { beat, BEATS } from './testing/beating-tools.ts';
import { type ContentionTest, contestLimits, contestSettings } from './testing/contention-test.ts';

/** Nothing in these tests waits for a lease to expire. */
const LEASE_TTL_MS = 600_000;
const PATIENCE = { timeout: 60_000, interval: 20 };

test.concurrent('a file held by a killed worker is free when its command is seen dead, not when its lease is over (issue 12, F §2)', async (context) => {
  const { expect } = context;
  const fixture = await prepare(context);
  const runtime = await fixture.runtime();
  const killed = await fixture.startWorker();
  const first = runtime.submit('never');
  await fixture.heard(first.commandId);
  await fixture.startWorker();

  killed.kill('SIGKILL');
  const next = runtime.submit('now');
  expect((await next.result).outcome.kind).toBe('completed');
  expect((await first.result).outcome.kind).toBe('lost');
  await fixture.expectApart(first.commandId, next.commandId);
  // Of the live coordinator and the live worker (F-W7).
  await expect.poll(fixture.marks, PATIENCE).toHaveLength(2);
}, 120_000);

test.concurrent.for(['workers', 'here'])(
  'a file held by a killed coordinator is free when its command is seen dead, with programs run by %s',
  { timeout: 120_000 },
  async (where, context) => {
    const { expect } = context;
    const fixture = await prepare(context);
    const killed = await fixture.spawn('beating-coordinator', where);
    const first = CommandId.parse(await killed.said);
    if (where === 'workers') await fixture.startWorker();
    await fixture.heard(first);
    const runtime = await fixture.runtime(where === 'workers');

    killed.child.kill('SIGKILL');
    const next = runtime.submit('now');
    expect((await next.result).outcome.kind).toBe('completed');
    expect((await runtime.record(first))?.result?.outcome.kind).toBe('lost');
    await fixture.expectApart(first, next.commandId);
  },
);

/** A workspace with a Redis, and the requested processes on it. */
async function prepare({ onTestFinished, expect }: TestContext) {
  const server = await startRedisServer(['--appendonly', 'yes']);
  onTestFinished(() => server.close());
  const workspace = ownWorkspace({ now: '' }, onTestFinished);
  const contest: ContentionTest = {
    workspace,
    url: server.url,
    leaseTtlMs: LEASE_TTL_MS,
    evidence: '',
    seed: 1,
    concurrency: 1,
  };
  const beats = (): readonly string[] =>
    existsSync(join(workspace, BEATS)) ? readFileSync(join(workspace, BEATS), 'utf8').split('\n') : [];

  async function spawnProcess(program: TestProgramName, ...more: readonly string[]) {
    const child = spawn(process.execPath, [await testProgram(program), JSON.stringify(contest), ...more], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const said = once(createInterface({ input: child.stdout }), 'line').then(([line]) => String(line));
    return { child, said };
  }

  return {
    spawn: spawnProcess,
    async startWorker(): Promise<ChildProcess> {
      const { child, said } = await spawnProcess('contending-worker');
      await said;
      return child;
    },
    async runtime(workersOnly = true) {
      const runtime = await openRuntime({
        workspace,
        settings: contestSettings(),
        unconfined: false,
        user: 'ana',
        subcommand: 'test',
        apiKeys: { PATH: process.env['PATH'] },
        clock: createSystemClock(),
        log: createMemoryLogger(),
        redis: { url: server.url, volatile: false },
        workersOnly,
        limits: contestLimits(contest),
        tools: [beat],
      });
      onTestFinished(runtime.close);
      const context = {
        sessionId: createId('session', createSeededRandom(2)),
        provider: ProviderId.parse('test'),
        timeoutMs: 3_600_000,
      };
      return {
        /** Holds the file `a` until a file of that name exists. */
        submit: (until: 'now' | 'never') =>
          runtime.coordinator.submit({ callId: until, tool: 'beat', args: { file: 'a', until } }, context),
        record: runtime.store.get,
      };
    },
    heard: (id: CommandId) => expect.poll(() => beats().includes(id), PATIENCE).toBe(true),
    marks: (): readonly string[] => readdirSync(join(workspace, '.signalbox', 'members')),
    /** The first wrote nothing after the second started; each has one line in an audit log whose chain is intact. */
    async expectApart(first: CommandId, next: CommandId): Promise<void> {
      expect(beats().lastIndexOf(first)).toBeLessThan(beats().indexOf(next));
      const folder = join(workspace, '.signalbox', 'audit');
      const files = readdirSync(folder).map((name) => join(folder, name));
      for (const file of files) expect((await verifyAudit(file)).problems).toEqual([]);
      const text = files.map((file) => readFileSync(file, 'utf8')).join('');
      for (const id of [first, next]) expect(text.split(`"command_id":"${id}"`)).toHaveLength(2);
    },
  };
}
