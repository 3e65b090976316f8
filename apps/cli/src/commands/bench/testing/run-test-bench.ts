import type { BenchWorld } from '../bench-world.ts';
import { type AskedOptions, benchOptions } from '../plan/bench-options.ts';
import type { BenchReport } from '../report/bench-report.ts';
import { type BenchRun, runBench } from '../run-bench.ts';
import { benchWorld } from './bench-world.ts';

/** A small run, the same every time, without baselines unless they are asked for. */
export function runTestBench(
  asked: Omit<AskedOptions, 'seed'>,
  world: Partial<BenchWorld> = {},
  run: BenchRun = {},
): Promise<BenchReport> {
  return runBench(benchOptions({ seed: 7, agents: 6, workMs: 2, ...asked }), benchWorld(world), {
    baselines: false,
    ...run,
  });
}

/** The invariants that do not hold. */
export function violatedIn({ invariants }: Pick<BenchReport, 'invariants'>): readonly string[] {
  return invariants.filter(({ violated }) => violated > 0).map(({ id }) => id);
}
