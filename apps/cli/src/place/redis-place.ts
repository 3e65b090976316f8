import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import {
  type Clock,
  createId,
  JsonObject,
  type Logger,
  type Member,
  type SchedulerLimits,
  UnavailableError,
} from '@signalbox/core';
import { findWorkspaceHolder, identityOf, livenessOf, ProcessIdentity } from '@signalbox/embedded';
import { createRedisBackend, type RedisBackend } from '@signalbox/redis';
import { type CommitWriter, recoverCommits } from '@signalbox/sandbox';
import { auditFilesOf } from './audit-files.ts';
import { isWriterGone } from '../commit-writers.ts';
import { VERSION } from '../version.ts';
import { distribute, WORKERS_SEEN } from './distribute.ts';
import type { Place } from './place.ts';
import { type RedisAddress, removeRedisAddress, writeRedisAddress } from './redis-address.ts';
import { checkSameTree, leaveMark, removeMark, sweepMarks, workspaceId } from './workspace-marks.ts';

const AUDIT_FOLDER = 'audit';

/**
 * The place of a house that shares its workspace with others: what it knows is in Redis, the audit is a file of
 * its own, and its files carry its name until it is known to be dead.
 *
 * @throws {UnavailableError} when Redis can't be reached, another process leads the workspace alone, or this is
 * another tree than that of the others
 * @throws {UsageError} when that Redis would not keep what it accepts
 */
export async function openRedisPlace(options: {
  readonly folder: string;
  readonly address: RedisAddress;
  /** Only workers run programs. */
  readonly workersOnly: boolean;
  readonly limits: SchedulerLimits;
  readonly clock: Clock;
  readonly logger: Logger;
}): Promise<Place> {
  const { folder, address, limits, clock, logger } = options;
  const random = randomBytes;
  const host = hostname();
  const id = createId('coordinator', random);
  const identity = JsonObject.parse({ ...(await identityOf(process.pid, host)) });
  const workspace = workspaceId(folder, random);
  leaveMark(folder, id);
  const backend = await createRedisBackend({
    ...address,
    workspace,
    clock,
    random,
    limits,
    logger,
    remembers: true,
    hasEnded: (member) => hasEnded(member, host),
    member: {
      id,
      kind: 'coordinator',
      host,
      pid: process.pid,
      identity,
      version: VERSION,
      labels: [],
      concurrency: 0,
    },
  }).catch((error: unknown) => {
    removeMark(folder, id);
    throw error;
  });
  const members = membersOf(backend);
  const writer: CommitWriter = { id, identity };
  let closeQueues: () => Promise<void> = async () => undefined;

  /** A member that lives puts its files itself; one of another time or kind is asked for by its process. */
  async function isGone(other: CommitWriter): Promise<boolean> {
    const living = await members.living();
    if (living.some((member) => member.id === other.id)) return false;
    return /^(cor|wrk)_/.test(other.id) || isWriterGone(other, host);
  }

  async function takeBackFiles(): Promise<void> {
    const takenBack = await recoverCommits(folder, { writer, isGone });
    if (takenBack.length > 0) logger.warn({ takenBack }, 'commits that were cut off were taken back');
  }

  async function leave(): Promise<void> {
    try {
      const isLeading = (await backend.store.unfinished()).some(({ owner }) => owner === id);
      await members.leave(isLeading ? 'dead' : 'settled');
      // As long as the others count with it they look for its mark.
      removeMark(folder, id);
      if ((await members.living()).every(({ kind }) => kind === 'worker')) removeRedisAddress(folder);
    } catch (error) {
      logger.warn({ error }, 'left without telling the others; they notice by themselves');
    } finally {
      await closeQueues().catch((error: unknown) => logger.debug({ error }, 'run queue left open'));
      await backend.close();
    }
  }

  try {
    const [living, dead] = await Promise.all([members.living(), members.dead()]);
    checkSameTree(folder, living);
    sweepMarks(folder, id, [...living, ...dead]);
    writeRedisAddress(folder, address);
    const holder = await findWorkspaceHolder(folder, host);
    if (holder !== null) throw heldAlone(holder.subcommand);
    mkdirSync(join(folder, AUDIT_FOLDER), { recursive: true, mode: 0o700 });
  } catch (error) {
    await leave();
    throw error;
  }
  return {
    ...backend,
    writer,
    takeBackCommits: () => recoverCommits(folder, { writer, isGone }),
    auditFile: auditFileOf(folder, id),
    auditFiles: () => auditFilesOf(dirname(folder)),
    others: {
      living: members.living,
      async distribute(local, by) {
        const { executor, close } = await distribute(local, {
          ...options,
          ...by,
          backend,
          members,
          takeBackFiles,
        });
        closeQueues = close;
        return executor;
      },
      shared: {
        members,
        hasEnded: (member) => hasEnded(member, host),
        auditFileOf: (member) => auditFileOf(folder, member),
        hasWorkers: async () => (await backend.facts.get(WORKERS_SEEN)) === true,
        takeBackFiles,
      },
    },
    close: leave,
  };
}

function membersOf({ members }: RedisBackend): NonNullable<RedisBackend['members']> {
  if (members === null)
    throw new UnavailableError('no-member', 'Cannot work here: this process was not entered');
  return members;
}

function auditFileOf(folder: string, member: Member['id']): string {
  return join(folder, AUDIT_FOLDER, `${member}.jsonl`);
}

async function hasEnded({ identity }: Member, host: string): Promise<boolean> {
  const known = ProcessIdentity.safeParse(identity);
  return known.success && (await livenessOf(known.data, host)) === 'dead';
}

function heldAlone(subcommand: string): UnavailableError {
  return new UnavailableError(
    'workspace-held',
    `Cannot lead this workspace on Redis: \`signalbox ${subcommand}\` leads it alone`,
    { next: ['End that one first: signalbox status   says which process it is'] },
  );
}
