import { rm } from 'node:fs/promises';
import type { Clock } from '@signalbox/core';
import { type Checked, invariantText } from '../checks/invariant.ts';
import type { Plan } from '../plan/create-plan.ts';
import { describePlanned } from '../plan/planned-command.ts';
import type { BenchReport } from '../report/bench-report.ts';
import type { RunOnce } from '../run-once.ts';
import { shrinkSchedule } from './shrink-schedule.ts';

/** Violations depend on timing, so a part without one is tried once more. */
const TRIES = 2;

/**
 * Runs parts of the commands that violated an invariant, until no shorter part still does, or `budgetMs` have passed.
 *
 * @param run Runs only these commands.
 */
export async function findShortest(
  broken: Checked,
  first: RunOnce,
  {
    run,
    clock,
    budgetMs,
  }: Readonly<{ run: (keys: readonly number[]) => Promise<RunOnce>; clock: Clock; budgetMs: number }>,
): Promise<NonNullable<BenchReport['shortest']>> {
  const until = clock.monotonic() + budgetMs;
  let runs = 0;

  async function fails(keys: readonly number[]): Promise<boolean> {
    for (let tries = 0; tries < TRIES && !isOver(); tries++) {
      runs += 1;
      const { invariants, folder } = await run(keys);
      await rm(folder, { recursive: true, force: true });
      if (invariants.some(({ id, violated }) => id === broken.id && violated > 0)) return true;
    }
    return false;
  }

  const isOver = (): boolean => clock.monotonic() >= until;
  const all = keysInOrder(first);
  const accused = all.filter((key) => broken.violations[0]?.keys.includes(key));
  const start = accused.length > 0 && (await fails(accused)) ? accused : all;
  const shortest = await shrinkSchedule(start, fails, isOver);
  return { invariant: invariantText(broken), commands: describeAll(shortest, first.plan), runs };
}

function keysInOrder({ traces }: RunOnce): readonly number[] {
  return traces
    .filter(({ submitted }) => submitted !== null)
    .toSorted((a, b) => (a.submitted?.atUs ?? 0) - (b.submitted?.atUs ?? 0))
    .map(({ key }) => key);
}

function describeAll(keys: readonly number[], plan: Plan): string[] {
  return keys.map((key) => describePlanned(plan.command(key)));
}
