import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { invariantText, BenchReport } from '../../apps/bench/src/index.ts';
import { type RedisServer, startRedisServer } from '../../packages/redis/src/testing/redis-server.ts';
import { killOften } from './kill-often.ts';
import { leftBehind } from './left-behind.ts';
import { memoryGrowth } from './memory-growth.ts';
import type { SoakPhase } from './phases.ts';

/** Workers leave that long before the last command is sent: their programs have ended by the end of the run. */
const WORKERS_LEAVE_MS = 10_000;
/** The last commands have ended by then, and everything is checked; longer means that something hangs. */
const OVERDUE_MS = 900_000;
/** Supervisors of killed commands end a moment after them. */
const GONE_WITHIN_MS = 10_000;
const LOOK_EVERY_MS = 200;

export type SoakResult = Readonly<{
  commands: number;
  outcomes: Readonly<Record<string, number>>;
  kills: Readonly<{ coordinators: number; workers: number; redis: number }>;
  /** Everything that is wrong; empty if the phase holds. */
  faults: readonly string[];
}>;

/** @param run `program`: the file that starts the built program; `folder`: empty, and removed by the caller. */
export async function runPhase(
  phase: SoakPhase,
  run: Readonly<{ program: string; folder: string; seconds: number; seed: number; signal: AbortSignal }>,
): Promise<SoakResult> {
  const { program, folder, seconds, seed, signal } = run;
  // Short: the path of a socket has at most 107 bytes.
  const temporary = join(folder, 't');
  mkdirSync(temporary, { recursive: true });
  const env = {
    PATH: process.env['PATH'],
    HOME: process.env['HOME'],
    TMPDIR: temporary,
    XDG_CONFIG_HOME: join(folder, 'config'),
    XDG_STATE_HOME: join(folder, 'state'),
  };
  // With `everysec` it may forget what it has confirmed when it is killed.
  const durable = ['--appendonly', 'yes', '--appendfsync', 'always'];
  const redis = phase.backend === 'redis' ? await startRedisServer(durable) : null;
  const stopping = new AbortController();
  try {
    const start = (argv: readonly string[]): ChildProcess =>
      spawn(process.execPath, [program, ...argv], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    const where = redis === null ? [] : ['--redis', redis.url];
    const time = ['--duration', `${seconds}s`, '--seed', String(seed)];
    const bench = start(['bench', ...phase.argv, ...where, ...time, '--no-baselines', '--json', '--quiet']);
    const output = Promise.all(
      [bench.stdout, bench.stderr].map(async (stream) => (stream === null ? '' : text(stream))),
    );
    const ended = once(bench, 'close');
    const workers = runWorkers(phase, { start, temporary, where, ended, seconds });
    const restarts = killOften(phase.killRedisEveryMs, () => redis?.restart(), { signal: stopping.signal });
    const giveUp = (): void => void bench.kill('SIGKILL');
    signal.addEventListener('abort', giveUp, { once: true });
    const overdue = setTimeout(giveUp, seconds * 1000 + OVERDUE_MS);
    await ended;
    clearTimeout(overdue);
    stopping.abort();
    const killed = { workers: await workers, redis: await restarts };
    const [out = '', said = ''] = await output;
    const left = await leftovers(temporary, redis);
    const parsed = BenchReport.safeParse(jsonOf(out));
    if (!parsed.success) return failed(killed, [`the load tester ended without a report: ${said}`, ...left]);
    return resultOf(parsed.data, { phase, killed, left });
  } finally {
    stopping.abort();
    await redis?.close();
  }
}

type Killed = Readonly<{ workers: number; redis: number }>;

function resultOf(
  report: BenchReport,
  { phase, killed, left }: Readonly<{ phase: SoakPhase; killed: Killed; left: readonly string[] }>,
): SoakResult {
  const { numbers, outcomes, invariants, samples, kept } = report;
  const growth = phase.isMemoryMeasured ? memoryGrowth(samples) : null;
  const violated = invariants
    .filter((one) => one.violated > 0)
    .map((one) => `not so: ${invariantText(one)}: ${one.violations[0]?.says} (${one.violated} times)`);
  // What a failed run keeps is told by its report.
  const forgotten = kept === null ? left : left.filter((one) => !one.startsWith('file '));
  return {
    commands: numbers.commands,
    outcomes,
    kills: { coordinators: report.killed, ...killed },
    faults: [
      ...violated,
      ...(growth === null ? [] : [growth]),
      ...forgotten.map((one) => `left behind: ${one}`),
      ...(kept === null ? [] : [`kept: ${kept}`]),
    ],
  };
}

function failed(killed: Killed, faults: readonly string[]): SoakResult {
  return { commands: 0, outcomes: {}, kills: { coordinators: 0, ...killed }, faults };
}

/** Runs workers of the workspace from its first moment on, and kills one of them at a time; resolves to their number. */
async function runWorkers(
  { workers, killWorkerEveryMs }: SoakPhase,
  run: Readonly<{
    start: (argv: readonly string[]) => ChildProcess;
    temporary: string;
    where: readonly string[];
    ended: Promise<unknown>;
    seconds: number;
  }>,
): Promise<number> {
  if (workers === 0) return 0;
  const workspace = await workspaceIn(run.temporary, run.ended);
  if (workspace === null) return 0;
  const leaving = new AbortController();
  const add = (): ChildProcess => {
    const worker = run.start(['-C', workspace, 'worker', ...run.where, '--concurrency', '4', '--quiet']);
    // A pipe that nobody reads would stop it.
    worker.stdout?.resume();
    worker.stderr?.resume();
    return worker;
  };
  const slots = Array.from({ length: workers }, add);
  const timer = setTimeout(() => leaving.abort(), Math.max(0, run.seconds * 1000 - WORKERS_LEAVE_MS));
  const kills = await killOften(
    killWorkerEveryMs,
    () => {
      const n = Math.floor(Math.random() * slots.length);
      slots[n]?.kill('SIGKILL');
      slots[n] = add();
    },
    { signal: leaving.signal },
  );
  clearTimeout(timer);
  for (const worker of slots) {
    if (worker.exitCode !== null || worker.signalCode !== null) continue;
    const ended = once(worker, 'exit');
    worker.kill('SIGTERM');
    await ended;
  }
  return kills;
}

/** The workspace of the run, once a coordinator leads it; null if the run ends before. */
async function workspaceIn(temporary: string, ended: Promise<unknown>): Promise<string | null> {
  const over = new AbortController();
  void ended.then(() => over.abort());
  while (!over.signal.aborted) {
    const run = readdirSync(temporary).find((name) => name.startsWith('signalbox-bench-'));
    const workspace = join(temporary, run ?? '', 'workspace');
    if (run !== undefined && existsSync(join(workspace, '.signalbox/redis.json'))) return workspace;
    await pause(LOOK_EVERY_MS);
  }
  return null;
}

async function leftovers(temporary: string, redis: RedisServer | null): Promise<readonly string[]> {
  const until = Date.now() + GONE_WITHIN_MS;
  while (leftBehind(temporary).length > 0 && Date.now() < until) await pause(LOOK_EVERY_MS);
  const keys = redis === null ? 0 : Number(await redis.call('DBSIZE'));
  return [...leftBehind(temporary), ...(keys === 0 ? [] : [`${keys} keys on Redis`])];
}

function jsonOf(out: string): unknown {
  try {
    return JSON.parse(out);
  } catch {
    return null;
  }
}
