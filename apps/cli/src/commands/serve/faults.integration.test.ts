import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { verifyAudit } from '@signalbox/coordinator';
import { CommandId } from '@signalbox/core';
import { createSeededRandom } from '@signalbox/core/testing';
import { listKeys, type RedisServer, startRedisServer } from '@signalbox/redis/testing';
import { expect, onTestFinished, test } from 'vitest';
import type * as z from 'zod';
import type { Records } from '../../runtime/contract/runtime.ts';
import { openRecords } from '../../runtime/open-records.ts';
import { readWorkspaceId } from '../../runtime/workspace-marks.ts';
import { ownWorkspace } from '../../testing/own-workspace.ts';
import type { TestProgramName } from '../../testing/programs/build-test-programs.ts';
import { testProgram } from '../../testing/programs/test-program.ts';
import { type ContentionTest, LOG, Reported } from './testing/contention-test.ts';

/** `SIGNALBOX_FAULTS=long`: takes several minutes. */
const SIZE =
  process.env['SIGNALBOX_FAULTS'] === 'long'
    ? {
        commands: 400,
        kills: 60,
        seed: Number(process.env['SIGNALBOX_FAULTS_SEED'] ?? 1),
        timeoutMs: 900_000,
      }
    : // A coordinator, a worker, Redis and a coordinator again.
      { commands: 20, kills: 4, seed: 4, timeoutMs: 360_000 };

/** Short, so that leftovers of dead processes are soon taken over. */
const LEASE_TTL_MS = 2000;

/** Keys that exist as long as a command does. */
const LIVING =
  /:(entries|blocked|lock|waiting|ready|placeless|turns|leases|to-pass|executions:cor|quarantine|execution:|output:|commands:(active|prioritized|wait)|run[^:]*:(wait|active|exe_))/;

type Process = {
  readonly child: ChildProcess;
  /** @throws {Error} when it has exited by itself */
  fault(): void;
  said(word: string): Promise<void>;
};

test(
  'after kill -9 of coordinators, workers and Redis each command started at most once and has one outcome',
  { timeout: SIZE.timeoutMs },
  async () => {
    const random = createSeededRandom(SIZE.seed);
    const below = (bound: number): number => (((random(1)[0] ?? 0) << 8) | (random(1)[0] ?? 0)) % bound;
    const runtime = await openRuntime();
    /** Two coordinators, then two workers; each is replaced when it was killed, while the others continue. */
    const slots = [runtime.coordinator(), runtime.coordinator()];
    await Promise.all(slots);
    slots.push(runtime.worker(), runtime.worker());
    await Promise.all(slots);

    for (let kills = 0; kills < SIZE.kills || runtime.taken().size < SIZE.commands; kills++) {
      await pause(100 + below(700));
      const victim = below(slots.length + 1);
      const killed = await slots[victim];
      if (killed === undefined) await runtime.server.restart();
      else slots[victim] = runtime.replace(killed, victim < 2 ? runtime.coordinator : runtime.worker);
    }

    const last = await Promise.all(slots);
    for (const { child } of last.slice(0, 2)) child.kill('SIGUSR1');
    await Promise.all(last.slice(0, 2).map((process) => process.said('idle')));
    const records = await runtime.records();
    // Commands of dead coordinators are settled by live ones, when their leases are over.
    await expect
      .poll(
        async () => (await records.store.unfinished()).map(({ id, state, owner }) => [id, state, owner]),
        {
          interval: 100,
          timeout: 150_000,
        },
      )
      .toEqual([]);
    await expect.poll(() => runtime.leftKeys(), { interval: 100, timeout: 60_000 }).toEqual([]);

    const log = runtime.log();
    const starts = log.filter(({ word }) => word === 'start').map(({ id }) => id);
    expect(new Set(starts).size).toBe(starts.length);
    expect(log.filter(({ word }) => word === 'overlap')).toEqual([]);
    const outcomes = new Map<string, number>();
    for (const id of runtime.taken()) {
      const record = await records.store.get(CommandId.parse(id));
      const kind = record?.result?.outcome.kind ?? 'none';
      outcomes.set(kind, (outcomes.get(kind) ?? 0) + 1);
      expect([id, record?.state]).toEqual([id, 'done']);
      const words = log.filter((line) => line.id === id).map(({ word }) => word);
      expect([id, kind !== 'completed' || words.join(' ') === 'start end']).toEqual([id, true]);
      expect([id, runtime.endings(id).every((reported) => reported === kind)]).toEqual([id, true]);
    }
    expect(outcomes.get('completed')).toBeGreaterThan(0);
    const audited = await runtime.audited();
    for (const id of runtime.taken()) expect([id, audited.get(id)]).toEqual([id, 1]);
    if (SIZE.kills > 10)
      process.stdout.write(`outcomes ${JSON.stringify([...outcomes])}, starts ${starts.length}\n`);
    for (const { child } of last) child.kill('SIGKILL');
  },
);

async function openRuntime() {
  // With `everysec` it may reply before it has written, while its disk is busy, and forget that when it is killed.
  const server: RedisServer = await startRedisServer(['--appendonly', 'yes', '--appendfsync', 'always']);
  onTestFinished(() => server.close());
  const workspace = ownWorkspace();
  const folder = join(workspace, '.signalbox');
  let started = 0;

  async function start(program: TestProgramName): Promise<Process> {
    started += 1;
    const contest: ContentionTest = {
      url: server.url,
      workspace,
      leaseTtlMs: LEASE_TTL_MS,
      evidence: join(server.folder, `told-${started}.jsonl`),
      seed: SIZE.seed + started,
    };
    const argv = [await testProgram(program), JSON.stringify(contest)];
    const child = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'pipe'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    const lines: string[] = [];
    const errors: string[] = [];
    child.stderr.on('data', (text) => errors.push(String(text)));
    const output = createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
    const opened: Process = {
      child,
      fault() {
        if (child.exitCode !== null || child.signalCode !== null)
          throw new Error(`${program} ended: ${errors.join('')}`);
      },
      async said(word) {
        while (!lines.includes(word)) {
          opened.fault();
          await Promise.race([once(output, 'line'), once(child, 'exit')]);
        }
      },
    };
    await opened.said('opened');
    return opened;
  }

  const coordinator = (): Promise<Process> => start('contending-coordinator');
  const worker = (): Promise<Process> => start('contending-worker');
  const reported = (): readonly z.infer<typeof Reported>[] =>
    readdirSync(server.folder)
      .filter((name) => name.startsWith('told-'))
      .flatMap((name) => readFileSync(join(server.folder, name), 'utf8').split('\n').filter(Boolean))
      .map((line) => Reported.parse(JSON.parse(line)));

  return {
    server,
    coordinator,
    worker,
    async replace({ child, fault }: Process, by: () => Promise<Process>): Promise<Process> {
      fault();
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
      // A process whose Redis is killed while it starts says so and exits.
      return by().catch(by).catch(by);
    },
    taken: (): ReadonlySet<string> =>
      new Set(reported().flatMap((one) => ('taken' in one ? [one.taken] : []))),
    endings: (id: string): readonly string[] =>
      reported().flatMap((one) => ('ended' in one && one.ended === id ? [one.outcome] : [])),
    async records(): Promise<Records> {
      const records = await openRecords({ workspace, env: { SIGNALBOX_REDIS_URL: server.url } });
      if (records === null) throw new Error('no records');
      onTestFinished(() => records.close());
      return records;
    },
    log(): readonly { word: string; id: string }[] {
      const file = join(workspace, LOG);
      if (!existsSync(file)) return [];
      return readFileSync(file, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => ({ word: line.split(' ')[0] ?? '', id: line.split(' ')[1] ?? '' }));
    },
    /** How often each command is in the audit logs; every file's chain is intact. */
    async audited(): Promise<ReadonlyMap<string, number>> {
      const times = new Map<string, number>();
      for (const name of readdirSync(join(folder, 'audit'))) {
        const file = join(folder, 'audit', name);
        expect([name, (await verifyAudit(file)).problems]).toEqual([name, []]);
        for (const [id] of readFileSync(file, 'utf8').matchAll(/cmd_[0-9a-z]{12}(?=","session_id)/g))
          times.set(id, (times.get(id) ?? 0) + 1);
      }
      return times;
    },
    /** Of claims, queues, executions and messages. */
    async leftKeys(): Promise<readonly string[]> {
      const keys = await listKeys(server.url, `{${readWorkspaceId(folder)}}:*`);
      return keys.filter((key) => LIVING.test(key));
    },
  };
}
