import { randomBytes } from 'node:crypto';
import { existsSync, lstatSync, readdirSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import {
  type Clock,
  type CommandState,
  defaultSettings,
  type Logger,
  UnavailableError,
} from '@signalbox/core';
import { findWorkspaceHolder } from '@signalbox/embedded';
import { openRedisRecords, openWorkspaceKeys } from '@signalbox/redis';
import { limitsOf } from '../../runtime/limits-of.ts';
import type { RedisAddress } from '../../runtime/workspace/redis-address.ts';
import { hasEnded } from '../../runtime/presence-probe.ts';
import { readWorkspaceId } from '../../runtime/workspace-marks.ts';

/** What is stored of a workspace outside of its own files. */
export type KeptFiles = Readonly<{
  /** Null if no Redis is named. */
  redis: KeptOnRedis | null;
  /** Null if there is no `.signalbox`. */
  state: KeptState | null;
}>;

export type KeptOnRedis = Readonly<{
  /** Without user and password. */
  where: string;
  keys: number;
  /** Finished commands, according to history and totals. */
  ended: number;
  unfinished: readonly Readonly<{ state: CommandState; commands: number }>[];
}>;

export type KeptState = Readonly<{ files: number; bytes: number }>;

type Where = Readonly<{ folder: string; address: RedisAddress | null; clock: Clock }>;

/** A node not seen for this long counts as dead: when all have crashed, none is left to record that. */
const UNSEEN_MS = 60_000;

/**
 * @throws {UnavailableError} `in-use` while a coordinator or a worker of the workspace is alive; when Redis can't be
 * reached
 */
export async function findKept(where: Where): Promise<KeptFiles> {
  await refuseInUse(where);
  return { redis: await keptOnRedis(where), state: stateIn(where.folder) };
}

async function refuseInUse(where: Where): Promise<void> {
  const holder = await findWorkspaceHolder(where.folder, hostname());
  if (holder !== null)
    throw inUse(
      [`\`signalbox ${holder.subcommand}\` leads it, process ${holder.process.pid}`],
      'Stop it first',
    );
  const members = await withRecords(where, async (records) => {
    const seen = await records.members.seen();
    const living = seen.filter(({ isAlive, seenMsAgo }) => isAlive && (seenMsAgo ?? 0) < UNSEEN_MS);
    const ended = await Promise.all(living.map(({ member }) => hasEnded(member, hostname())));
    return living.filter((_, n) => ended[n] !== true).map(({ member }) => member);
  });
  if (members === null || members.length === 0) return;
  const why = members.map(({ kind, id, host, pid }) => `${kind} ${id} runs on "${host}", process ${pid}`);
  throw inUse(why, 'Stop them first; one on a lost machine is dropped after a minute');
}

function inUse(why: readonly string[], next: string): UnavailableError {
  return new UnavailableError('in-use', 'Cannot forget this workspace: it is in use', {
    why: [...why],
    next: [next, 'signalbox status'],
  });
}

async function keptOnRedis(where: Where): Promise<KeptOnRedis | null> {
  return withKeys(where, async (keys) => {
    const counts = await withRecords(where, async ({ store }) => ({
      ended: (await store.totals()).reduce((sum, { commands }) => sum + commands, 0),
      unfinished: await store.countUnfinished(),
    }));
    const unfinished = new Map<CommandState, number>();
    for (const { state, commands } of counts?.unfinished ?? [])
      unfinished.set(state, (unfinished.get(state) ?? 0) + commands);
    return {
      where: keys.where.slice(1, -1),
      keys: await keys.count(),
      ended: counts?.ended ?? 0,
      unfinished: [...unfinished].map(([state, commands]) => ({ state, commands })),
    };
  });
}

/**
 * Removes all keys of the workspace; returns how many. @throws {UnavailableError} `in-use` when a node started
 * meanwhile
 */
export async function removeKeys(where: Where): Promise<number> {
  await refuseInUse(where);
  return (await withKeys(where, (keys) => keys.remove())) ?? 0;
}

/** Null if no Redis is named. */
export async function withKeys<Answer>(
  { folder, address, clock }: Where,
  work: (keys: Awaited<ReturnType<typeof openWorkspaceKeys>>) => Promise<Answer>,
): Promise<Answer | null> {
  if (address === null) return null;
  const workspace = readWorkspaceId(folder);
  const keys = await openWorkspaceKeys({ url: address.url, workspace, clock, logger: SILENT });
  try {
    return await work(keys);
  } finally {
    keys.close();
  }
}

async function withRecords<Answer>(
  { folder, address, clock }: Where,
  work: (records: Awaited<ReturnType<typeof openRedisRecords>>) => Promise<Answer>,
): Promise<Answer | null> {
  if (address === null) return null;
  const records = await openRedisRecords({
    url: address.url,
    workspace: readWorkspaceId(folder),
    clock,
    random: randomBytes,
    limits: limitsOf(defaultSettings()),
    logger: SILENT,
  });
  try {
    return await work(records);
  } finally {
    await records.close();
  }
}

function stateIn(folder: string): KeptState | null {
  if (!existsSync(folder)) return null;
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => !entry.isDirectory());
  const sizes = files.map(
    (file) => lstatSync(join(file.parentPath, file.name), { throwIfNoEntry: false })?.size ?? 0,
  );
  return { files: files.length, bytes: sizes.reduce((sum, size) => sum + size, 0) };
}

const nothing = (): void => undefined;
const SILENT: Logger = { debug: nothing, info: nothing, warn: nothing, error: nothing, child: () => SILENT };
