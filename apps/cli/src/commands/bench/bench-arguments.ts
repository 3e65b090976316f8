import { type GivenOptions, BENCH_BOUNDS, TRANSPORTS } from '@signalbox/bench';
import { SCENARIOS } from '@signalbox/bench/scenario-names';
import { type RandomBytes, UsageError } from '@signalbox/core';
import * as z from 'zod';
import { DurationArgument } from '../table/argument-schemas.ts';

const Whole = z
  .string()
  .regex(/^\d{1,10}$/, { error: 'must be a whole number' })
  .transform(Number);

const Share = z
  .string()
  .regex(/^\d{1,3}(\.\d+)?%$/, { error: 'must be a share such as 10%' })
  .transform((text) => Number((Number(text.slice(0, -1)) / 100).toFixed(8)))
  .refine((share) => share <= 1, { error: 'must be at most 100%' });

const Rate = z
  .string()
  .regex(/^\d+(\.\d+)?$/, { error: 'must be a number, so many a second' })
  .transform(Number);

const Work = z.union([z.literal('0').transform(() => 0), DurationArgument], {
  error: 'must be 0 or a length of time such as 20ms',
});

const Mix = z
  .string()
  .regex(/^\d+:\d+:\d+:\d+$/, { error: 'must be read:write:shell:git, such as 50:40:8:2' })
  .transform((text) => {
    const [read = 0, write = 0, shell = 0, git = 0] = text.split(':').map(Number);
    return { read, write, shell, git };
  })
  .refine((mix) => Object.values(mix).some((weight) => weight > 0), { error: 'must not be nothing' });

/** Parsed arguments of the command line. */
export const BenchArguments = z.object({
  scenario: z.enum([...SCENARIOS, 'compare']).default('mixed'),
  file: z.array(z.string()).default([]),
  agents: Whole.pipe(BENCH_BOUNDS.agents).optional(),
  files: Whole.pipe(BENCH_BOUNDS.files).optional(),
  hot: Share.optional(),
  mix: Mix.optional(),
  work: Work.pipe(BENCH_BOUNDS.workMs).optional(),
  places: Whole.pipe(BENCH_BOUNDS.places).optional(),
  duration: DurationArgument.pipe(BENCH_BOUNDS.durationMs).optional(),
  commands: Whole.pipe(BENCH_BOUNDS.commands).optional(),
  rate: Rate.pipe(BENCH_BOUNDS.rate).optional(),
  seed: Whole.pipe(BENCH_BOUNDS.seed).optional(),
  door: z.enum(TRANSPORTS).optional(),
  redis: z.string().min(1).optional(),
  volatile: z.boolean().default(false),
  workers: Whole.pipe(BENCH_BOUNDS.workers).optional(),
  killRate: Rate.pipe(BENCH_BOUNDS.killRate).optional(),
  member: z.string().optional(),
  bare: z.boolean().optional(),
  monitored: z.boolean().optional(),
  baselines: z.boolean().default(true),
  save: z.string().optional(),
  report: z.string().optional(),
});
export type BenchArguments = z.infer<typeof BenchArguments>;

/**
 * A run without `--seed` draws one, which its report names.
 *
 * @throws {UsageError} `usage` for a transport that several processes don't support
 */
export function askedOptions(args: BenchArguments, random: RandomBytes): GivenOptions {
  const { scenario, agents, files, hot, mix, work, places, duration, commands, rate, seed, door, bare } =
    args;
  const { workers, killRate, monitored } = args;
  if ((workers ?? 1) > 1 && door !== undefined && door !== 'http')
    throw new UsageError('usage', `Cannot let agents come in by --door ${door} to several processes`, {
      why: ['whichever of them lives is called over HTTP'],
      next: ['leave --door out, or --workers'],
    });
  const [a = 0, b = 0] = random(2);
  const given = { agents, files, hot, mix, places, commands, rate, door, bare, workers, killRate, monitored };
  return {
    ...withoutUndefined({ ...given, workMs: work, durationMs: duration }),
    backend: args.redis === undefined ? 'embedded' : 'redis',
    scenario: scenario === 'compare' ? 'mixed' : scenario,
    seed: seed ?? a * 256 + b,
  };
}

function withoutUndefined<Of extends object>(of: Of): { [Key in keyof Of]?: Exclude<Of[Key], undefined> } {
  return Object.fromEntries(Object.entries(of).filter(([, value]) => value !== undefined)) as {
    [Key in keyof Of]?: Exclude<Of[Key], undefined>;
  };
}
