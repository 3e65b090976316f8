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
import type { Doors, House } from '../../runtime/contract/house.ts';
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
  openHouse: Doors['openHouse'];
  runTrusted: RunTrusted;
  /** Folder for temporary files, in which the workspace is made and kept. */
  parent: string;
  /** Where it is kept on Redis. Default: in its own folder, whatever the environment says. */
  redis?: RedisAddress | undefined;
  /** The environment, for the house. */
  env: Readonly<Record<string, string | undefined>>;
  user: string;
  clock: Clock;
  log: Logger;
  fast: boolean;
  /** Ctrl-C: no new turns; the demo ends when every process is dead. */
  signal: AbortSignal;
  /** The house is open and nothing has happened yet: where a screen begins to listen. */
  onOpen?: (stage: DemoStage) => void | Promise<void>;
  /** The settings in the demo's folder were changed, or can't be used. */
  onSettings?: (lines: readonly Line[]) => void;
  /** Whether a person is at the keys right now: then the scripted one does not answer for them. */
  isAnswering?: () => boolean;
}>;

export type DemoStage = Readonly<{
  workspace: string;
  house: House;
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
 * Plays the demo: three scripted providers repair the sample project through a real house, in a new git
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
    const unsubscribe = stage.house.events.subscribe((event) => {
      events.push(event);
      happenings.note(event);
    });
    const { approvals } = stage.house.coordinator;
    const dismiss = startScriptedPerson({
      events: stage.house.events,
      approvals,
      clock,
      fast,
      ...(options.isAnswering === undefined ? {} : { isAnswering: options.isAnswering }),
    });
    const unfollow = followSettings(stage.house, { ...onDisk, before: settings, clock }, (lines) =>
      options.onSettings?.(lines),
    );
    let sessions: readonly SessionSummary[];
    let records: readonly CommandRecord[];
    try {
      await options.onOpen?.(stage);
      sessions = await playAll(stage.house, options);
      records = await stage.house.store.list({ limit: MAX_COMMANDS });
    } finally {
      unfollow();
      dismiss();
      await stage.house.close();
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

/** Opens the house; where no sandbox works, without one: the folder is the demo's own and thrown away. */
async function openStage(workspace: string, settings: Settings, options: DemoOptions): Promise<DemoStage> {
  const { user, env, redis, log, clock, fast } = options;
  const open = (unconfined: boolean): Promise<House> =>
    options.openHouse({
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
  const house = await open(false);
  try {
    await house.isolation();
    return { workspace, house, providers, fast, unconfined: false };
  } catch (error) {
    log.warn({ error }, 'no sandbox works: the demo runs without one');
    await house.close();
    return { workspace, house: await open(true), providers, fast, unconfined: true };
  }
}

async function playAll(
  { runs }: House,
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
