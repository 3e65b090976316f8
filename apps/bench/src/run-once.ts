import { rm } from 'node:fs/promises';
import type { Event } from '@signalbox/core';
import type { BenchWorld } from './bench-world.ts';
import { checkRun } from './checks/check-run.ts';
import type { Checked } from './checks/invariant.ts';
import { driveAgents, type DriveWatcher } from './drive/drive-agents.ts';
import { openEvidence } from './evidence/evidence-log.ts';
import { readEvidence } from './evidence/read-evidence.ts';
import type { Trace } from './evidence/trace.ts';
import type { BenchOptions } from './plan/bench-options.ts';
import { createPlan, type Plan } from './plan/create-plan.ts';
import { runShell } from './run-shell.ts';
import { createRunFolder, type RunFolder } from './runtime/create-run-folder.ts';
import { leadElsewhere } from './lead/lead-elsewhere.ts';
import { leadHere } from './lead/lead-here.ts';
import type { LedResult } from './lead/led-result.ts';
import { MAX_WAIT_MS } from './runtime/open-bench-runtime.ts';

/** The result of one run. */
export type RunOnce = Readonly<{
  plan: Plan;
  traces: readonly Trace[];
  invariants: readonly Checked[];
  folder: string;
  /** Number of killed coordinator processes. */
  killed: number;
}>;

type Running = Readonly<{
  watcher: DriveWatcher;
  /** For the events of the coordinator. */
  observe?: (event: Event) => void;
  /** Only these commands of the plan. */
  keys?: readonly number[];
  /** Called when every agent has its last answer. */
  onDriven?: () => void;
}>;

/** Runs the agents on a coordinator of their own, and checks the result. Its folder remains, unless it throws. */
export async function runOnce(options: BenchOptions, world: BenchWorld, run: Running): Promise<RunOnce> {
  const folder = await createRunFolder(options, world);
  try {
    return await runIn(folder, options, { ...run, world });
  } catch (cause) {
    await rm(folder.path, { recursive: true, force: true });
    throw cause;
  }
}

async function runIn(
  folder: RunFolder,
  options: BenchOptions,
  { world, ...run }: Running & Readonly<{ world: BenchWorld }>,
): Promise<RunOnce> {
  const { clock, redis } = world;
  const { path, workspace, evidenceFile } = folder;
  const plan = createPlan(options);
  const evidence = openEvidence(evidenceFile);
  const isElsewhere = redis === null && options.killRate > 0;
  const lead = isElsewhere ? leadElsewhere : leadHere;
  let led: LedResult;
  try {
    led = await lead(options, folder, {
      world,
      evidence,
      plan,
      observe: run.observe,
      async drive(client) {
        await driveAgents({ options, plan, client, evidence, clock, signal: world.signal, ...run });
        run.onDriven?.();
      },
    });
  } finally {
    evidence.close();
    // The workspace of a run is never opened again, whether the run succeeded or not.
    if (redis !== null)
      await world.removeKeys(workspace, redis).catch((error: unknown) => {
        world.log.warn({ error }, 'keys of the run left on Redis');
      });
  }
  const traces = await readEvidence(folder);
  const invariants = await checkRun({
    traces,
    planned: plan.command,
    workspace,
    subjects: await commitSubjects(workspace, world),
    auditFiles: world.auditFilesOf(workspace),
    leftovers: led.leftovers,
    maxWaitMs: world.maxWaitMs ?? MAX_WAIT_MS,
    mayBeLost: options.killRate > 0,
    monitor: led.monitored,
  });
  return { plan, traces, invariants, folder: path, killed: led.killed };
}

/** Newest first; empty when git fails. */
async function commitSubjects(workspace: string, { env }: BenchWorld): Promise<readonly string[]> {
  const log = await runShell('git log --format=%s', { workspace, env }).catch(() => '');
  return log === '' ? [] : log.trimEnd().split('\n');
}
