import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { shellLineOf } from '../evidence/shell-line.ts';
import { createRunFolder } from '../runtime/create-run-folder.ts';
import { plainCounter } from '../runtime/plain-counter.ts';
import type { BenchOptions } from '../plan/bench-options.ts';
import type { Plan } from '../plan/create-plan.ts';
import type { PlannedCommand } from '../plan/planned-command.ts';
import type { Baseline } from '../report/bench-report.ts';
import type { BenchWorld } from '../bench-world.ts';
import { runShell } from '../run-shell.ts';
import { openBaselineQueue } from './baseline-queue.ts';

/** Enough to measure the speed. */
const MAX_COMMANDS = 1000;
const MAX_MS = 5000;

type BaselineOptions = Readonly<{
  options: BenchOptions;
  plan: Plan;
  world: Pick<BenchWorld, 'clock' | 'env' | 'log' | 'parent' | 'random' | 'redis' | 'signal'>;
  /** Number of commands in the run. */
  commands: number;
}>;

/**
 * Runs the same commands of the same agents without Signalbox: `plain` with as many slots, `one-lock` one command at a
 * time, `bullmq` through one queue with as many slots. Lost updates are not prevented, only counted.
 */
export async function runBaseline(id: Baseline['id'], baseline: BaselineOptions): Promise<Baseline> {
  const { options, plan, world } = baseline;
  const { clock, signal } = world;
  const { path: folder, workspace } = await createRunFolder(options, world);
  const queue = await openBaselineQueue(id, options.places, world);
  const counted = new Map<string, number>();
  const startedAt = clock.monotonic();
  const limit = Math.min(baseline.commands, MAX_COMMANDS);
  let commands = 0;

  async function runAgent(agent: number): Promise<void> {
    for (let ordinal = 0; !signal.aborted; ordinal++) {
      const key = plan.keyOf(agent, ordinal);
      if (key >= limit || clock.monotonic() - startedAt > MAX_MS) return;
      const command = plan.command(key);
      await queue.run(async () => {
        const isCounted = await execute(command, workspace, world);
        if (isCounted) counted.set(command.path, (counted.get(command.path) ?? 0) + 1);
        commands += 1;
      });
    }
  }

  try {
    await Promise.all(Array.from({ length: options.agents }, (_, agent) => runAgent(agent)));
    const elapsedMs = clock.monotonic() - startedAt;
    const lostUpdates = await lostOf(counted, workspace);
    return { id, commands, elapsedMs, perSecond: (commands / elapsedMs) * 1000, lostUpdates };
  } finally {
    await queue.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Returns whether it incremented the counter of a file. */
async function execute(
  command: PlannedCommand,
  workspace: string,
  { clock, env }: BaselineOptions['world'],
): Promise<boolean> {
  const { path, work, workMs, plannedOutcome, person, scope } = command;
  if (work === 'shell' || work === 'git')
    return runShell(shellLineOf(command), { workspace, env }).then(
      () => true,
      () => false,
    );
  // The same steps as the bench tools: read, work, write.
  const counter = plainCounter(join(workspace, path));
  const count = scope === 'file' ? await counter.read() : 0;
  if (workMs > 0) await new Promise<void>((resolve) => clock.timer(workMs, resolve));
  if (work === 'read' || plannedOutcome === 'fails' || plannedOutcome === 'hangs' || person === 'refuses')
    return false;
  await counter.write(count + 1);
  return true;
}

async function lostOf(counted: ReadonlyMap<string, number>, workspace: string): Promise<number> {
  let lost = 0;
  for (const [path, times] of counted) {
    const final = Number(await readFile(join(workspace, path), 'utf8'));
    lost += Math.max(0, times - final);
  }
  return lost;
}
