import * as z from 'zod';
import { Checked } from '../checks/invariant.ts';
import { MeterSample } from '../measure/create-meter.ts';
import { RunNumbers } from '../measure/numbers-of.ts';
import { Pictures } from '../measure/pictures-of.ts';
import { BenchOptions } from '../plan/bench-options.ts';

const Baseline = z.strictObject({
  id: z.enum(['plain', 'one-lock', 'bullmq']),
  commands: z.number(),
  elapsedMs: z.number(),
  perSecond: z.number(),
  /** Updates lost without coordination; null when nothing is counted. */
  lostUpdates: z.number().nullable(),
});
export type Baseline = z.infer<typeof Baseline>;

/** Systems that run the same commands for comparison. */
export const BASELINES: Readonly<Record<Baseline['id'], string>> = {
  plain: 'plain execution, as many places',
  'one-lock': 'one global lock',
  bullmq: 'raw BullMQ, as many places',
};

/** The results of one run: what `--json` prints, `--report` draws and `compare` reads. */
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
  numbers: RunNumbers,
  /** Number of commands by outcome. */
  outcomes: z.record(z.string(), z.number()),
  /** Processes of the coordinator. */
  killed: z.number().default(0),
  memory: z.strictObject({
    /** Growth of the resident set, by a line through the second half of the run; null for less than a minute of it. */
    slopeMbPerMinute: z.number().nullable(),
    peakRssMb: z.number(),
  }),
  cpuPercent: z.number(),
  samples: z.array(MeterSample).readonly(),
  invariants: z.array(Checked).readonly(),
  baselines: z.array(Baseline),
  pictures: Pictures,
  /** The shortest schedule found to violate an invariant; null when all hold. */
  shortest: z
    .strictObject({ invariant: z.string(), commands: z.array(z.string()), runs: z.number() })
    .nullable(),
  /** Folder of the run, kept when a check failed. */
  kept: z.string().nullable(),
});
export type BenchReport = z.infer<typeof BenchReport>;

export function holds({ invariants }: Pick<BenchReport, 'invariants'>): boolean {
  return invariants.every(({ violated }) => violated === 0);
}
