import * as z from 'zod';
import { type WorkloadMix, scenarios } from './scenarios.ts';
import { type ScenarioName, SCENARIOS } from './scenario-names.ts';

export const TRANSPORTS = ['in-process', 'http', 'mcp'] as const;

/** Bounds of the options, with messages that name the flag's own unit. */
export const BENCH_BOUNDS = {
  agents: z.int().check(...between(1, 10_000)),
  files: z.int().check(...between(1, 100_000)),
  /** How long a command works while it holds its leases. */
  workMs: z.number().min(0).max(60_000, { error: 'must be at most 1m' }),
  /** Number of commands that run at once. */
  places: z.int().check(...between(1, 1000)),
  /** No new commands after this time. */
  durationMs: z.number().positive({ error: 'must be more than 0' }),
  /** Total of all agents. */
  commands: z.int().check(...between(1, 1_000_000_000)),
  /** Commands a second of all agents together, whether or not earlier ones are done. */
  rate: z.number().positive({ error: 'must be more than 0' }),
  seed: z.int().check(...between(0, 2 ** 32 - 1)),
  /** Processes that coordinate, on one Redis. */
  workers: z.int().check(...between(1, 64)),
  /** Number of those processes killed per second. */
  killRate: z.number().check(...between(0, 100)),
} as const;

/** Options of a run; equal options, including the seed, give the same commands. */
export const BenchOptions = z
  .strictObject({
    ...BENCH_BOUNDS,
    scenario: z.enum(SCENARIOS),
    /** Share of commands that go to the hot file, 0 to 1. */
    hot: z.number().min(0).max(1),
    mix: z.record(z.enum(['read', 'write', 'shell', 'git']), z.number().min(0)),
    /** Null: until all `commands` are done. */
    durationMs: BENCH_BOUNDS.durationMs.nullable(),
    /** Null: as many as fit into the duration. */
    commands: BENCH_BOUNDS.commands.nullable(),
    /** Null: one after another. */
    rate: BENCH_BOUNDS.rate.nullable(),
    door: z.enum(TRANSPORTS),
    /** `embedded`, or processes on one Redis. */
    backend: z.enum(['embedded', 'redis']),
    /** Files are read and written without the journal of the file tools, to measure coordination alone. */
    bare: z.boolean(),
    /** The run is followed as `watch` and the dashboard do, and what they show is checked. */
    monitored: z.boolean().default(false),
  })
  .readonly();
export type BenchOptions = z.infer<typeof BenchOptions>;

export type GivenOptions = Partial<BenchOptions> & Readonly<{ scenario: ScenarioName; seed: number }>;

const DEFAULT_DURATION_MS = 10_000;

/** Fills in the defaults of the scenario. */
export function benchOptions(asked: GivenOptions): BenchOptions {
  const { files, hot, mix, workMs } = scenarios[asked.scenario];
  const isOpenEnded = asked.commands === undefined || asked.commands === null;
  return BenchOptions.parse({
    agents: 8,
    places: 8,
    files,
    hot,
    mix,
    workMs,
    commands: null,
    durationMs: isOpenEnded ? DEFAULT_DURATION_MS : null,
    rate: null,
    door: 'in-process',
    backend: 'embedded',
    workers: 1,
    killRate: 0,
    bare: false,
    monitored: false,
    ...asked,
  });
}

/** `50:40:8:2`, as `--mix` is written. */
export function mixText({ read, write, shell, git }: WorkloadMix): string {
  return [read, write, shell, git].join(':');
}

function between(least: number, max: number) {
  return [
    z.gte(least, { error: `must be at least ${least}` }),
    z.lte(max, { error: `must be at most ${max}` }),
  ] as const;
}
