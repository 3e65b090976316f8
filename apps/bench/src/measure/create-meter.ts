import type { Clock, Event } from '@signalbox/core';
import * as z from 'zod';
import type { DriveWatcher } from '../drive/drive-agents.ts';
import { createCommandMeter } from './create-command-meter.ts';
import { NO_QUANTILES, Quantiles, quantiles } from './quantiles.ts';

/** The state of a run at one moment, sampled at an interval; the defaults are for reports of older versions. */
export const MeterSample = z
  .strictObject({
    /** Since the first command was sent. */
    atMs: z.number(),
    /** Answers per second since the last sample. */
    perSecond: z.number(),
    /** Sent and not answered. */
    underway: z.number(),
    answered: z.number(),
    /** Queued, for claims of other commands or for a slot. */
    waiting: z.number().default(0),
    /** How often a command had to wait for the claims of another one, since the start. */
    conflicts: z.number().default(0),
    /** Submit to start of commands started since the last sample, by the events of the coordinator. */
    startMs: Quantiles.default(NO_QUANTILES),
    /** Start to end of commands ended since the last sample. */
    workMs: Quantiles.default(NO_QUANTILES),
    /** Submit to answer of commands answered since the last sample. */
    latencyMs: Quantiles,
    /** Percent of one processor since the last sample. */
    cpuPercent: z.number(),
    rssMb: z.number(),
    heapMb: z.number(),
  })
  .readonly();
export type MeterSample = z.infer<typeof MeterSample>;

export type Meter = Readonly<{
  watcher: DriveWatcher;
  /** For the events of the coordinator. */
  observe: (event: Event) => void;
  samples(): readonly MeterSample[];
  /** Number of commands by outcome. */
  outcomes(): Readonly<Record<string, number>>;
  /** Percent of one processor, from the first command to the last sample. */
  cpuPercent(): number;
  /** Takes a last sample. */
  stop(): void;
}>;

/** Beyond this every second sample is dropped, and the interval doubles. */
const MAX_SAMPLES = 2000;

export type MeterUsage = Readonly<{ cpuUs: number; rssBytes: number; heapBytes: number }>;

/** Takes a sample every `everyMs` from the first command on, and calls `onSample`. */
export function createMeter(options: {
  readonly clock: Clock;
  readonly everyMs: number;
  readonly usage: () => MeterUsage;
  readonly onSample: (sample: MeterSample) => void;
}): Meter {
  const { clock, everyMs, usage, onSample } = options;
  const sentAt = new Map<number, number>();
  const outcomes: Record<string, number> = {};
  const commands = createCommandMeter();
  let samples: MeterSample[] = [];
  let taken = 0;
  let keptEvery = 1;
  let latencies: number[] = [];
  let answered = 0;
  let isStopped = false;
  let first: Moment | null = null;
  let before: Moment = { at: 0, cpuUs: 0 };
  let cancel = (): void => undefined;

  function start(): void {
    const now = { at: clock.monotonic(), cpuUs: usage().cpuUs };
    first = now;
    before = now;
    cancel = clock.timer(everyMs, () => takeSample(now));
  }

  function takeSample(since: Moment): void {
    const at = clock.monotonic();
    const { cpuUs, rssBytes, heapBytes } = usage();
    const atMs = at - since.at;
    // The last sample comes early: a few answers within milliseconds would show an absurd speed.
    const countedMs = Math.max(1, at - before.at, Math.min(everyMs, atMs));
    const sample: MeterSample = {
      atMs,
      perSecond: (latencies.length / countedMs) * 1000,
      underway: sentAt.size,
      answered,
      ...commands.take(),
      latencyMs: quantiles(latencies),
      cpuPercent: cpuBetween(before, { at, cpuUs }),
      rssMb: rssBytes / 2 ** 20,
      heapMb: heapBytes / 2 ** 20,
    };
    before = { at, cpuUs };
    latencies = [];
    keep(sample);
    onSample(sample);
    cancel = clock.timer(everyMs, () => takeSample(since));
  }

  function keep(sample: MeterSample): void {
    taken += 1;
    if (taken % keptEvery === 0 || isStopped) samples.push(sample);
    if (samples.length <= MAX_SAMPLES) return;
    keptEvery *= 2;
    samples = samples.filter((_, n) => n % 2 === 1);
  }

  return {
    watcher: {
      sent({ key }) {
        if (first === null) start();
        sentAt.set(key, clock.monotonic());
      },
      answered({ key }, { outcome }) {
        latencies.push(clock.monotonic() - (sentAt.get(key) ?? 0));
        sentAt.delete(key);
        answered += 1;
        outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
      },
    },
    observe: commands.observe,
    samples: () => samples,
    outcomes: () => outcomes,
    cpuPercent: () => (first === null ? 0 : cpuBetween(first, before)),
    stop() {
      cancel();
      if (isStopped || first === null) return;
      isStopped = true;
      takeSample(first);
      cancel();
    },
  };
}

type Moment = Readonly<{ at: number; cpuUs: number }>;

function cpuBetween(from: Moment, to: Moment): number {
  return (to.cpuUs - from.cpuUs) / Math.max(1, to.at - from.at) / 10;
}

/** Shorter runs are all warm-up. */
const LEAST_MS = 60_000;

/** Growth of the resident set in MB a minute: least squares over the second half; null for less than a minute of it. */
export function memorySlope(samples: readonly MeterSample[]): number | null {
  const lastMs = samples.at(-1)?.atMs ?? 0;
  const half = samples.filter(({ atMs }) => atMs >= lastMs / 2);
  if (lastMs / 2 < LEAST_MS || half.length < 2) return null;
  const mean = (of: (sample: MeterSample) => number): number =>
    half.reduce((sum, sample) => sum + of(sample), 0) / half.length;
  const [meanAt, meanMb] = [mean(({ atMs }) => atMs), mean(({ rssMb }) => rssMb)];
  const rise = half.reduce((sum, { atMs, rssMb }) => sum + (atMs - meanAt) * (rssMb - meanMb), 0);
  const run = half.reduce((sum, { atMs }) => sum + (atMs - meanAt) ** 2, 0);
  return (rise / run) * 60_000;
}
