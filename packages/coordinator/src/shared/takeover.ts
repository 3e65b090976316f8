import {
  type Clock,
  type CommandRecord,
  type CommandStore,
  type Lease,
  type Logger,
  type NodeRecord,
  type NodeId,
  RevisionError,
  type Scheduler,
} from '@signalbox/core';
import { recentAuditLine } from '../audit/audit-log.ts';
import type { AuditLine } from '../audit/audit-line.ts';
import type { CommandRunner } from '../command/command-runner.ts';
import type { SharedWorkspace } from './shared-workspace.ts';

/** Processes of a coordinator that has ended on this machine end within moments. */
const POLL_AGAIN_MS = 1000;
/** Retry interval while the queue can't be reached. */
const AGAIN_AFTER_MS = 250;

export type Takeover = {
  /**
   * Takes over what dead members led; returns the number of commands. Never throws: it is retried.
   *
   * @param onUnreadable called for each unreadable record, which is left unchanged
   */
  round(onUnreadable?: (id: string, cause: unknown) => void): Promise<number>;
  /** Takes over the lease of a dead process that no other process will release. */
  takeOverLease(lease: Lease): Promise<void>;
  stop(): void;
};

type TakenOver = { readonly runner: CommandRunner; readonly line: AuditLine | undefined };

/**
 * Takes over the commands of dead coordinators: those that had not begun continue here; audited ones end as the audit
 * says; running ones are `lost`, but not before their lease is over and nothing of them can be alive.
 *
 * Commands that this coordinator led before, and that a backend with lost data returns as unfinished, are taken over
 * the same way.
 *
 * A record is taken over by storing its next revision under our own name. So if several coordinators try, one succeeds,
 * and a dead one that wakes up can't change it any more.
 */
export function createTakeover(options: {
  readonly shared: SharedWorkspace;
  readonly store: CommandStore;
  readonly scheduler: Scheduler;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Starts to lead that record. `line`: its end according to the last owner's audit. */
  readonly lead: (record: CommandRecord, line: AuditLine | undefined) => Promise<CommandRunner>;
  readonly isLed: (id: CommandRecord['id']) => boolean;
  /** Keeps its claims although it is over. */
  readonly hold: (id: CommandRecord['id']) => void;
}): Takeover {
  const { shared, store, scheduler, clock, logger, lead } = options;
  const { members } = shared;
  let stopped = false;
  let cancelNext: () => void = () => undefined;
  let takingOver: Promise<number> = Promise.resolve(0);
  /** Commands not yet known to be ours to lead. */
  const inProgress = new Set<CommandRecord['id']>();
  // A backend that was unreachable may have lost the end of commands that we led.
  const unlisten = [members.onDead(() => void round()), members.onRestored(() => void round())];

  function round(onUnreadable = noted): Promise<number> {
    takingOver = takingOver
      .then(() => takeOverAll(onUnreadable))
      .catch((error: unknown) => {
        logger.warn({ error }, 'commands of dead coordinators not taken over; trying again');
        // The dead members may be settled by others meanwhile: then they are not reported again.
        retryIn(POLL_AGAIN_MS);
        return 0;
      });
    return takingOver;
  }

  function retryIn(ms: number): void {
    cancelNext();
    if (!stopped) cancelNext = clock.timer(ms, () => void round());
  }

  function noted(id: string, error: unknown): void {
    logger.warn({ commandId: id, error }, 'record of a command not readable');
  }

  async function takeOverAll(onUnreadable: typeof noted): Promise<number> {
    if (stopped) return 0;
    const [living, dead] = await Promise.all([members.living(), members.dead()]);
    const runners = new Set<NodeId | undefined>(living.map(({ id }) => id));
    if (dead.length > 0) await shared.takeBackFiles();
    const unled: CommandRecord[] = [];
    await store.eachUnfinished(async (record) => {
      const { id, owner } = record;
      if ((owner === members.self || !runners.has(owner)) && !options.isLed(id)) unled.push(record);
      return true;
    }, onUnreadable);
    const held = unled.length === 0 ? [] : (await scheduler.snapshot()).leases;
    let takenOver = 0;
    const left = new Set<NodeId | undefined>();
    for (const record of unled) {
      const lease = held.find(({ commandId }) => commandId === record.id);
      const owner = dead.find(({ id }) => id === record.owner);
      // Its lease ends by itself, and the scheduler then notifies one of us.
      if (record.state === 'running' && lease !== undefined && !(await isOver(record, owner)))
        left.add(record.owner);
      else if (await takeOver(record, lease)) takenOver += 1;
    }
    for (const { id } of dead) if (!left.has(id)) await members.settled(id);
    // A lease that came back with lost data is not reported: it is checked when it is over.
    cancelNext();
    const isEnding = (await Promise.all(dead.filter(({ id }) => left.has(id)).map(shared.hasEnded))).includes(
      true,
    );
    const nextMs = isEnding ? POLL_AGAIN_MS : left.has(members.self) ? scheduler.leaseTtlMs : null;
    if (nextMs !== null) retryIn(nextMs);
    return takenOver;
  }

  async function isOver({ id }: CommandRecord, owner: NodeRecord | undefined): Promise<boolean> {
    return owner !== undefined && (await shared.hasEnded(owner)) && shared.isOver(id, owner);
  }

  async function take(record: CommandRecord): Promise<CommandRecord | null> {
    const taken = { ...record, owner: members.self, revision: record.revision + 1 };
    try {
      await store.commit(taken, []);
      return taken;
    } catch (error) {
      if (error instanceof RevisionError) return null;
      throw error;
    }
  }

  async function takeOver(record: CommandRecord, lease: Lease | undefined): Promise<boolean> {
    if (inProgress.has(record.id)) return false;
    inProgress.add(record.id);
    try {
      return await takeOverOne(record, lease);
    } finally {
      inProgress.delete(record.id);
    }
  }

  async function takeOverOne(record: CommandRecord, lease: Lease | undefined): Promise<boolean> {
    const taken = await take(record);
    if (taken === null) return false;
    const { runner, line } = await leadOn(taken, record.owner);
    logger.info({ commandId: record.id, from: record.owner, state: record.state }, 'command taken over');
    if (record.state === 'running' || line !== undefined) {
      await runner.unled();
      if (lease !== undefined) await scheduler.release(lease.leaseId);
      return true;
    }
    // Granted to the dead coordinator, which had not begun; or still in the queue for it.
    while (!(await isTakenOut(record.id, lease))) await pause();
    if (!stopped) runner.resume();
    return true;
  }

  /**
   * False while the queue can't be reached. Must be retried: we lead the command by now, and no other process continues
   * it.
   */
  async function isTakenOut(id: CommandRecord['id'], lease: Lease | undefined): Promise<boolean> {
    if (stopped) return true;
    try {
      await takeOut(id, lease);
      return true;
    } catch (error) {
      logger.warn({ commandId: id, error }, 'command taken over, and not out of its queue; trying again');
      return false;
    }
  }

  function pause(): Promise<void> {
    return new Promise((resolve) => void clock.timer(AGAIN_AFTER_MS, resolve));
  }

  /** Since the leases were read it may have been granted to the dead coordinator, and left the queue. */
  async function takeOut(id: CommandRecord['id'], lease: Lease | undefined): Promise<void> {
    if (lease !== undefined) return scheduler.release(lease.leaseId);
    if (await scheduler.cancel(id)) return;
    const { leases } = await scheduler.snapshot();
    const granted = leases.find(({ commandId }) => commandId === id);
    if (granted !== undefined) await scheduler.release(granted.leaseId);
  }

  async function leadOn(record: CommandRecord, owner: NodeId | undefined): Promise<TakenOver> {
    const line = owner === undefined ? undefined : recentAuditLine(shared.auditFileOf(owner), record.id);
    return { line, runner: await lead(record, line) };
  }

  async function takeOverLease(lease: Lease): Promise<void> {
    await shared.takeBackFiles();
    const record = await store.get(lease.commandId);
    if (record?.result?.rollback === 'rollback_failed') return options.hold(record.id);
    if (record === null || record.state === 'done') return scheduler.release(lease.leaseId);
    // A coordinator that stored the record meanwhile leads it and releases its claims; the dead one's lease it does
    // not.
    if (!(await takeOver(record, lease))) await scheduler.release(lease.leaseId);
  }

  /** This lease is not reported again, and a round leaves it to us. */
  async function takeLastLeases(lease: Lease): Promise<void> {
    if (stopped) return;
    await takeOverLease(lease).catch((error: unknown) => {
      logger.error(
        { commandId: lease.commandId, error },
        'lease of a dead coordinator not settled; trying again',
      );
      clock.timer(POLL_AGAIN_MS, () => void takeLastLeases(lease));
    });
  }

  return {
    round,
    takeOverLease: takeLastLeases,
    stop() {
      stopped = true;
      cancelNext();
      for (const end of unlisten) end();
    },
  };
}
