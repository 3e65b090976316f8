import { rm } from 'node:fs/promises';
import type { Event } from '@signalbox/core';
import type { BenchWorld } from './bench-world.ts';
import { checkRun } from './checks/check-run.ts';
import type { Checked } from './checks/invariant.ts';
import { startBenchPerson } from './drive/bench-person.ts';
import { driveAgents, type DriveWatcher } from './drive/drive-agents.ts';
import { openClient } from './drive/open-client.ts';
import { openEvidence } from './evidence/evidence-log.ts';
import { readEvidence } from './evidence/read-evidence.ts';
import type { Trace } from './evidence/trace.ts';
import type { BenchOptions } from './plan/bench-options.ts';
import { createPlan, type Plan } from './plan/create-plan.ts';
import { runShell } from './run-shell.ts';
import { createRunFolder, type RunFolder } from './runtime/create-run-folder.ts';
import { findLeftovers } from './runtime/find-leftovers.ts';
import { MAX_WAIT_MS, openBenchRuntime } from './runtime/open-bench-runtime.ts';

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
  const { clock, random, redis } = world;
  const { path, workspace, evidenceFile } = folder;
  const plan = createPlan(options);
  const evidence = openEvidence(evidenceFile);
  let leftovers: readonly string[];
  let killed = 0;
  try {
    const runtime = await openBenchRuntime(options, { workspace, evidence, redis, world });
    const unsubscribe = run.observe === undefined ? null : runtime.events.subscribe(run.observe);
    const dismiss = startBenchPerson({
      plan,
      events: runtime.events,
      approvals: runtime.coordinator.approvals,
      setMode: makesCommandsFail(options) ? runtime.coordinator.setMode : null,
      clock,
      logger: world.log,
    });
    try {
      const client = await openClient(options, runtime, { folder, world });
      try {
        await driveAgents({ options, plan, client, evidence, clock, signal: world.signal, ...run });
      } finally {
        await client.close();
        killed = client.killed?.() ?? 0;
      }
      run.onDriven?.();
      leftovers = await findLeftovers(runtime.coordinator, { clock, random, isKilled: killed > 0 });
    } finally {
      dismiss();
      unsubscribe?.();
      await runtime.close();
    }
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
    leftovers,
    maxWaitMs: world.maxWaitMs ?? MAX_WAIT_MS,
    mayBeLost: options.killRate > 0,
  });
  return { plan, traces, invariants, folder: path, killed };
}

function makesCommandsFail({ scenario, killRate }: BenchOptions): boolean {
  return scenario === 'chaos' || killRate > 0;
}

/** Newest first; empty when git fails. */
async function commitSubjects(workspace: string, { env }: BenchWorld): Promise<readonly string[]> {
  const log = await runShell('git log --format=%s', { workspace, env }).catch(() => '');
  return log === '' ? [] : log.trimEnd().split('\n');
}
