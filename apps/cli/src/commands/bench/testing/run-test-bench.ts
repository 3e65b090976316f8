import { randomBytes } from 'node:crypto';
import {
  type GivenOptions,
  benchOptions,
  type BenchReport,
  type BenchRun,
  type BenchWorld,
  runBench,
} from '@signalbox/bench';
import { createMemoryLogger } from '@signalbox/core/testing';
import { createSystemClock } from '@signalbox/embedded';
import { inject } from 'vitest';
import { entry } from '../../../program/runtime-entry.ts';
import type { RuntimeEntry } from '../../../runtime/contract/runtime.ts';
import { benchWorldOf } from '../bench-world.ts';

type TestWorld = Partial<Pick<BenchWorld, 'redis' | 'maxWaitMs'> & Pick<RuntimeEntry, 'openRuntime'>>;

/** A small deterministic run, without a terminal, and without baselines unless requested. */
export function runTestBench(
  asked: Omit<GivenOptions, 'seed'>,
  { redis = null, openRuntime = entry.openRuntime, ...more }: TestWorld = {},
  run: BenchRun = {},
): Promise<BenchReport> {
  const context = {
    clock: createSystemClock(),
    entry: { ...entry, openRuntime },
    env: { PATH: process.env['PATH'] },
    log: createMemoryLogger(),
    random: randomBytes,
    user: 'ana',
  };
  const world: BenchWorld = {
    ...benchWorldOf(context, { signal: new AbortController().signal, redis }),
    // Built: a start from source takes four times as long.
    nodeArgv: (file) => [process.execPath, inject('program'), 'bench', '--member', file, '--json'],
    ...more,
  };
  return runBench(benchOptions({ seed: 7, agents: 6, workMs: 2, ...asked }), world, {
    baselines: false,
    ...run,
  });
}

/** The violated invariants. */
export function violatedIn({ invariants }: Pick<BenchReport, 'invariants'>): readonly string[] {
  return invariants.filter(({ violated }) => violated > 0).map(({ id }) => id);
}
