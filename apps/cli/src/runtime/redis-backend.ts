import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import {
  type Clock,
  createId,
  JsonObject,
  type Logger,
  type NodeRecord,
  type SchedulerLimits,
  type Settings,
  UnavailableError,
} from '@signalbox/core';
import { findWorkspaceHolder, identityOf } from '@signalbox/embedded';
import { createRedisBackend, type RedisBackend } from '@signalbox/redis';
import { type CommitWriter, recoverCommits } from '@signalbox/sandbox';
import { auditFilesOf } from './audit-files.ts';
import { isWriterGone } from './commit-writers.ts';
import { VERSION } from './contract/version.ts';
import { distribute, type DistributedExecutor } from './distribute.ts';
import type { Backend } from './contract/backend.ts';
import { type RedisAddress, removeRedisAddress, writeRedisAddress } from './workspace/redis-address.ts';
import { hasEnded, isEnded } from './presence-probe.ts';
import { checkSameTree, leaveMark, removeMark, sweepMarks, workspaceId } from './workspace-marks.ts';

const AUDIT_FOLDER = 'audit';

/**
 * Backend of a coordinator that shares its workspace: state is in Redis, the audit log is a file of its own, and its
 * files carry its name until it is known to be dead.
 *
 * @throws {UnavailableError} when Redis can't be reached, another process leads the workspace alone, or this tree is
 * not the one the other nodes use
 * @throws {UsageError} when that Redis would not keep what it accepts
 */
export async function openRedisBackend(options: {
  readonly folder: string;
  readonly address: RedisAddress;
  /** Programs run only on workers. Default false. */
  readonly workersOnly?: boolean | undefined;
  readonly limits: SchedulerLimits;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly logger: Logger;
}): Promise<Backend> {
  const { folder, address, limits, clock, logger } = options;
  const random = randomBytes;
  const host = hostname();
  const id = createId('coordinator', random);
  const identity = JsonObject.parse({ ...(await identityOf(process.pid, host)) });
  const workspace = workspaceId(folder, random);
  leaveMark(folder, id, identity);
  const backend = await createRedisBackend({
    ...address,
    workspace,
    clock,
    random,
    limits,
    logger,
    remembers: true,
    topic: options.settings.monitoring.pubsub_topic,
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
  const members = nodesOf(backend);
  const writer: CommitWriter = { id, identity };
  let distributed: DistributedExecutor | null = null;

  /** A live node commits its own files; one of an earlier run or another kind is checked by its process. */
  async function isGone(other: CommitWriter): Promise<boolean> {
    const living = await members.living();
    if (living.some((member) => member.id === other.id)) return false;
    return /^(cor|wrk)_/.test(other.id) || isWriterGone(other, host);
  }

  async function takeBackFiles(): Promise<void> {
    const takenBack = await recoverCommits(folder, { writer, isGone });
    if (takenBack.length > 0) logger.warn({ takenBack }, 'interrupted commits were rolled back');
  }

  /** Removes the node's mark once no node checks it. A node only presumed dead keeps its mark. */
  async function settled(other: NodeRecord['id']): Promise<void> {
    const known = (await members.dead()).find((member) => member.id === other);
    await members.settled(other);
    if (known !== undefined && (await hasEnded(known, host))) removeMark(folder, other);
  }

  async function leave(): Promise<void> {
    try {
      const [commands, runs] = await Promise.all([backend.store.unfinished(), backend.runStore.unfinished()]);
      const isLeading = [...commands, ...runs].some(({ owner }) => owner === id);
      await members.leave(isLeading ? 'dead' : 'settled');
      // Other nodes check this mark as long as they list this node.
      removeMark(folder, id);
      if ((await members.living()).every(({ kind }) => kind === 'worker')) removeRedisAddress(folder);
    } catch (error) {
      logger.warn({ error }, 'left without notice; the others detect it');
    } finally {
      await distributed?.close().catch((error: unknown) => logger.debug({ error }, 'run queue left open'));
      await backend.close();
    }
  }

  try {
    const [living, dead] = await Promise.all([members.living(), members.dead()]);
    checkSameTree(folder, living);
    await sweepMarks(folder, {
      own: id,
      known: [...living, ...dead],
      hasEnded: (of) => isEnded(of, host),
    });
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
        distributed = await distribute(local, {
          ...options,
          ...by,
          workersOnly: options.workersOnly ?? false,
          host,
          backend,
          members,
          takeBackFiles,
        });
        return distributed.executor;
      },
      shared: {
        members: { ...members, settled },
        hasEnded: (member) => hasEnded(member, host),
        auditFileOf: (member) => auditFileOf(folder, member),
        isOver: async (command, owner) => (await distributed?.reaper.isOver(command, owner)) === true,
        takeBackFiles,
      },
    },
    close: leave,
  };
}

function nodesOf({ members }: RedisBackend): NonNullable<RedisBackend['members']> {
  if (members === null)
    throw new UnavailableError('no-member', 'Cannot start here: this process was not registered');
  return members;
}

function auditFileOf(folder: string, member: NodeRecord['id']): string {
  return join(folder, AUDIT_FOLDER, `${member}.jsonl`);
}

function heldAlone(subcommand: string): UnavailableError {
  return new UnavailableError(
    'workspace-held',
    `Cannot lead this workspace on Redis: \`signalbox ${subcommand}\` leads it alone`,
    { next: ['Stop that one first: signalbox status   shows its process'] },
  );
}
