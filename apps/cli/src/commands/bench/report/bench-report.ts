import * as z from 'zod';
import { BenchOptions } from '../plan/bench-options.ts';

const Quantiles = z.strictObject({
  p50: z.number(),
  p90: z.number(),
  p99: z.number(),
  max: z.number(),
  count: z.number(),
});

/** In the report of an older Signalbox. */
const UNKNOWN = { p50: 0, p90: 0, p99: 0, max: 0, count: 0 };

const Sample = z.strictObject({
  atMs: z.number(),
  perSecond: z.number(),
  underway: z.number(),
  answered: z.number(),
  waiting: z.number().default(0),
  conflicts: z.number().default(0),
  startMs: Quantiles.default(UNKNOWN),
  workMs: Quantiles.default(UNKNOWN),
  latencyMs: Quantiles,
  cpuPercent: z.number(),
  rssMb: z.number(),
  heapMb: z.number(),
});

const Numbers = z.strictObject({
  commands: z.number(),
  elapsedMs: z.number(),
  perSecond: z.number(),
  submitToStart: Quantiles,
  startToEnd: Quantiles,
  endToAnswer: Quantiles.default(UNKNOWN),
  submitToAnswer: Quantiles,
  handOff: Quantiles,
  contended: z.number(),
  idealMs: z.number().nullable(),
  efficiency: z.number().nullable(),
});

const Checked = z.strictObject({
  id: z.string(),
  facts: z.number(),
  violations: z.array(z.strictObject({ says: z.string(), keys: z.array(z.number()).readonly() })).readonly(),
  violated: z.number(),
});

const Baseline = z.strictObject({
  id: z.enum(['plain', 'one-lock', 'bullmq']),
  commands: z.number(),
  elapsedMs: z.number(),
  perSecond: z.number(),
  /** What it loses without coordination; null where nothing is counted. */
  lostUpdates: z.number().nullable(),
});
export type Baseline = z.infer<typeof Baseline>;

const Pictures = z.strictObject({
  lanes: z
    .array(
      z.strictObject({
        key: z.number(),
        agent: z.number(),
        sent: z.number(),
        started: z.number(),
        ended: z.number(),
        path: z.string(),
        work: z.string(),
      }),
    )
    .readonly(),
  heat: z.strictObject({
    bucketMs: z.number(),
    rows: z
      .array(
        z.strictObject({ path: z.string(), waitedMs: z.array(z.number()).readonly(), commands: z.number() }),
      )
      .readonly(),
  }),
});

/** All that one run came to: what `--json` prints, `--report` draws and `compare` reads. */
export const BenchReport = z.strictObject({
  version: z.literal(1),
  /** Epoch milliseconds. */
  startedAt: z.number(),
  signalbox: z.string(),
  machine: z.strictObject({
    cpu: z.string(),
    cpus: z.number(),
    memoryMb: z.number(),
    system: z.string(),
    node: z.string(),
  }),
  options: BenchOptions,
  numbers: Numbers,
  /** How often each ending came up. */
  outcomes: z.record(z.string(), z.number()),
  /** Processes of the coordinator. */
  killed: z.number().default(0),
  memory: z.strictObject({
    /** Of the resident set, by a line through the second half of the run; null for less than a minute of it. */
    slopeMbPerMinute: z.number().nullable(),
    peakRssMb: z.number(),
  }),
  cpuPercent: z.number(),
  samples: z.array(Sample).readonly(),
  invariants: z.array(Checked).readonly(),
  baselines: z.array(Baseline),
  pictures: Pictures,
  /** The shortest schedule that was found to violate an invariant; null when all hold. */
  shortest: z
    .strictObject({ invariant: z.string(), commands: z.array(z.string()), runs: z.number() })
    .nullable(),
  /** Folder of the run, kept because something is wrong with it. */
  kept: z.string().nullable(),
});
export type BenchReport = z.infer<typeof BenchReport>;

export function holds({ invariants }: Pick<BenchReport, 'invariants'>): boolean {
  return invariants.every(({ violated }) => violated === 0);
}

/** Updates that were lost in spite of the coordinator: more than none is a fault of ours. */
export function lostUpdates({ invariants }: Pick<BenchReport, 'invariants'>): number {
  return invariants.find(({ id }) => id === 'lost-updates')?.violated ?? 0;
}
