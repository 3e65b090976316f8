import * as z from 'zod';
import { type Mix, type ScenarioName, SCENARIOS, scenarios } from './scenarios.ts';

export const DOORS = ['in-process', 'http', 'mcp'] as const;

/** All that decides what a run does: the same options and the same seed give the same commands. */
export const BenchOptions = z
  .strictObject({
    scenario: z.enum(SCENARIOS),
    agents: z.int().min(1).max(10_000),
    files: z.int().min(1).max(1_000_000),
    /** Share of commands that go to the hot file, 0 to 1. */
    hot: z.number().min(0).max(1),
    mix: z.record(z.enum(['read', 'write', 'shell', 'git']), z.number().min(0)),
    /** What a command does while it holds its claims takes so long. */
    workMs: z.number().min(0).max(60_000),
    /** Commands that run at once. */
    places: z.int().min(1).max(1000),
    /** No new commands after so long; null: until all `commands` are done. */
    durationMs: z.number().positive().nullable(),
    /** Of all agents together; null: as many as fit into the duration. */
    commands: z.int().min(1).nullable(),
    /** Commands a second of all agents together, whether or not earlier ones are done; null: one after another. */
    rate: z.number().positive().nullable(),
    seed: z
      .int()
      .min(0)
      .max(2 ** 32 - 1),
    door: z.enum(DOORS),
    /** `embedded`, or processes on one Redis. */
    backend: z.enum(['embedded', 'redis']),
    /** Processes that coordinate, on one Redis. */
    workers: z.int().min(1).max(64),
    /** Of those processes, how many are killed a second. */
    killRate: z.number().min(0).max(100),
    /** Writes are plain reads and writes of files, without the journal of the file tools: what coordination costs. */
    bare: z.boolean(),
  })
  .readonly();
export type BenchOptions = z.infer<typeof BenchOptions>;

export type AskedOptions = Partial<BenchOptions> & Readonly<{ scenario: ScenarioName; seed: number }>;

const DEFAULT_DURATION_MS = 10_000;

/** Fills in what a scenario does by itself. */
export function benchOptions(asked: AskedOptions): BenchOptions {
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
    ...asked,
  });
}

/** `50:40:8:2`, as `--mix` is written. */
export function mixText({ read, write, shell, git }: Mix): string {
  return [read, write, shell, git].join(':');
}
