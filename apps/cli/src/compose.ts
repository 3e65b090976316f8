import { randomBytes } from 'node:crypto';
import { existsSync, realpathSync } from 'node:fs';
import { homedir, hostname } from 'node:os';
import { join } from 'node:path';
import { createCoordinator, createModeDesk, createMonitor, queueOfRecords } from '@signalbox/coordinator';
import {
  createRedactor,
  createToolRegistry,
  defaultSettings,
  type Logger,
  type SchedulerLimits,
  type Settings,
} from '@signalbox/core';
import {
  acquireWorkspaceLock,
  createEmbeddedBackend,
  createSystemClock,
  findWorkspaceHolder,
  type WorkspaceLock,
} from '@signalbox/embedded';
import { createPathMatcher, createPolicy, createPolicyHolder } from '@signalbox/policy';
import {
  type CommitWriter,
  commitsOf,
  createExecutor,
  createFiles,
  type ExecutorOptions,
  recoverCommits,
} from '@signalbox/sandbox';
import { catalogue } from '@signalbox/tools';
import { isWriterGone, lockedWriter } from './commit-writers.ts';
import type { StartSession } from './create-session-starter.ts';
import { findLines } from './find-lines.ts';
import type { House, HouseOptions, Records, ServedDoor } from './house.ts';
import { createRunningSessions } from './serve/running-sessions.ts';
import { roomAt, watchPressure } from './watch-pressure.ts';
import { openLog } from './open-log.ts';

const STATE_FOLDER = '.signalbox';
const AUDIT_FILE = 'audit.jsonl';
const LOG_FILE = 'log.jsonl';

/** The only place where ports and rooms meet: takes a workspace and opens its house on the embedded backend. */
export async function openHouse(options: HouseOptions): Promise<House> {
  const workspace = realpathSync(options.workspace);
  const folder = join(workspace, STATE_FOLDER);
  const host = { name: hostname(), pid: process.pid };
  const lock = await acquireWorkspaceLock({
    folder,
    host: host.name,
    pid: host.pid,
    subcommand: options.subcommand,
    clock: options.clock,
    random: randomBytes,
  });
  try {
    return await furnish({ ...options, workspace }, { folder, host, lock });
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function furnish(
  options: HouseOptions,
  place: { folder: string; host: { name: string; pid: number }; lock: WorkspaceLock },
): Promise<House> {
  const { workspace, settings, clock, apiKeys } = options;
  const { folder, host, lock } = place;
  const home = homedir();
  const limits = limitsOf(settings);
  const redactor = createRedactor({ secrets: keysOf(settings, apiKeys) });
  const log = options.log ?? openLog({ file: join(folder, LOG_FILE), redactor, verbose: false });
  const backend = await createEmbeddedBackend({ folder, clock, random: randomBytes, limits, logger: log });
  const policy = createPolicyHolder(createPolicy(settings, { workspace, home }, clock));
  const writer = lockedWriter(lock.holder);
  const isGone = (other: CommitWriter) => isWriterGone(other, host.name);
  const takenBack = await recoverCommits(folder, { writer, isGone });
  if (takenBack.length > 0) log.warn({ takenBack }, 'commits that were cut off were taken back');
  const executor = createExecutor({
    workspace,
    stateFolder: folder,
    path: apiKeys['PATH'] ?? '/usr/local/bin:/usr/bin:/bin',
    home,
    confinement: options.unconfined ? 'off-by-operator' : 'required',
    clock,
    writer,
    isDenied: policy.isDenied,
    ...containerOf(settings),
    ...transactionsOf(
      settings,
      createPathMatcher(settings.tools.shell.transaction_scope, { workspace, home }),
    ),
  });
  const files = createFiles({ workspace, isDenied: policy.isDenied, commits: commitsOf(folder), writer });
  const lines = findLines(workspace, settings);
  const isolation = () => executor.isolation();
  const { sandboxed, transactional } = await isolation().then(
    ({ layer, tracking }) => ({
      sandboxed: layer !== 'none',
      transactional: layer === 'overlay' && tracking.strength === 'enforced',
    }),
    () => ({ sandboxed: false, transactional: false }),
  );
  const coordinator = await createCoordinator({
    ...backend,
    scheduler: options.through?.(backend.scheduler) ?? backend.scheduler,
    workspace,
    home,
    host,
    auditFile: join(folder, AUDIT_FILE),
    executor,
    sandboxed,
    transactional,
    files,
    tools: createToolRegistry([...catalogue(), ...(options.tools ?? [])]),
    policy,
    redactor,
    settings,
    lines,
    clock,
    random: randomBytes,
    logger: log,
  });
  const stopWatching = watchPressure({
    clock,
    room: () => roomAt(workspace),
    onPressure(reason) {
      coordinator.degrade(reason).catch((error: unknown) => log.error({ reason, error }, 'mode not changed'));
    },
  });
  /** The vendors' SDKs are large: a house without sessions does without them. */
  async function startSessions(): Promise<StartSession> {
    const { createSessionStarter } = await import('./create-session-starter.ts');
    return createSessionStarter({
      coordinator,
      events: backend.events,
      settings,
      apiKeys,
      clock,
      random: randomBytes,
      redactor,
      logger: log,
    });
  }

  const sessions = createRunningSessions(startSessions);
  const doors: ServedDoor[] = [];
  let current = settings;
  const house: House = {
    coordinator,
    events: backend.events,
    store: backend.store,
    facts: backend.facts,
    settings,
    isolation,
    adoptPolicy(next) {
      current = next;
      const isOther = policy.swap(createPolicy(next, { workspace, home }, clock));
      if (isOther) coordinator.policyChanged();
      return isOther;
    },
    files,
    lines,
    async runSession(session) {
      const { sessionId, finished } = await sessions.start(session);
      return { ...(await finished), sessionId };
    },
    async openServer(listen) {
      const { openServer } = await import('./serve/open-server.ts');
      const served = { ...backend, workspace, coordinator, files, redactor, sessions, isolation, clock };
      const door = await openServer(
        {
          ...served,
          settings: () => current,
          adoptPolicy: house.adoptPolicy,
          random: randomBytes,
          logger: log,
        },
        listen,
      );
      doors.push(door);
      return door;
    },
    async close() {
      stopWatching();
      await Promise.all(doors.map((door) => door.close()));
      await coordinator.close();
      await backend.close();
      await lock.release();
    },
  };
  return house;
}

/** What is stored of a workspace, beside a running coordinator or without one; null when nothing ever was. */
export async function openRecords(options: { readonly workspace: string }): Promise<Records | null> {
  const workspace = realpathSync(options.workspace);
  const folder = join(workspace, STATE_FOLDER);
  if (!existsSync(join(folder, 'state.db'))) return null;
  const clock = createSystemClock();
  const limits = limitsOf(defaultSettings());
  const backend = await createEmbeddedBackend({ folder, clock, random: randomBytes, limits, logger: SILENT });
  const { store, events, facts } = backend;
  return {
    store,
    events,
    facts,
    files: createFiles({ workspace, commits: commitsOf(folder) }),
    monitor: createMonitor(store, 1_000_000),
    queue: async () => queueOfRecords(await store.unfinished()),
    mode: createModeDesk({ facts, events, clock, initial: 'NORMAL' }).current,
    async holder() {
      const holder = await findWorkspaceHolder(folder, hostname());
      if (holder === null) return null;
      const { process: of, subcommand, startedAt } = holder;
      return { pid: of.pid, host: of.host, subcommand, startedAt };
    },
    auditFile: join(folder, AUDIT_FILE),
    close: backend.close,
  };
}

/** An engine that an operator names, for machines on which bubblewrap does not hold. */
function containerOf({ sandbox: { container } }: Settings): Pick<ExecutorOptions, 'container'> {
  return container === null ? {} : { container };
}

/** H5: what a shell line wrote is put when it has ended, all or nothing. */
function transactionsOf(
  { tools: { shell } }: Settings,
  isInScope: (path: string) => boolean,
): Pick<ExecutorOptions, 'transactions' | 'transactionRules'> {
  if (!shell.transactional) return { transactions: 'off' };
  return {
    transactions: shell.snapshot_required ? 'required' : 'where-possible',
    transactionRules: {
      rollBackOn: shell.auto_rollback ? shell.auto_rollback_exit_codes : [],
      isInScope,
      maxReplacedBytes: shell.max_snapshot_bytes === 0 ? Infinity : shell.max_snapshot_bytes,
      onConflict: shell.on_conflict === 'merge' ? 'merge' : 'conflict',
    },
  };
}

function limitsOf(settings: Settings): SchedulerLimits {
  const { max_concurrent_executions, max_queue_size, max_wait } = settings.execution;
  return {
    maxConcurrent: max_concurrent_executions,
    maxQueuePerProvider: max_queue_size,
    maxWaitMs: max_wait,
    leaseTtlMs: 30_000,
  };
}

/** The keys that must show up nowhere, whatever a provider prints. */
function keysOf(settings: Settings, apiKeys: HouseOptions['apiKeys']): string[] {
  return Object.values(settings.providers).flatMap(({ api_key_env }) => {
    const key = api_key_env === null ? undefined : apiKeys[api_key_env];
    return key === undefined ? [] : [key];
  });
}

const nothing = (): void => undefined;
const SILENT: Logger = { debug: nothing, info: nothing, warn: nothing, error: nothing, child: () => SILENT };
