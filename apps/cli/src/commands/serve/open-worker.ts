import { randomBytes } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { homedir, hostname } from 'node:os';
import { join } from 'node:path';
import {
  type Clock,
  createId,
  type Executor,
  type Isolation,
  type Json,
  JsonObject,
  type Logger,
  type NodeRecord,
  type NodeId,
  type SchedulerLimits,
  type Settings,
  UnavailableError,
} from '@signalbox/core';
import { identityOf } from '@signalbox/embedded';
import { createPathDenial, createPolicy } from '@signalbox/policy';
import { createRedisBackend, startWorker, tellIsolation } from '@signalbox/redis';
import { settingsIn } from '../../runtime/worker-setup.ts';
import { limitsOf } from '../../runtime/limits-of.ts';
import { createLocalExecutor } from '../../runtime/local-executor.ts';
import { ownEnvironment } from '../../runtime/own-environment.ts';
import type { RedisAddress } from '../../runtime/workspace/redis-address.ts';
import { createPresenceProbe, hasEnded } from '../../runtime/presence-probe.ts';
import { checkSameTree, leaveMark, readWorkspaceId, removeMark } from '../../runtime/workspace-marks.ts';
import { tracedExecutor } from '../../runtime/log/traced.ts';
import type { Traces } from '../../runtime/log/traces.ts';
import { VERSION } from '../../runtime/contract/version.ts';

export type OpenWorkerOptions = Readonly<{
  /** The tree, as this machine sees it. */
  workspace: string;
  address: RedisAddress;
  settings: Settings;
  concurrency: number;
  labels: readonly string[];
  unconfined: boolean;
  /** From the user who started it: folders of programs, certificates, name in commits. */
  env: Readonly<Record<string, string | undefined>>;
  clock: Clock;
  logger: Logger;
  /** Traces what it runs. */
  traces?: Traces | null;
  /** For tests. */
  limits?: Partial<SchedulerLimits>;
}>;

/** A process that runs the programs of a workspace's commands. */
export type OpenWorker = Readonly<{
  id: NodeId;
  isolation: Isolation;
  running(): number;
  /** Takes no more, and resolves when running ones have ended and it has left. */
  drain(): Promise<void>;
  /** Stops running programs. */
  stopAll(): void;
}>;

/**
 * Joins a workspace as a worker.
 *
 * @throws {UsageError} if no coordinator ever ran there, or Redis has none of that name
 * @throws {UnavailableError} `other-tree` if the coordinators work in another one; when Redis can't be reached
 */
export async function openWorker(options: OpenWorkerOptions): Promise<OpenWorker> {
  const { address, concurrency, clock, logger, settings } = options;
  const workspace = realpathSync(options.workspace);
  const folder = join(workspace, '.signalbox');
  const labels = [...new Set(options.labels)].toSorted();
  const host = hostname();
  const id = createId('worker', randomBytes);
  const identity = JsonObject.parse({ ...(await identityOf(process.pid, host)) });
  const name = readWorkspaceId(folder);
  const executors = new Map<string, Executor>();
  const denials = new Map<string, (path: string) => boolean>();
  const own = await ownEnvironment(options.env, workspace);
  const { traces = null } = options;
  const watched = (executor: Executor): Executor =>
    traces === null ? executor : tracedExecutor(executor, { traces, clock, host });
  const executorOf = (of: Settings): Executor =>
    createLocalExecutor({
      ...options,
      workspace,
      own,
      folder,
      settings: of,
      policy: createPolicy(of, { workspace, home: homedir() }, clock),
      writer: { id, identity },
    });

  function executorFor(setup: Json): Executor {
    const key = JSON.stringify(setup);
    const known = executors.get(key) ?? watched(executorOf(settingsIn(setup)));
    executors.set(key, known);
    return known;
  }

  function denialOf(patterns: readonly string[]): (path: string) => boolean {
    const key = JSON.stringify(patterns);
    const known = denials.get(key) ?? createPathDenial(patterns, { workspace, home: homedir() });
    denials.set(key, known);
    return known;
  }

  // Before it registers: without confinement it can't be a worker.
  const isolation = await executorOf(settings).isolation();
  leaveMark(folder, id, identity);
  const limits = { ...limitsOf(settings), ...options.limits };
  const backend = await createRedisBackend({
    ...address,
    workspace: name,
    clock,
    random: randomBytes,
    limits,
    logger,
    takesPart: false,
    hasEnded: (member) => hasEnded(member, host),
    member: { id, kind: 'worker', host, pid: process.pid, identity, version: VERSION, labels, concurrency },
  }).catch((error: unknown) => {
    removeMark(folder, id);
    throw error;
  });
  const { members, facts, connection } = backend;
  if (members === null)
    throw new UnavailableError('no-member', 'Cannot start here: this process was not registered');

  async function leave(): Promise<void> {
    try {
      await members?.leave('settled');
      // Other nodes check this mark as long as they list this node.
      removeMark(folder, id);
    } catch (error) {
      logger.warn({ error }, 'left without notice; the others detect it');
    }
    await backend.close();
    await traces?.close();
  }

  try {
    const others = await members.living();
    checkKnown(others, id);
    checkSameTree(folder, others);
    await tellIsolation({ facts, self: id }, isolation);
    const worker = await startWorker({
      connection,
      url: address.url,
      members,
      facts,
      labels,
      concurrency,
      queueTraces: await traces?.queueTraces(),
      leaseTtlMs: limits.leaseTtlMs,
      presenceProbe: createPresenceProbe({ folder, host, clock, isolation: async () => isolation }),
      executorFor,
      denialOf,
      clock,
      logger,
    });
    return {
      id,
      isolation,
      running: worker.running,
      stopAll: worker.stopAll,
      async drain() {
        await worker.drain();
        await leave();
      },
    };
  } catch (error) {
    await leave();
    throw error;
  }
}

/** A coordinator must lead the tree of that id on this Redis; otherwise it is unknown whether it is the same tree. */
function checkKnown(members: readonly NodeRecord[], self: NodeId): void {
  if (members.some(({ id, kind }) => kind === 'coordinator' && id !== self)) return;
  throw new UnavailableError(
    'no-coordinator',
    'Cannot work in this folder: no coordinator of it uses this Redis',
    {
      next: ['signalbox serve --redis URL', 'Check that it is the address the coordinators use'],
    },
  );
}
