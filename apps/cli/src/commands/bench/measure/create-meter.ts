import type { Clock, Event } from '@signalbox/core';
import type { Watcher } from '../drive/drive-agents.ts';
import { createLifeMeter } from './create-life-meter.ts';
import { type Quantiles, quantiles } from './quantiles.ts';

/** One look at a run, taken every so often. */
export type Sample = Readonly<{
  /** Since the first command was sent. */
  atMs: number;
  /** Answered since the look before, a second. */
  perSecond: number;
  /** Sent and not answered. */
  underway: number;
  answered: number;
  /** In the queue, for the claims of others or for a place. */
  waiting: number;
  /** So far: how often one had to wait for the claims of another one. */
  conflicts: number;
  /** Submit to start of those started since the look before, as the coordinator tells it. */
  startMs: Quantiles;
  /** Start to end of those ended since the look before. */
  workMs: Quantiles;
  /** Submit to answer of those answered since the look before. */
  latencyMs: Quantiles;
  /** Of one processor, in percent, since the look before. */
  cpuPercent: number;
  rssMb: number;
  heapMb: number;
}>;

export type Meter = Readonly<{
  watcher: Watcher;
  /** For the events of the coordinator. */
  hear: (event: Event) => void;
  samples(): readonly Sample[];
  /** How often each ending came up. */
  outcomes(): Readonly<Record<string, number>>;
  /** Of one processor, in percent, from the first command to the last look. */
  cpuPercent(): number;
  /** Takes a last look. */
  stop(): void;
}>;

/** A long run keeps so many looks; then every second one is dropped, and only every second one is kept from there on. */
const MOST_SAMPLES = 2000;

export type Usage = Readonly<{ cpuUs: number; rssBytes: number; heapBytes: number }>;

/** Takes a look every `everyMs` from the first command on, and tells `onSample`. */
export function createMeter(options: {
  readonly clock: Clock;
  readonly everyMs: number;
  readonly usage: () => Usage;
  readonly onSample: (sample: Sample) => void;
}): Meter {
  const { clock, everyMs, usage, onSample } = options;
  const sentAt = new Map<number, number>();
  const outcomes: Record<string, number> = {};
  const lives = createLifeMeter();
  let samples: Sample[] = [];
  let looks = 0;
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
    cancel = clock.timer(everyMs, () => look(now));
  }

  function look(since: Moment): void {
    const at = clock.monotonic();
    const { cpuUs, rssBytes, heapBytes } = usage();
    const atMs = at - since.at;
    // The last look comes early: a few answers within a moment are no speed.
    const countedMs = Math.max(1, at - before.at, Math.min(everyMs, atMs));
    const sample: Sample = {
      atMs,
      perSecond: (latencies.length / countedMs) * 1000,
      underway: sentAt.size,
      answered,
      ...lives.look(),
      latencyMs: quantiles(latencies),
      cpuPercent: cpuBetween(before, { at, cpuUs }),
      rssMb: rssBytes / 2 ** 20,
      heapMb: heapBytes / 2 ** 20,
    };
    before = { at, cpuUs };
    latencies = [];
    keep(sample);
    onSample(sample);
    cancel = clock.timer(everyMs, () => look(since));
  }

  function keep(sample: Sample): void {
    looks += 1;
    if (looks % keptEvery === 0 || isStopped) samples.push(sample);
    if (samples.length <= MOST_SAMPLES) return;
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
    hear: lives.hear,
    samples: () => samples,
    outcomes: () => outcomes,
    cpuPercent: () => (first === null ? 0 : cpuBetween(first, before)),
    stop() {
      cancel();
      if (isStopped || first === null) return;
      isStopped = true;
      look(first);
      cancel();
    },
  };
}

type Moment = Readonly<{ at: number; cpuUs: number }>;

function cpuBetween(from: Moment, to: Moment): number {
  return (to.cpuUs - from.cpuUs) / Math.max(1, to.at - from.at) / 10;
}
