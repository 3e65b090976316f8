import { join } from 'node:path';
import type { Clock, Logger, RandomBytes } from '@signalbox/core';
import type { RunTrusted } from '../demo/set-up-shop.ts';
import type { Doors, House, HouseOptions } from '../house.ts';
import { checkRun } from './checks/check-run.ts';
import type { Checked } from './checks/invariant.ts';
import { startBenchPerson } from './drive/bench-person.ts';
import { driveAgents, type Watcher } from './drive/drive-agents.ts';
import { openDoor } from './drive/open-door.ts';
import { openEvidence } from './evidence/evidence-log.ts';
import { readEvidence } from './evidence/read-evidence.ts';
import type { Trace } from './evidence/trace.ts';
import { benchSettings, MAX_WAIT_MS } from './house/bench-settings.ts';
import { benchTools } from './house/bench-tools.ts';
import { findLeftovers } from './house/find-leftovers.ts';
import { type BenchGround, setUpBench } from './house/set-up-bench.ts';
import type { BenchOptions } from './plan/bench-options.ts';
import { createPlan, type Plan } from './plan/create-plan.ts';

/** The world of a bench. */
export type BenchWorld = Readonly<{
  openHouse: Doors['openHouse'];
  runTrusted: RunTrusted;
  /** Runs one of the bench's own shell lines outside every sandbox; rejects when it fails. */
  runShell: (line: string, workspace: string) => Promise<unknown>;
  /** Where folders of runs are made. */
  parent: string;
  env: Readonly<Record<string, string | undefined>>;
  user: string;
  clock: Clock;
  random: RandomBytes;
  log: Logger;
  /** Abort for: no new commands. */
  signal: AbortSignal;
  /** For tests of the bench itself: a scheduler that does something wrong. */
  through?: HouseOptions['through'];
}>;

/** What one run left. */
export type RunOnce = Readonly<{
  plan: Plan;
  traces: readonly Trace[];
  invariants: readonly Checked[];
  folder: string;
}>;

/** Lets the agents loose on a house of their own, and looks at what they left. Its folder stays. */
export async function runOnce(
  options: BenchOptions,
  world: BenchWorld,
  run: Readonly<{
    watcher: Watcher;
    /** In place of the whole plan. */
    keys?: readonly number[];
    /** Every agent has its last answer. */
    onDriven?: () => void;
  }>,
): Promise<RunOnce> {
  const { clock, random } = world;
  const plan = createPlan(options);
  const ground = await setUpBench(options, world.parent, world.runTrusted);
  const evidence = openEvidence(ground.log);
  let leftovers: readonly string[];
  try {
    const house = await openBenchHouse(options, { ground, evidence, world });
    const dismiss = startBenchPerson({
      plan,
      events: house.events,
      approvals: house.coordinator.approvals,
      clock,
      logger: world.log,
    });
    try {
      const door = await openDoor(options.door, house, { workspace: ground.workspace, world });
      try {
        await driveAgents({ options, plan, door, evidence, clock, signal: world.signal, ...run });
      } finally {
        await door.close();
      }
      run.onDriven?.();
      leftovers = await findLeftovers(house.coordinator, { clock, random });
    } finally {
      dismiss();
      await house.close();
    }
  } finally {
    evidence.close();
  }
  const traces = await readEvidence(ground);
  const invariants = await checkRun({
    traces,
    planned: plan.command,
    workspace: ground.workspace,
    subjects: subjectsOf(ground.workspace, world.runTrusted),
    auditFiles: [join(ground.workspace, '.signalbox', 'audit.jsonl')],
    leftovers,
    maxWaitMs: MAX_WAIT_MS,
    mayBeLost: options.killRate > 0,
  });
  return { plan, traces, invariants, folder: ground.folder };
}

function openBenchHouse(
  options: BenchOptions,
  of: Readonly<{ ground: BenchGround; evidence: ReturnType<typeof openEvidence>; world: BenchWorld }>,
): Promise<House> {
  const { world, ground, evidence } = of;
  const { workspace } = ground;
  return world.openHouse({
    workspace,
    settings: benchSettings(options),
    unconfined: false,
    user: world.user,
    subcommand: 'bench',
    apiKeys: world.env,
    log: world.log,
    clock: world.clock,
    tools: benchTools({ evidence, workspace, bare: options.bare }),
    ...(world.through === undefined ? {} : { through: world.through }),
  });
}

function subjectsOf(workspace: string, runTrusted: RunTrusted): readonly string[] {
  const log = runTrusted(['git', '-C', workspace, 'log', '--format=%s']);
  return log === null ? [] : log.trimEnd().split('\n');
}
