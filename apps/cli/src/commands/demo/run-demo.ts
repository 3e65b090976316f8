import { join } from 'node:path';
import { type AuditReport, type SessionSummary, verifyAudit } from '@signalbox/coordinator';
import {
  type Clock,
  type CommandRecord,
  type Event,
  type Logger,
  ProviderId,
  type Settings,
} from '@signalbox/core';
import type { Doors, Runtime } from '../../runtime/contract/runtime.ts';
import { auditFilesOf } from '../../runtime/backend/audit-files.ts';
import { REDIS_URL, type RedisAddress } from '../../runtime/workspace/redis-address.ts';
import type { Line } from '../../terminal/line.ts';
import { followSettings } from '../../runtime/settings/follow-settings.ts';
import { checkScenes, type Scene } from './check-scenes.ts';
import { demoSettings } from './demo-settings.ts';
import { createHappenings } from './milestones.ts';
import { startModelServer } from './model-server.ts';
import { startScriptedPerson } from './scripted-person.ts';
import { SCRIPTS } from './scripts.ts';
import { type RunTrusted, setUpShop } from './set-up-shop.ts';
import { type DemoSummary, summarise } from './summarise.ts';

export type DemoOptions = Readonly<{
  openRuntime: Doors['openRuntime'];
  runTrusted: RunTrusted;
  /** Folder for temporary files, in which the workspace is made and kept. */
  parent: string;
  /** Where it is kept on Redis. Default: in its own folder, whatever the environment says. */
  redis?: RedisAddress | undefined;
  /** The environment, for the coordinator. */
  env: Readonly<Record<string, string | undefined>>;
  user: string;
  clock: Clock;
  log: Logger;
  fast: boolean;
  /** Ctrl-C: no new turns; the demo ends when every process is dead. */
  signal: AbortSignal;
  /** The coordinator is open and nothing has happened yet: where a screen begins to listen. */
  onOpen?: (stage: DemoStage) => void | Promise<void>;
  /** The settings in the demo's folder were changed, or can't be used. */
  onSettings?: (lines: readonly Line[]) => void;
  /** Whether a person is at the keys right now: then the scripted one does not answer for them. */
  isAnswering?: () => boolean;
}>;

export type DemoStage = Readonly<{
  workspace: string;
  runtime: Runtime;
  /** In the order of their lanes. */
  providers: readonly string[];
  /** No sandbox works here, so commands run in the demo's own folder without one. */
  unconfined: boolean;
  fast: boolean;
}>;

export type DemoReport = Readonly<{
  workspace: string;
  scenes: readonly Scene[];
  summary: DemoSummary;
  audit: AuditReport;
  sessions: readonly SessionSummary[];
  events: readonly Event[];
  /** Of all commands, the oldest first. */
  records: readonly CommandRecord[];
  /** Every scene happened and the audit log holds together: exit 0. */
  complete: boolean;
}>;

/** Nothing in the demo takes so long; whatever hangs must not hang for ever. */
const MAX_MS = 120_000;
/** More than the scripts can ask for. */
const MAX_COMMANDS = 1000;

/**
 * Plays the demo: three scripted providers repair the sample project through a real coordinator, in a new git
 * workspace. When it settles no process and no port is left; the folder stays.
 */
export async function runDemo(options: DemoOptions): Promise<DemoReport> {
  const { clock, fast } = options;
  const happenings = createHappenings();
  const workspace = await setUpShop(options.parent, options.runTrusted);
  const models = await startModelServer({ scripts: SCRIPTS, happenings, clock, fast });
  try {
    const onDisk = demoSettings(workspace, models.url);
    const { settings } = await onDisk.load();
    const stage = await openStage(workspace, settings, options);
    const events: Event[] = [];
    const unsubscribe = stage.runtime.events.subscribe((event) => {
      events.push(event);
      happenings.note(event);
    });
    const { approvals } = stage.runtime.coordinator;
    const dismiss = startScriptedPerson({
      events: stage.runtime.events,
      approvals,
      clock,
      fast,
      ...(options.isAnswering === undefined ? {} : { isAnswering: options.isAnswering }),
    });
    const unfollow = followSettings(stage.runtime, { ...onDisk, before: settings, clock }, (lines) =>
      options.onSettings?.(lines),
    );
    let sessions: readonly SessionSummary[];
    let records: readonly CommandRecord[];
    try {
      await options.onOpen?.(stage);
      sessions = await playAll(stage.runtime, options);
      records = await stage.runtime.store.list({ limit: MAX_COMMANDS });
    } finally {
      unfollow();
      dismiss();
      await stage.runtime.close();
      unsubscribe();
    }
    const scenes = checkScenes(events);
    const [auditFile = join(workspace, '.signalbox', 'audit.jsonl')] = auditFilesOf(workspace);
    const audit = await verifyAudit(auditFile);
    const complete = scenes.every(({ happened }) => happened) && audit.problems.length === 0;
    return {
      workspace,
      scenes,
      summary: summarise(events),
      audit,
      sessions,
      events,
      records: records.toReversed(),
      complete,
    };
  } finally {
    await models.stop();
  }
}

/** Opens the coordinator; where no sandbox works, without one: the folder is the demo's own and thrown away. */
async function openStage(workspace: string, settings: Settings, options: DemoOptions): Promise<DemoStage> {
  const { user, env, redis, log, clock, fast } = options;
  const open = (unconfined: boolean): Promise<Runtime> =>
    options.openRuntime({
      workspace,
      settings,
      unconfined,
      user,
      subcommand: 'demo',
      ...(redis === undefined ? {} : { redis }),
      apiKeys: { ...env, [REDIS_URL]: undefined },
      clock,
    });
  const providers = SCRIPTS.map(({ provider }) => provider);
  const runtime = await open(false);
  try {
    await runtime.isolation();
    return { workspace, runtime, providers, fast, unconfined: false };
  } catch (error) {
    log.warn({ error }, 'no sandbox works: the demo runs without one');
    await runtime.close();
    return { workspace, runtime: await open(true), providers, fast, unconfined: true };
  }
}

async function playAll(
  { runs }: Runtime,
  { clock, signal, user }: DemoOptions,
): Promise<readonly SessionSummary[]> {
  const { runId, ended } = await runs.start({
    assignments: SCRIPTS.map(({ provider, task }) => ({ provider: ProviderId.parse(provider), task })),
    until: null,
    by: user,
  });
  const stop = (): void => void runs.stop(runId, user, 'graceful');
  const cancel = clock.timer(MAX_MS, stop);
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    return await ended;
  } finally {
    cancel();
    signal.removeEventListener('abort', stop);
  }
}
