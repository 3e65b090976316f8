import { randomBytes } from 'node:crypto';
import { existsSync, realpathSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { createModeService, createMonitor, findForgotten, readQueue } from '@signalbox/coordinator';
import { defaultSettings, type Logger, type NodeRecord } from '@signalbox/core';
import { createEmbeddedBackend, createSystemClock, findWorkspaceHolder } from '@signalbox/embedded';
import { commitsOf, createFiles } from '@signalbox/sandbox';
import type { Backend } from './contract/backend.ts';
import type { Records } from './contract/runtime.ts';
import { loadSettings } from './settings/load-settings.ts';
import { auditFilesOf } from './audit-files.ts';
import { limitsOf } from './limits-of.ts';
import { type RedisAddress, redisAddressOf } from './workspace/redis-address.ts';
import { requireOwnState, STATE_FOLDER } from './workspace/state-folder.ts';
import { readWorkspaceId } from './workspace-marks.ts';

/** Stored records of a workspace, with or without a running coordinator. Null if nothing was ever stored. */
export async function openRecords(options: {
  readonly workspace: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
}): Promise<Records | null> {
  const workspace = realpathSync(options.workspace);
  requireOwnState(workspace);
  const folder = join(workspace, STATE_FOLDER);
  const env = options.env ?? process.env;
  const address = existsSync(join(folder, 'workspace-id'))
    ? redisAddressOf({ folder, env, backend: 'embedded' })
    : null;
  const opened = { workspace, folder, env };
  if (address !== null) return recordsInRedis(opened, address);
  if (!existsSync(join(folder, 'state.db'))) return null;
  return recordsInFolder(opened);
}

type Opened = Readonly<{
  workspace: string;
  folder: string;
  env: Readonly<Record<string, string | undefined>>;
}>;

async function recordsInFolder(opened: Opened): Promise<Records> {
  const { folder } = opened;
  const clock = createSystemClock();
  const limits = limitsOf(defaultSettings());
  const backend = await createEmbeddedBackend({ folder, clock, random: randomBytes, limits, logger: SILENT });
  return {
    ...commonOf(opened, backend),
    queue: (max) => readQueue(backend, max),
    async holder() {
      const holder = await findWorkspaceHolder(folder, hostname());
      if (holder === null) return null;
      const { process: of, subcommand, startedAt } = holder;
      return { pid: of.pid, host: of.host, subcommand, startedAt };
    },
    members: async () => null,
    nodesSeen: async () => null,
    close: backend.close,
  };
}

/** A node not seen for this long counts as dead: when all have crashed, none is left to record that. */
const UNSEEN_MS = 60_000;

async function recordsInRedis(opened: Opened, { url }: RedisAddress): Promise<Records> {
  const { folder } = opened;
  const { openRedisRecords } = await import('@signalbox/redis');
  const clock = createSystemClock();
  const backend = await openRedisRecords({
    url,
    workspace: readWorkspaceId(folder),
    clock,
    random: randomBytes,
    limits: limitsOf(defaultSettings()),
    logger: SILENT,
  });
  const living = async (): Promise<readonly NodeRecord[]> =>
    (await backend.members.seen())
      .filter(({ isAlive, seenMsAgo }) => isAlive && (seenMsAgo === null || seenMsAgo < UNSEEN_MS))
      .map(({ member }) => member);
  const coordinators = async (): Promise<readonly NodeRecord[]> =>
    (await living()).filter(({ kind }) => kind === 'coordinator');
  return {
    ...commonOf(opened, backend),
    queue: backend.scheduler.snapshot,
    async holder() {
      const [first] = await coordinators();
      if (first === undefined) return null;
      return { pid: first.pid, host: first.host, subcommand: 'serve --redis', startedAt: first.startedAt };
    },
    members: living,
    nodesSeen: backend.members.seen,
    close: backend.close,
  };
}

function commonOf(
  { workspace, folder, env }: Opened,
  { store, runStore, events, facts }: Pick<Backend, 'store' | 'runStore' | 'events' | 'facts'>,
) {
  return {
    store,
    events,
    facts,
    files: createFiles({ workspace, commits: commitsOf(folder) }),
    monitor: createMonitor(store, 1_000_000),
    leftRuns: async () => (await runStore.unfinished()).map(({ id }) => id),
    async forgotten(prefix: string) {
      const { settings } = await loadSettings({ directory: workspace, env });
      const auditFiles = () => auditFilesOf(workspace);
      return findForgotten({ auditFile: join(folder, 'audit.jsonl'), auditFiles, settings }, prefix);
    },
    async mode() {
      const { settings } = await loadSettings({ directory: workspace, env });
      return createModeService({
        facts,
        events,
        clock: createSystemClock(),
        initial: settings.mode,
      }).current();
    },
  };
}

const nothing = (): void => undefined;
const SILENT: Logger = { debug: nothing, info: nothing, warn: nothing, error: nothing, child: () => SILENT };
