import type { Clock, Event } from '@signalbox/core';
import type { Watcher } from '../drive/drive-agents.ts';
import { createLifeMeter } from './create-life-meter.ts';
import { type Quantiles, quantiles } from './quantiles.ts';

/** One look at a run, taken every so often. */
export type Sample = Readonly<{
  /** Since the run began. */
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
  /** Submit to start of those started since the look before, as the house tells it. */
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
  /** For the events of the house. */
  hear: (event: Event) => void;
  samples(): readonly Sample[];
  /** How often each ending came up. */
  outcomes(): Readonly<Record<string, number>>;
  /** Takes a last look. */
  stop(): void;
}>;

/** A long run keeps so many looks; then every second one is dropped, and only every second one is kept from there on. */
const MOST_SAMPLES = 2000;

export type Usage = Readonly<{ cpuUs: number; rssBytes: number; heapBytes: number }>;

/** Takes a look every `everyMs` and tells `onSample`. */
export function createMeter(options: {
  readonly clock: Clock;
  readonly everyMs: number;
  readonly usage: () => Usage;
  readonly onSample: (sample: Sample) => void;
}): Meter {
  const { clock, everyMs, usage, onSample } = options;
  const startedAt = clock.monotonic();
  const sentAt = new Map<number, number>();
  const outcomes: Record<string, number> = {};
  const lives = createLifeMeter();
  let samples: Sample[] = [];
  let looks = 0;
  let keptEvery = 1;
  let latencies: number[] = [];
  let answered = 0;
  let isStopped = false;
  let before = { at: startedAt, cpuUs: usage().cpuUs };
  let cancel = clock.timer(everyMs, look);

  function look(): void {
    const now = clock.monotonic();
    const { cpuUs, rssBytes, heapBytes } = usage();
    const passedMs = Math.max(1, now - before.at);
    const sample: Sample = {
      atMs: now - startedAt,
      perSecond: (latencies.length / passedMs) * 1000,
      underway: sentAt.size,
      answered,
      ...lives.look(),
      latencyMs: quantiles(latencies),
      cpuPercent: (cpuUs - before.cpuUs) / passedMs / 10,
      rssMb: rssBytes / 2 ** 20,
      heapMb: heapBytes / 2 ** 20,
    };
    before = { at: now, cpuUs };
    latencies = [];
    keep(sample);
    onSample(sample);
    cancel = clock.timer(everyMs, look);
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
    stop() {
      cancel();
      if (isStopped) return;
      isStopped = true;
      look();
      cancel();
    },
  };
}
