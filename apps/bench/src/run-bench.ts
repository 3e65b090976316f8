import { rm } from 'node:fs/promises';
import { arch, cpus, release, totalmem, type as systemType } from 'node:os';
import { baselinesIn } from './baseline/baseline-queue.ts';
import { runBaseline } from './baseline/run-baseline.ts';
import type { BenchWorld } from './bench-world.ts';
import { createMeter, memorySlope, type MeterSample } from './measure/create-meter.ts';
import { numbersOf } from './measure/numbers-of.ts';
import { picturesOf } from './measure/pictures-of.ts';
import type { BenchOptions } from './plan/bench-options.ts';
import { BASELINES, type BenchReport, holds } from './report/bench-report.ts';
import { runOnce, type RunOnce } from './run-once.ts';
import { findShortest } from './shrink/find-shortest.ts';

export type BenchRun = Readonly<{
  /** Called twice a second. */
  onSample?: (sample: MeterSample) => void;
  /** Called with the current step, for people: `the same commands without Signalbox`. */
  onStep?: (stage: string) => void;
  /** Whether the same commands also run without Signalbox. Default true. */
  baselines?: boolean;
  /** How long to search for the shortest schedule. Default 30 s. */
  shrinkMs?: number;
}>;

const SAMPLE_EVERY_MS = 500;
/** The report waits for it. */
const SHRINK_MS = 30_000;

/** One run with its baselines, checked; when an invariant does not hold, also the shortest schedule that shows it. */
export async function runBench(
  options: BenchOptions,
  world: BenchWorld,
  {
    onSample = () => undefined,
    onStep = () => undefined,
    baselines = true,
    shrinkMs = SHRINK_MS,
  }: BenchRun = {},
): Promise<BenchReport> {
  const startedAt = world.clock.now();
  const meter = createMeter({ clock: world.clock, everyMs: SAMPLE_EVERY_MS, usage: ownUsage, onSample });
  const ran = await runOnce(options, world, {
    watcher: meter.watcher,
    observe: meter.observe,
    onDriven: meter.stop,
  }).finally(meter.stop);
  const { traces, plan, invariants } = ran;
  const numbers = numbersOf(traces, plan.command, { places: options.places, isPaced: options.rate !== null });
  const isGood = holds({ invariants });
  if (!isGood) onStep('the shortest schedule that shows it');
  // Kills do not repeat with the same commands, and after an interruption more runs are unwanted.
  const isOnce = options.killRate > 0 || world.signal.aborted;
  const shortest = isGood ? null : await shortestOf(ran, { options, world, budgetMs: isOnce ? 0 : shrinkMs });
  const compared: BenchReport['baselines'] = [];
  for (const id of baselines ? baselinesIn(world) : []) {
    onStep(`the same commands without Signalbox: ${BASELINES[id]}`);
    compared.push(await runBaseline(id, { options, plan, world, commands: traces.length }));
  }
  if (isGood) await rm(ran.folder, { recursive: true, force: true });
  return {
    version: 1,
    startedAt,
    signalbox: world.version,
    machine: machine(),
    options,
    numbers,
    outcomes: meter.outcomes(),
    killed: ran.killed,
    memory: {
      slopeMbPerMinute: memorySlope(meter.samples()),
      peakRssMb: meter.samples().reduce((highest, { rssMb }) => Math.max(highest, rssMb), 0),
    },
    cpuPercent: meter.cpuPercent(),
    samples: meter.samples(),
    invariants,
    baselines: compared,
    pictures: picturesOf(traces, plan.command),
    shortest,
    kept: isGood ? null : ran.folder,
  };
}

async function shortestOf(
  ran: RunOnce,
  { options, world, budgetMs }: Readonly<{ options: BenchOptions; world: BenchWorld; budgetMs: number }>,
): Promise<BenchReport['shortest']> {
  const broken = ran.invariants.find(({ violated }) => violated > 0);
  if (broken === undefined) return null;
  const unwatched = { sent: () => undefined, answered: () => undefined };
  return findShortest(broken, ran, {
    clock: world.clock,
    budgetMs,
    run: (keys) => runOnce({ ...options, rate: null }, world, { watcher: unwatched, keys }),
  });
}

function ownUsage() {
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed } = process.memoryUsage();
  return { cpuUs: user + system, rssBytes: rss, heapBytes: heapUsed };
}

function machine(): BenchReport['machine'] {
  const all = cpus();
  return {
    cpu: all[0]?.model ?? 'unknown',
    cpus: all.length,
    memoryMb: Math.round(totalmem() / 2 ** 20),
    system: `${systemType()} ${release()} ${arch()}`,
    node: process.version,
  };
}
