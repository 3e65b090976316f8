import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Event } from '@signalbox/core';
import type { RunTrusted } from '../demo/set-up-shop.ts';
import type { BenchWorld } from './bench-world.ts';
import { checkRun } from './checks/check-run.ts';
import type { Checked } from './checks/invariant.ts';
import { startBenchPerson } from './drive/bench-person.ts';
import { driveAgents, type Watcher } from './drive/drive-agents.ts';
import { openDoor } from './drive/open-door.ts';
import { openEvidence } from './evidence/evidence-log.ts';
import { readEvidence } from './evidence/read-evidence.ts';
import type { Trace } from './evidence/trace.ts';
import { MAX_WAIT_MS } from './runtime/bench-settings.ts';
import { findLeftovers } from './runtime/find-leftovers.ts';
import { openBenchRuntime } from './runtime/open-bench-runtime.ts';
import { type BenchGround, setUpBench } from './runtime/set-up-bench.ts';
import type { BenchOptions } from './plan/bench-options.ts';
import { createPlan, type Plan } from './plan/create-plan.ts';
import { auditFilesOf } from '../../runtime/backend/audit-files.ts';
import { readWorkspaceId } from '../../runtime/backend/workspace-marks.ts';

/** What one run left. */
export type RunOnce = Readonly<{
  plan: Plan;
  traces: readonly Trace[];
  invariants: readonly Checked[];
  folder: string;
  /** Processes of the coordinator that were killed. */
  killed: number;
}>;

type Running = Readonly<{
  watcher: Watcher;
  /** For the events of the coordinator. */
  hear?: (event: Event) => void;
  /** In place of the whole plan. */
  keys?: readonly number[];
  /** Every agent has its last answer. */
  onDriven?: () => void;
}>;

/** Lets the agents loose on a coordinator of their own, and looks at what they left. Its folder stays, but where it throws. */
export async function runOnce(options: BenchOptions, world: BenchWorld, run: Running): Promise<RunOnce> {
  const ground = await setUpBench(options, world);
  try {
    return await runOn(ground, options, { ...run, world });
  } catch (cause) {
    await rm(ground.folder, { recursive: true, force: true });
    throw cause;
  }
}

async function runOn(
  ground: BenchGround,
  options: BenchOptions,
  { world, ...run }: Running & Readonly<{ world: BenchWorld }>,
): Promise<RunOnce> {
  const { clock, random } = world;
  const plan = createPlan(options);
  const evidence = openEvidence(ground.log);
  let leftovers: readonly string[];
  let killed = 0;
  try {
    const { redis } = world;
    const runtime = await openBenchRuntime(options, { ...ground, evidence, world, redis });
    const unsubscribe = run.hear === undefined ? null : runtime.events.subscribe(run.hear);
    const dismiss = startBenchPerson({
      plan,
      events: runtime.events,
      approvals: runtime.coordinator.approvals,
      setMode: makesCommandsFail(options) ? runtime.coordinator.setMode : null,
      clock,
      logger: world.log,
    });
    try {
      const door = await openDoor(options, runtime, { ground, world });
      try {
        await driveAgents({ options, plan, door, evidence, clock, signal: world.signal, ...run });
      } finally {
        await door.close();
        killed = door.killed?.() ?? 0;
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
    if (world.redis !== null) await forgetKeys(ground.workspace, { ...world, url: world.redis.url });
  }
  const traces = await readEvidence(ground);
  const invariants = await checkRun({
    traces,
    planned: plan.command,
    workspace: ground.workspace,
    subjects: subjectsOf(ground.workspace, world.runTrusted),
    auditFiles: auditFilesOf(ground.workspace),
    leftovers,
    maxWaitMs: world.maxWaitMs ?? MAX_WAIT_MS,
    mayBeLost: options.killRate > 0,
  });
  return { plan, traces, invariants, folder: ground.folder, killed };
}

/** Nobody comes back to the workspace of a run, whatever became of it. */
async function forgetKeys(
  workspace: string,
  { url, clock, log }: Pick<BenchWorld, 'clock' | 'log'> & Readonly<{ url: string }>,
): Promise<void> {
  try {
    const { openWorkspaceKeys } = await import('@signalbox/redis');
    const name = readWorkspaceId(join(workspace, '.signalbox'));
    const keys = await openWorkspaceKeys({ url, workspace: name, clock, logger: log });
    await keys.remove().finally(keys.close);
  } catch (error) {
    log.warn({ error }, 'keys of the run left on Redis');
  }
}

function makesCommandsFail({ scenario, killRate }: BenchOptions): boolean {
  return scenario === 'chaos' || killRate > 0;
}

function subjectsOf(workspace: string, runTrusted: RunTrusted): readonly string[] {
  const log = runTrusted(['git', '-C', workspace, 'log', '--format=%s']);
  return log === null ? [] : log.trimEnd().split('\n');
}
